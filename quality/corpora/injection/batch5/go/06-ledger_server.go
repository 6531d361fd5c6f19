package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "github.com/acme/ledger/gen/ledgerpb"
)

type predicate interface {
	SQL() string
}

type equals struct{ column, value string }

func (e equals) SQL() string { return fmt.Sprintf("%s = '%s'", e.column, e.value) }

type atLeast struct {
	column string
	amount int64
}

func (a atLeast) SQL() string { return fmt.Sprintf("%s >= %d", a.column, a.amount) }

type all []predicate

func (p all) SQL() string {
	parts := make([]string, 0, len(p))
	for _, q := range p {
		parts = append(parts, q.SQL())
	}
	return strings.Join(parts, " AND ")
}

type Server struct {
	pb.UnimplementedLedgerServer
	pool *pgxpool.Pool
}

func (s *Server) CountEntries(ctx context.Context, req *pb.CountRequest) (*pb.CountReply, error) {
	where := all{atLeast{"amount", req.GetMinAmount()}, equals{"currency", req.GetCurrency()}}
	var n int64
	row := s.pool.QueryRow(ctx, "SELECT count(*) FROM entries WHERE "+where.SQL())
	if err := row.Scan(&n); err != nil {
		return nil, status.Error(codes.Internal, "count failed")
	}
	return &pb.CountReply{Count: n}, nil
}

func (s *Server) ListEntries(req *pb.ListRequest, stream pb.Ledger_ListEntriesServer) error {
	direction := "ASC"
	if strings.EqualFold(req.GetDirection(), "desc") {
		direction = "DESC"
	}
	column := pgx.Identifier{req.GetSortBy()}.Sanitize()
	query := fmt.Sprintf("SELECT id, memo FROM entries WHERE account = $1 ORDER BY %s %s", column, direction)
	rows, err := s.pool.Query(stream.Context(), query, req.GetAccount())
	if err != nil {
		return status.Error(codes.InvalidArgument, "bad query")
	}
	defer rows.Close()
	for rows.Next() {
		e := new(pb.Entry)
		if err := errors.Join(rows.Scan(&e.Id, &e.Memo), stream.Send(e)); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *Server) Post(ctx context.Context, req *pb.PostRequest) (*pb.PostReply, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	tenant := strings.Join(md.Get("x-tenant"), "")
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL app.tenant = '"+tenant+"'"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO entries (memo, amount) VALUES ($1, $2)", req.GetMemo(), req.GetAmount())
		return err
	})
	return &pb.PostReply{}, err
}
