package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"strings"

	_ "github.com/lib/pq"
)

var db *sql.DB

func param(r *http.Request, name string) string {
	return strings.TrimSpace(r.URL.Query().Get(name))
}

func skus(query string, args ...any) ([]string, error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

func byBin(w http.ResponseWriter, r *http.Request) {
	list, err := skus("SELECT sku FROM stock WHERE bin = '" + param(r, "bin") + "'")
	if err != nil {
		http.Error(w, "query", http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(list)
}

func quantity(w http.ResponseWriter, r *http.Request) {
	var n int
	err := db.QueryRow("SELECT qty FROM stock WHERE sku = $1", param(r, "sku")).Scan(&n)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(n)
}

func main() {
	var err error
	if db, err = sql.Open("postgres", "dbname=warehouse sslmode=disable"); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/bin", byBin)
	http.HandleFunc("/qty", quantity)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
