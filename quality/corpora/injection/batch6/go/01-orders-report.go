package main

import (
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	_ "github.com/lib/pq"
)

type order struct {
	ID       int64     `json:"id"`
	Customer string    `json:"customer"`
	Total    float64   `json:"total"`
	Created  time.Time `json:"created"`
}

type reports struct {
	db *sql.DB
}

func direction(v string) string {
	switch v {
	case "desc", "DESC":
		return "DESC"
	default:
		return "ASC"
	}
}

func (s *reports) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	sort := q.Get("sort")
	if sort == "" {
		sort = "created_at"
	}
	stmt := fmt.Sprintf("SELECT id, customer, total, created_at FROM orders WHERE status = $1 ORDER BY %s LIMIT 100", sort)
	rows, err := s.db.QueryContext(r.Context(), stmt, q.Get("status"))
	if err != nil {
		http.Error(w, "query failed", http.StatusInternalServerError)
		return
	}
	s.writeJSON(w, rows)
}

func (s *reports) latest(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil || n > 500 {
		n = 50
	}
	dir := direction(r.URL.Query().Get("dir"))
	stmt := "SELECT id, customer, total, created_at FROM orders ORDER BY created_at " + dir + " LIMIT " + strconv.Itoa(n)
	rows, err := s.db.Query(stmt)
	if err != nil {
		http.Error(w, "query failed", http.StatusInternalServerError)
		return
	}
	s.writeJSON(w, rows)
}

func (s *reports) writeJSON(w http.ResponseWriter, rows *sql.Rows) {
	defer rows.Close()
	out := []order{}
	for rows.Next() {
		var o order
		if err := rows.Scan(&o.ID, &o.Customer, &o.Total, &o.Created); err != nil {
			log.Println(err)
			continue
		}
		out = append(out, o)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func (s *reports) export(w http.ResponseWriter, r *http.Request) {
	customer := r.FormValue("customer")
	var count int
	err := s.db.QueryRow("SELECT count(*) FROM orders WHERE customer = $1", customer).Scan(&count)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	cw := csv.NewWriter(w)
	cw.Write([]string{"customer", "orders"})
	cw.Write([]string{customer, strconv.Itoa(count)})
	cw.Flush()
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	s := &reports{db: db}
	http.HandleFunc("/orders", s.list)
	http.HandleFunc("/orders/latest", s.latest)
	http.HandleFunc("/orders/export", s.export)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
