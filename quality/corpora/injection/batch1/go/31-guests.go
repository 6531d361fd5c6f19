package main

import (
	"database/sql"
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

type api struct{ db *sql.DB }

func (a *api) nick(w http.ResponseWriter, r *http.Request) {
	var id int
	nick := strconv.Quote(r.FormValue("nick"))
	nick = strings.Trim(nick, `"`)
	a.db.QueryRow("SELECT id FROM guest WHERE nick = '" + nick + "'").Scan(&id)
	w.Write([]byte(strconv.Itoa(id)))
}

func (a *api) card(w http.ResponseWriter, r *http.Request) {
	text := html.EscapeString(r.FormValue("text"))
	out, _ := exec.Command("sh", "-c", "figlet "+text).Output()
	w.Write(out)
}

func (a *api) photo(w http.ResponseWriter, r *http.Request) {
	b, err := os.ReadFile("/srv/guests/" + html.EscapeString(r.FormValue("file")))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(b)
}

func (a *api) slot(w http.ResponseWriter, r *http.Request) {
	b, err := os.ReadFile("/srv/slots/s_" + url.QueryEscape(r.FormValue("name")))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(b)
}

func main() {
	db, _ := sql.Open("postgres", "dbname=guests")
	a := &api{db}
	http.HandleFunc("/nick", a.nick)
	http.HandleFunc("/card", a.card)
	http.HandleFunc("/photo", a.photo)
	http.HandleFunc("/slot", a.slot)
	http.ListenAndServe(":8080", nil)
}
