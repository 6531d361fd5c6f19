package graph

import (
	"context"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"
)

type Resolver struct {
	DB *sqlx.DB
}

type Recording struct {
	ID      int64  `db:"id"`
	Speaker string `db:"speaker"`
	Village string `db:"village"`
	Seconds int    `db:"seconds"`
}

type RecordingOrder struct {
	Field     string
	Direction string
}

type SpeakerInput struct {
	Name    string `db:"name"`
	Village string `db:"village"`
	Born    int    `db:"born"`
}

type queryResolver struct{ *Resolver }
type mutationResolver struct{ *Resolver }

func (r *Resolver) Query() *queryResolver       { return &queryResolver{r} }
func (r *Resolver) Mutation() *mutationResolver { return &mutationResolver{r} }

func orderClause(o *RecordingOrder) string {
	if o == nil {
		return " ORDER BY id"
	}
	dir := strings.ToUpper(o.Direction)
	if dir == "" {
		dir = "ASC"
	}
	field := "id"
	for _, f := range []string{"speaker", "village", "seconds"} {
		if f == o.Field {
			field = f
		}
	}
	return " ORDER BY " + field + " " + dir
}

func (r *queryResolver) Recordings(ctx context.Context, village string, order *RecordingOrder) ([]*Recording, error) {
	var out []*Recording
	err := r.DB.SelectContext(ctx, &out,
		"SELECT id, speaker, village, seconds FROM recordings WHERE village = $1"+orderClause(order), village)
	return out, err
}

func (r *queryResolver) ByTags(ctx context.Context, tags []string) ([]*Recording, error) {
	if len(tags) == 0 {
		return nil, errors.New("no tags")
	}
	query, args, err := sqlx.In("SELECT r.* FROM recordings r JOIN tags t ON t.rec = r.id WHERE t.name IN (?)", tags)
	if err != nil {
		return nil, err
	}
	var out []*Recording
	err = r.DB.SelectContext(ctx, &out, r.DB.Rebind(query), args...)
	return out, err
}

func (r *queryResolver) ByPhonemes(ctx context.Context, phonemes []string) ([]*Recording, error) {
	quoted := make([]string, 0, len(phonemes))
	for _, p := range phonemes {
		quoted = append(quoted, "'"+strings.TrimSpace(p)+"'")
	}
	list := strings.Join(quoted, ",")
	var out []*Recording
	err := r.DB.SelectContext(ctx, &out, "SELECT * FROM recordings WHERE dominant_phoneme IN ("+list+")")
	return out, err
}

func (r *mutationResolver) AddSpeaker(ctx context.Context, in SpeakerInput) (bool, error) {
	if in.Born < 1850 {
		return false, errors.New("implausible year of birth")
	}
	_, err := r.DB.NamedExecContext(ctx,
		`INSERT INTO speakers (name, village, born) VALUES (:name, :village, :born)`, in)
	return err == nil, err
}
