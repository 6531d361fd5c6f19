package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"

	_ "github.com/lib/pq"
)

type app struct {
	db *sql.DB
}

type note struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

func (a *app) session(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie("sid")
	if err != nil {
		http.Error(w, "cookie", http.StatusUnauthorized)
		return
	}
	var data string
	if err := a.db.QueryRow("SELECT data FROM session WHERE sid = '" + c.Value + "'").Scan(&data); err != nil {
		http.NotFound(w, r)
		return
	}
	io.WriteString(w, data)
}

func (a *app) agent(w http.ResponseWriter, r *http.Request) {
	if _, err := a.db.Exec("INSERT INTO agent(name) VALUES ('" + r.UserAgent() + "')"); err != nil {
		log.Print(err)
	}
	if _, err := a.db.Exec("INSERT INTO referer(url) VALUES ($1)", r.Referer()); err != nil {
		log.Print(err)
	}
}

func (a *app) note(w http.ResponseWriter, r *http.Request) {
	var n note
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		http.Error(w, "json", http.StatusBadRequest)
		return
	}
	if err := os.WriteFile("/srv/notes/"+n.Title, []byte(n.Text), 0o600); err != nil {
		log.Print(err)
	}
}

func (a *app) lang(w http.ResponseWriter, r *http.Request) {
	lang, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	out, _ := exec.Command("sh", "-c", "LANG="+lang+" date").Output()
	w.Write(out)
}

func (a *app) last(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.Header.Get("X-Count"))
	var sid string
	a.db.QueryRow("SELECT sid FROM session OFFSET " + strconv.Itoa(n)).Scan(&sid)
	io.WriteString(w, sid)
}

func main() {
	db, err := sql.Open("postgres", "dbname=front")
	if err != nil {
		log.Fatal(err)
	}
	a := &app{db: db}
	http.HandleFunc("GET /session", a.session)
	http.HandleFunc("GET /agent", a.agent)
	http.HandleFunc("POST /note", a.note)
	http.HandleFunc("GET /lang", a.lang)
	http.HandleFunc("GET /last", a.last)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
