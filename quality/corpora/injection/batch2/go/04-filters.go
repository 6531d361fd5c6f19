package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	_ "github.com/go-sql-driver/mysql"
)

type api struct{ db *sql.DB }

func (a api) search(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	b.WriteString("SELECT id FROM flat WHERE 1 = 1")
	q := r.URL.Query()
	for _, key := range []string{"city", "street"} {
		if v := q.Get(key); v != "" {
			fmt.Fprintf(&b, " AND %s = '%s'", key, v)
		}
	}
	rows, err := a.db.QueryContext(r.Context(), b.String())
	if err != nil {
		w.WriteHeader(500)
		return
	}
	rows.Close()
}

func (a api) count(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	var args []interface{}
	b.WriteString("SELECT count(*) FROM flat WHERE rooms > 0")
	q := r.URL.Query()
	for _, key := range []string{"city", "street"} {
		if v := q.Get(key); v != "" {
			b.WriteString(" AND " + key + " = ?")
			args = append(args, v)
		}
	}
	var n int
	if err := a.db.QueryRowContext(r.Context(), b.String(), args...).Scan(&n); err != nil {
		w.WriteHeader(500)
		return
	}
	fmt.Fprintln(w, n)
}

func (a api) agents(w http.ResponseWriter, r *http.Request) {
	names := strings.Split(r.FormValue("names"), ",")
	stmt := "DELETE FROM agent WHERE name IN ('" + strings.Join(names, "','") + "')"
	if _, err := a.db.ExecContext(r.Context(), stmt); err != nil {
		w.WriteHeader(500)
	}
}

func main() {
	db, _ := sql.Open("mysql", "flats@tcp(db)/flats")
	a := api{db}
	r := chi.NewRouter()
	r.Get("/flats", a.search)
	r.Get("/flats/count", a.count)
	r.Delete("/agents", a.agents)
	http.ListenAndServe(":3000", r)
}
