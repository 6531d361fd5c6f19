package main

import (
	"bufio"
	"context"
	"net/http"
	"strings"

	"github.com/jackc/pgx/v5"
)

func apply(ctx context.Context, conn *pgx.Conn, r *http.Request) error {
	table := "item"
	sc := bufio.NewScanner(r.Body)
	for sc.Scan() {
		line := sc.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found {
			break
		}
		if key == "table" && (value == "item" || value == "part") {
			table = value
			continue
		}
		if _, err := conn.Exec(ctx, "UPDATE "+table+" SET name = $1 WHERE code = $2", value, key); err != nil {
			return err
		}
	}

	last := ""
	for _, w := range strings.Fields(r.Header.Get("X-Labels")) {
		if w == "end" {
			break
		}
		last = w
	}
	_, err := conn.Exec(ctx, "INSERT INTO label(name) VALUES ('"+last+"')")
	return err
}

func main() {
	http.HandleFunc("/bulk", func(w http.ResponseWriter, r *http.Request) {
		conn, err := pgx.Connect(r.Context(), "dbname=bulk")
		if err != nil {
			w.WriteHeader(503)
			return
		}
		defer conn.Close(r.Context())
		if err := apply(r.Context(), conn, r); err != nil {
			w.WriteHeader(500)
		}
	})
	http.ListenAndServe(":8000", nil)
}
