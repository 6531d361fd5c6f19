package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

type unknownRef struct{ raw string }

func (u *unknownRef) Error() string { return u.raw }

func parse(raw string) (int64, error) {
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		return 0, &unknownRef{raw: raw}
	}
	return n, nil
}

func shipment(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var state string
		var row *sql.Row
		id, err := parse(r.PostFormValue("ref"))
		var u *unknownRef
		if errors.As(err, &u) {
			row = db.QueryRow("SELECT state FROM shipment WHERE ref = '" + u.raw + "'")
		} else {
			row = db.QueryRow("SELECT state FROM shipment WHERE id = " + strconv.FormatInt(id, 10))
		}
		defer func() {
			if p := recover(); p != nil {
				http.Error(w, "oops", 500)
			}
		}()
		if err := row.Scan(&state); err != nil {
			panic(err)
		}
		fmt.Fprint(w, state)
	}
}

func main() {
	db, _ := sql.Open("mysql", "app@/log")
	http.Handle("/shipment", shipment(db))
	http.ListenAndServe(":8080", nil)
}
