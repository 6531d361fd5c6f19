package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"

	_ "github.com/go-sql-driver/mysql"
)

var sortColumns = map[string]string{
	"date":  "o.placed_at",
	"total": "o.total_cents",
}

type orderServer struct{ db *sql.DB }

func (s *orderServer) respond(w http.ResponseWriter, rows *sql.Rows, err error) {
	if err != nil {
		http.Error(w, "query failed", http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	refs := []string{}
	for ref := ""; rows.Next() && rows.Scan(&ref) == nil; {
		refs = append(refs, ref)
	}
	json.NewEncoder(w).Encode(refs)
}

func (s *orderServer) list(w http.ResponseWriter, r *http.Request) {
	column, ok := sortColumns[r.FormValue("sort")]
	if !ok {
		column = "o.id"
	}
	limit, err := strconv.Atoi(r.FormValue("limit"))
	if err != nil || limit > 200 {
		limit = 50
	}
	query := fmt.Sprintf("SELECT o.ref FROM orders o ORDER BY %s DESC LIMIT %d", column, limit)
	rows, err := s.db.QueryContext(r.Context(), query)
	s.respond(w, rows, err)
}

func (s *orderServer) search(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	b.WriteString("SELECT o.ref FROM orders o WHERE 1 = 1")
	for _, word := range strings.Fields(r.URL.Query().Get("q")) {
		fmt.Fprintf(&b, " AND o.customer LIKE '%%%s%%'", word)
	}
	rows, err := s.db.QueryContext(r.Context(), b.String())
	s.respond(w, rows, err)
}

func (s *orderServer) detail(w http.ResponseWriter, r *http.Request) {
	ref := r.PathValue("ref")
	if len(ref) == 0 || len(ref) > 32 {
		http.NotFound(w, r)
		return
	}
	rows, err := s.db.Query("SELECT i.sku FROM items i WHERE i.order_ref = '" + ref + "'")
	s.respond(w, rows, err)
}

func (s *orderServer) pick(w http.ResponseWriter, r *http.Request) {
	var args []any
	for _, id := range strings.Split(r.FormValue("ids"), ",") {
		args = append(args, id)
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	rows, err := s.db.Query("SELECT o.ref FROM orders o WHERE o.id IN ("+marks+")", args...)
	s.respond(w, rows, err)
}

func main() {
	db, err := sql.Open("mysql", "shop@/shop")
	if err != nil {
		log.Fatal(err)
	}
	s := &orderServer{db: db}
	http.HandleFunc("GET /orders", s.list)
	http.HandleFunc("GET /orders/search", s.search)
	http.HandleFunc("GET /orders/pick", s.pick)
	http.HandleFunc("GET /orders/{ref}", s.detail)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
