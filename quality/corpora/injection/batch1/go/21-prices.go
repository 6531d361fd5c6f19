package main

import (
	"database/sql"
	"fmt"
	"net/http"

	_ "github.com/go-sql-driver/mysql"
)

func price(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p float64
		q := "SELECT price FROM price WHERE list = '" + r.FormValue("list") + "' AND sku = ?"
		if err := db.QueryRow(q, r.FormValue("sku")).Scan(&p); err != nil {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "%.2f", p)
	}
}

func setPrice(db *sql.DB) (http.HandlerFunc, error) {
	stmt, err := db.Prepare("UPDATE price SET price = ? WHERE sku = ?")
	if err != nil {
		return nil, err
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := stmt.Exec(r.FormValue("price"), r.FormValue("sku")); err != nil {
			http.Error(w, "no", 500)
		}
	}, nil
}

func main() {
	db, err := sql.Open("mysql", "app@tcp(db)/shop")
	if err != nil {
		panic(err)
	}
	set, err := setPrice(db)
	if err != nil {
		panic(err)
	}
	http.HandleFunc("GET /price", price(db))
	http.HandleFunc("PUT /price", set)
	http.ListenAndServe(":8080", nil)
}
