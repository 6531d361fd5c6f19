package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Sensor struct {
	ID   int    `db:"id" json:"id"`
	Name string `db:"name" json:"name"`
	Site string `db:"site" json:"site"`
}

type Repo[T any] struct {
	pool   *pgxpool.Pool
	table  string
	fields []string
}

func NewRepo[T any](pool *pgxpool.Pool, table string, fields ...string) *Repo[T] {
	return &Repo[T]{pool: pool, table: table, fields: fields}
}

func collect[T any](rows pgx.Rows, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[T])
}

func (r *Repo[T]) Get(ctx context.Context, id int) ([]T, error) {
	rows, err := r.pool.Query(ctx, "SELECT * FROM "+r.table+" WHERE id = $1", id)
	return collect[T](rows, err)
}

func (r *Repo[T]) Where(ctx context.Context, column, value string) ([]T, error) {
	q := fmt.Sprintf("SELECT * FROM %s WHERE %s = $1", r.table, column)
	rows, err := r.pool.Query(ctx, q, value)
	return collect[T](rows, err)
}

func (r *Repo[T]) Sorted(ctx context.Context, column string) ([]T, error) {
	if !slices.Contains(r.fields, column) {
		return nil, fmt.Errorf("unknown column %q", column)
	}
	rows, err := r.pool.Query(ctx, "SELECT * FROM "+r.table+" ORDER BY "+column)
	return collect[T](rows, err)
}

func (r *Repo[T]) Archive(ctx context.Context, year string) ([]T, error) {
	rows, err := r.pool.Query(ctx, "SELECT * FROM "+r.table+"_"+year+" ORDER BY id")
	return collect[T](rows, err)
}

func respond[T any](w http.ResponseWriter, list []T, err error) {
	if err != nil {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(list)
}

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	sensors := NewRepo[Sensor](pool, "sensors", "id", "name", "site")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sensors/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		list, err := sensors.Get(r.Context(), id)
		respond(w, list, err)
	})
	mux.HandleFunc("GET /sensors/by/{column}/{value}", func(w http.ResponseWriter, r *http.Request) {
		list, err := sensors.Where(r.Context(), r.PathValue("column"), r.PathValue("value"))
		respond(w, list, err)
	})
	mux.HandleFunc("GET /sensors", func(w http.ResponseWriter, r *http.Request) {
		list, err := sensors.Sorted(r.Context(), r.URL.Query().Get("sort"))
		respond(w, list, err)
	})
	mux.HandleFunc("GET /archive/{year}", func(w http.ResponseWriter, r *http.Request) {
		list, err := sensors.Archive(r.Context(), r.PathValue("year"))
		respond(w, list, err)
	})
	log.Fatal(http.ListenAndServe(":8080", mux))
}
