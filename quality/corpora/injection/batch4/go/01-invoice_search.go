package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	_ "github.com/go-sql-driver/mysql"
)

type invoiceFilter struct {
	customer, status string
	limit            int
}

func loadFilter(r *http.Request) *invoiceFilter {
	f := &invoiceFilter{customer: strings.TrimSpace(r.FormValue("customer")), status: r.FormValue("status")}
	f.limit, _ = strconv.Atoi(r.FormValue("limit"))
	return f
}

func (f *invoiceFilter) clause() string {
	b := new(strings.Builder)
	b.WriteString(" WHERE 1 = 1")
	if f.customer != "" {
		fmt.Fprintf(b, " AND customer = '%s'", f.customer)
	}
	return b.String()
}

func orderColumn(name string) string {
	switch name {
	case "total", "due":
		return name + "_amount"
	}
	return "id"
}

type server struct{ db *sql.DB }

func (s *server) ids(w http.ResponseWriter, rows *sql.Rows, err error) {
	found := []int64{}
	for id := int64(0); err == nil && rows.Next() && rows.Scan(&id) == nil; {
		found = append(found, id)
	}
	json.NewEncoder(w).Encode(found)
}

func (s *server) search(w http.ResponseWriter, r *http.Request) {
	f := loadFilter(r)
	rows, err := s.db.QueryContext(r.Context(), "SELECT id FROM invoices"+f.clause())
	s.ids(w, rows, err)
}

func (s *server) sorted(w http.ResponseWriter, r *http.Request) {
	f := loadFilter(r)
	query := fmt.Sprintf("SELECT id FROM invoices WHERE status = ? ORDER BY %s LIMIT %d", orderColumn(r.FormValue("sort")), f.limit)
	rows, err := s.db.QueryContext(r.Context(), query, f.status)
	s.ids(w, rows, err)
}

func (s *server) remove(w http.ResponseWriter, r *http.Request) {
	args := []any{}
	for _, id := range r.URL.Query()["id"] {
		args = append(args, id)
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	s.db.ExecContext(r.Context(), "DELETE FROM invoices WHERE id IN ("+marks+")", args...)
}

func (s *server) region(w http.ResponseWriter, r *http.Request) {
	conds := []string{"archived = 0"}
	for _, region := range r.Header.Values("X-Region") {
		conds = append(conds, `region = "`+strings.ReplaceAll(region, "'", "''")+`"`)
	}
	rows, err := s.db.QueryContext(r.Context(), "SELECT id FROM invoices WHERE "+strings.Join(conds, " AND "))
	s.ids(w, rows, err)
}

func main() {
	db, _ := sql.Open("mysql", "billing@tcp(db)/billing")
	s := &server{db}
	http.HandleFunc("/search", s.search)
	http.HandleFunc("/sorted", s.sorted)
	http.HandleFunc("/remove", s.remove)
	http.HandleFunc("/region", s.region)
	http.ListenAndServe(":8080", nil)
}
