package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"

	_ "github.com/go-sql-driver/mysql"
)

type server struct {
	db *sql.DB
}

func (s *server) write(w http.ResponseWriter, rows *sql.Rows, err error) {
	if err != nil {
		http.Error(w, "query failed", http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var n string
		if rows.Scan(&n) == nil {
			names = append(names, n)
		}
	}
	json.NewEncoder(w).Encode(names)
}

func (s *server) byDriver(w http.ResponseWriter, r *http.Request) {
	q := fmt.Sprintf("SELECT name FROM trip WHERE driver = '%s'", r.URL.Query().Get("driver"))
	rows, err := s.db.Query(q)
	s.write(w, rows, err)
}

func (s *server) longerThan(w http.ResponseWriter, r *http.Request) {
	km, err := strconv.Atoi(r.FormValue("km"))
	if err != nil {
		http.Error(w, "km", http.StatusBadRequest)
		return
	}
	rows, err := s.db.QueryContext(r.Context(), fmt.Sprintf("SELECT name FROM trip WHERE km > %d", km))
	s.write(w, rows, err)
}

func (s *server) tagged(w http.ResponseWriter, r *http.Request) {
	q := fmt.Sprintf("SELECT name FROM trip WHERE tag = '%[1]v' OR alias = '%[1]v'", r.PostFormValue("tag"))
	rows, err := s.db.Query(q)
	s.write(w, rows, err)
}

func main() {
	db, err := sql.Open("mysql", "fleet@tcp(db:3306)/fleet")
	if err != nil {
		log.Fatal(err)
	}
	s := &server{db: db}
	http.HandleFunc("/trips/driver", s.byDriver)
	http.HandleFunc("/trips/long", s.longerThan)
	http.HandleFunc("/trips/tagged", s.tagged)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
