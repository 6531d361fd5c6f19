package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"os/exec"

	_ "github.com/mattn/go-sqlite3"
)

var db *sql.DB

func shifts(w http.ResponseWriter, r *http.Request) {
	team := "night"
	if team := r.FormValue("team"); team != "" {
		fmt.Fprintf(w, "team %q\n", team)
	}
	var n int
	db.QueryRow("SELECT count(*) FROM shift WHERE team = '" + team + "'").Scan(&n)
	fmt.Fprintln(w, n)
}

func swaps(w http.ResponseWriter, r *http.Request) {
	person := r.FormValue("person")
	{
		person := "nobody"
		fmt.Fprintln(w, person)
	}
	var n int
	db.QueryRow("SELECT count(*) FROM swap WHERE person = '" + person + "'").Scan(&n)
	fmt.Fprintln(w, n)
}

func calendar(w http.ResponseWriter, r *http.Request) {
	month := "12"
	if r.Method == http.MethodPost {
		month := r.FormValue("month")
		out, err := exec.Command("sh", "-c", "cal "+month+" 2024").Output()
		if err == nil {
			w.Write(out)
		}
	}
	out, err := exec.Command("sh", "-c", "cal "+month+" 2025").Output()
	if err == nil {
		w.Write(out)
	}
}

func main() {
	db, _ = sql.Open("sqlite3", "/srv/shifts.db")
	http.HandleFunc("/shifts", shifts)
	http.HandleFunc("/swaps", swaps)
	http.HandleFunc("/calendar", calendar)
	http.ListenAndServe(":8080", nil)
}
