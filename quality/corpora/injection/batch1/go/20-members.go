package members

import (
	"context"
	"net/http"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"github.com/gin-gonic/gin"
	"github.com/jmoiron/sqlx"
)

type Member struct {
	ID   int64  `db:"id" json:"id"`
	Name string `db:"name" json:"name"`
}

type Store struct{ db *sqlx.DB }

func (s *Store) Named(ctx context.Context, m Member) error {
	_, err := s.db.NamedExecContext(ctx, "UPDATE member SET name = :name WHERE id = :id", m)
	return err
}

func (s *Store) List(c *gin.Context) {
	conds := []string{"1 = 1"}
	var args []any
	for _, col := range []string{"name", "city", "plan"} {
		if v, ok := c.GetQuery(col); ok {
			conds = append(conds, col+" = ?")
			args = append(args, v)
		}
	}
	var out []Member
	err := s.db.Select(&out, "SELECT id, name FROM member WHERE "+strings.Join(conds, " AND "), args...)
	if err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(http.StatusOK, out)
}

func (s *Store) ByTag(c *gin.Context) {
	rows, err := sq.Select("id").From("member").Where(sq.Eq{"tag": c.Query("tag")}).RunWith(s.db).Query()
	if err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	defer rows.Close()
	c.JSON(http.StatusOK, rows.Next())
}
