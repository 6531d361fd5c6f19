package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/gorilla/mux"
	"github.com/jackc/pgx/v5/pgxpool"
)

var pool *pgxpool.Pool

func search(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var b strings.Builder
	b.WriteString("SELECT count(*) FROM flat WHERE rooms > 0")
	for _, key := range []string{"district", "heating"} {
		if v := q.Get(key); v != "" {
			fmt.Fprintf(&b, " AND %s = '%s'", key, v)
		}
	}
	var n int
	if err := pool.QueryRow(r.Context(), b.String()).Scan(&n); err != nil {
		http.Error(w, "search", http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(n)
}

func searchNumbered(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var b strings.Builder
	var args []any
	b.WriteString("SELECT count(*) FROM flat WHERE rooms > 0")
	for _, key := range []string{"district", "heating"} {
		if v := q.Get(key); v != "" {
			args = append(args, v)
			fmt.Fprintf(&b, " AND %s = $%d", key, len(args))
		}
	}
	var n int
	if err := pool.QueryRow(r.Context(), b.String(), args...).Scan(&n); err != nil {
		http.Error(w, "search", http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(n)
}

func note(w http.ResponseWriter, r *http.Request) {
	parts := []string{"UPDATE flat SET note = '", r.FormValue("note"), "' WHERE id = $1"}
	if _, err := pool.Exec(r.Context(), strings.Join(parts, ""), mux.Vars(r)["id"]); err != nil {
		http.Error(w, "note", http.StatusInternalServerError)
	}
}

func main() {
	var err error
	if pool, err = pgxpool.New(context.Background(), os.Getenv("DATABASE_URL")); err != nil {
		log.Fatal(err)
	}
	m := mux.NewRouter()
	m.HandleFunc("/flats/search", search)
	m.HandleFunc("/flats/find", searchNumbered)
	m.HandleFunc("/flats/{id:[0-9]+}/note", note).Methods("POST")
	log.Fatal(http.ListenAndServe(":8000", m))
}
