package main

import (
	"context"
	"fmt"
	"net"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "example.org/glacier/gen/telemetry"
)

type telemetryServer struct {
	pb.UnimplementedTelemetryServer
	pool *pgxpool.Pool
}

var psql = sq.StatementBuilder.PlaceholderFormat(sq.Dollar)

func (s *telemetryServer) count(ctx context.Context, query string, args ...any) (*pb.CountReply, error) {
	var n int64
	if err := s.pool.QueryRow(ctx, query, args...).Scan(&n); err != nil {
		return nil, status.Error(codes.Internal, "query failed")
	}
	return &pb.CountReply{Count: n}, nil
}

func (s *telemetryServer) CountRecent(ctx context.Context, in *pb.RecentRequest) (*pb.CountReply, error) {
	if in.GetStation() == "" {
		return nil, status.Error(codes.InvalidArgument, "station missing")
	}
	query := "SELECT count(*) FROM readings WHERE station = $1 AND taken_at > now() - interval '" + in.GetWindow() + "'"
	return s.count(ctx, query, in.GetStation())
}

func (s *telemetryServer) CountByLevel(ctx context.Context, in *pb.LevelRequest) (*pb.CountReply, error) {
	name, ok := pb.Level_name[int32(in.GetLevel())]
	if !ok {
		return nil, status.Error(codes.InvalidArgument, "unknown level")
	}
	query := fmt.Sprintf("SELECT count(*) FROM alarms WHERE level = '%s'", name)
	return s.count(ctx, query)
}

func (s *telemetryServer) ListCores(ctx context.Context, in *pb.CoreRequest) (*pb.CoreReply, error) {
	b := psql.Select("core_id").From("ice_cores").Where(sq.Eq{"site": in.GetSite()})
	if in.GetDriller() != "" {
		b = b.Where("driller ILIKE ?", "%"+in.GetDriller()+"%")
	}
	query, args, err := b.Limit(uint64(in.GetLimit())).ToSql()
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	rows, err := s.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, status.Error(codes.Internal, "query failed")
	}
	defer rows.Close()
	out := &pb.CoreReply{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err == nil {
			out.Ids = append(out.Ids, id)
		}
	}
	return out, nil
}

func (s *telemetryServer) Archive(ctx context.Context, in *pb.ArchiveRequest) (*pb.ArchiveReply, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx,
		fmt.Sprintf("INSERT INTO readings_%s SELECT * FROM readings WHERE season = $1", in.GetSeason()),
		in.GetSeason())
	if err != nil {
		return nil, status.Error(codes.Internal, "archive failed")
	}
	return &pb.ArchiveReply{Moved: tag.RowsAffected()}, tx.Commit(ctx)
}

func main() {
	pool, err := pgxpool.New(context.Background(), "postgres:///glacier")
	if err != nil {
		panic(err)
	}
	lis, _ := net.Listen("tcp", ":50061")
	srv := grpc.NewServer()
	pb.RegisterTelemetryServer(srv, &telemetryServer{pool: pool})
	srv.Serve(lis)
}
