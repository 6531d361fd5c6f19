package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type ctxKey int

const regionKey ctxKey = iota

func withRegion(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		region := "eu"
		if c, err := r.Cookie("region"); err == nil {
			region = c.Value
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), regionKey, region)))
	})
}

func regionOf(ctx context.Context) string {
	region, _ := ctx.Value(regionKey).(string)
	return region
}

type api struct{ pool *pgxpool.Pool }

func (a *api) write(w http.ResponseWriter, rows pgx.Rows, err error) {
	if err != nil {
		http.Error(w, "database", http.StatusInternalServerError)
		return
	}
	list, err := pgx.CollectRows(rows, pgx.RowToMap)
	if err != nil {
		http.Error(w, "database", http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(list)
}

func (a *api) list(w http.ResponseWriter, r *http.Request) {
	query := `SELECT id, carrier FROM shipments WHERE region = '` + regionOf(r.Context()) + `' LIMIT 100`
	rows, err := a.pool.Query(r.Context(), query)
	a.write(w, rows, err)
}

func (a *api) sorted(w http.ResponseWriter, r *http.Request) {
	column := pgx.Identifier{"shipments", r.URL.Query().Get("sort")}.Sanitize()
	rows, err := a.pool.Query(r.Context(), "SELECT id FROM shipments WHERE region = $1 ORDER BY "+column, regionOf(r.Context()))
	a.write(w, rows, err)
}

func (a *api) reassign(w http.ResponseWriter, r *http.Request) {
	const stmt = "UPDATE shipments SET region = $1" + " WHERE id = $2"
	if _, err := a.pool.Exec(r.Context(), stmt, regionOf(r.Context()), chi.URLParam(r, "id")); err != nil {
		http.Error(w, "database", http.StatusConflict)
	}
}

func (a *api) discard(w http.ResponseWriter, r *http.Request) {
	if _, err := a.pool.Exec(r.Context(), "DELETE FROM staging_"+chi.URLParam(r, "batch")); err != nil {
		http.Error(w, "database", http.StatusConflict)
	}
}

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	a := &api{pool}
	r := chi.NewRouter()
	r.Use(withRegion)
	r.Get("/shipments", a.list)
	r.Get("/shipments/sorted", a.sorted)
	r.Put("/shipments/{id}", a.reassign)
	r.Delete("/staging/{batch}", a.discard)
	log.Fatal(http.ListenAndServe(":8080", r))
}
