package main

import (
	"encoding/json"
	"log"
	"net/http"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type clause func(column, value string) string

var exact clause = func(column, value string) string {
	return column + " = '" + value + "'"
}

var trimmed clause = func(column, value string) string {
	return column + " = " + pq.QuoteLiteral(strings.TrimSpace(value))
}

func titles(db *sqlx.DB, build func() string) ([]string, error) {
	var out []string
	err := db.Select(&out, build())
	return out, err
}

func counted(db *sqlx.DB, fn func(text string, args ...any) *sqlx.Row, year string) (n int) {
	fn("SELECT count(*) FROM work WHERE year = $1", year).Scan(&n)
	return n
}

func main() {
	db := sqlx.MustConnect("postgres", "host=db dbname=works sslmode=disable")

	http.HandleFunc("/works", func(w http.ResponseWriter, r *http.Request) {
		composer := r.FormValue("composer")
		list, err := titles(db, func() string {
			return "SELECT title FROM work WHERE " + exact("composer", composer)
		})
		if err != nil {
			http.Error(w, "works", http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(list)
	})

	http.HandleFunc("/works/first", func(w http.ResponseWriter, r *http.Request) {
		var title string
		db.Get(&title, "SELECT title FROM work WHERE "+trimmed("key", r.FormValue("key"))+" LIMIT 1")
		json.NewEncoder(w).Encode(title)
	})

	http.HandleFunc("/works/count", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(counted(db, db.QueryRowx, r.FormValue("year")))
	})

	http.HandleFunc("/works/forget", func(w http.ResponseWriter, r *http.Request) {
		forget := func(where string) {
			db.MustExec("DELETE FROM work WHERE " + where)
		}
		forget(exact("title", r.FormValue("title")))
	})

	log.Fatal(http.ListenAndServe(":8070", nil))
}
