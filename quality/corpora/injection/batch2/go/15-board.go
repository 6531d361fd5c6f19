package main

import (
	"database/sql"
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"

	"github.com/lib/pq"
)

var db *sql.DB

func topics(w http.ResponseWriter, r *http.Request) {
	board := html.EscapeString(r.FormValue("board"))
	rows, err := db.Query("SELECT title FROM topic WHERE board_id = " + board)
	if err != nil {
		return
	}
	defer rows.Close()

	author := pq.QuoteLiteral(r.FormValue("author"))
	var n int
	db.QueryRow("SELECT count(*) FROM topic WHERE author = " + author).Scan(&n)

	w.Header().Set("X-Total", strconv.Itoa(n))
}

func emoji(w http.ResponseWriter, r *http.Request) {
	name := html.EscapeString(r.FormValue("name"))
	b, err := os.ReadFile("/srv/emoji/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(b)

	file := url.PathEscape(r.FormValue("set"))
	set, err := os.ReadFile("/srv/emoji-sets/" + file + ".txt")
	if err == nil {
		w.Write(set)
	}
}

func preview(w http.ResponseWriter, r *http.Request) {
	text := strconv.Quote(r.FormValue("text"))
	out, err := exec.Command("sh", "-c", "echo "+text+" | cmark").Output()
	if err != nil {
		http.Error(w, "preview", 500)
		return
	}
	w.Write(out)
}

func main() {
	db, _ = sql.Open("postgres", "dbname=board")
	http.HandleFunc("/topics", topics)
	http.HandleFunc("/emoji", emoji)
	http.HandleFunc("/preview", preview)
	http.ListenAndServe(":8080", nil)
}
