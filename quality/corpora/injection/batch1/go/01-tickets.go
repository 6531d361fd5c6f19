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

func field(r *http.Request, name string) string {
	return strings.TrimSpace(r.URL.Query().Get(name))
}

func byQueue(q string) string {
	return "queue = '" + q + "'"
}

func tickets(w http.ResponseWriter, r *http.Request) {
	rows, err := db.QueryContext(r.Context(), "SELECT id FROM tickets WHERE "+byQueue(field(r, "queue")))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	ids := []int64{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			log.Print(err)
			continue
		}
		ids = append(ids, id)
	}
	var backlog int
	db.QueryRow("SELECT count(*) FROM tickets WHERE " + byQueue("backlog")).Scan(&backlog)
	json.NewEncoder(w).Encode(map[string]any{"ids": ids, "backlog": backlog})
}

func main() {
	var err error
	if db, err = sql.Open("postgres", "dbname=support sslmode=disable"); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/tickets", tickets)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
