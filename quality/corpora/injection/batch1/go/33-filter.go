package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

var (
	words = strings.NewReplacer("select", "", "union", "", "drop", "", "--", "")
	chars = ";&<>"
)

type server struct{ db *sql.DB }

func (s server) search(w http.ResponseWriter, r *http.Request) {
	var n int
	q := words.Replace(strings.ToLower(r.FormValue("q")))
	err := s.db.QueryRow(fmt.Sprintf("SELECT count(*) FROM page WHERE body LIKE '%%%s%%'", q)).Scan(&n)
	fmt.Fprintln(w, n, err)
}

func (s server) scan(w http.ResponseWriter, r *http.Request) {
	host := r.FormValue("host")
	if strings.ContainsAny(host, chars) {
		w.WriteHeader(400)
		return
	}
	out, _ := exec.Command("bash", "-c", "nmap -F "+host).Output()
	w.Write(out)
}

func (s server) result(w http.ResponseWriter, r *http.Request) {
	name := strings.ReplaceAll(r.FormValue("name"), "etc", "")
	b, _ := os.ReadFile("/srv/results/" + name)
	w.Write(b)
}

func (s server) uptime(w http.ResponseWriter, r *http.Request) {
	out, _ := exec.Command("bash", "-c", "uptime -p").Output()
	w.Write(out)
}

func main() {
	db, _ := sql.Open("mysql", "web@/web")
	s := server{db}
	http.HandleFunc("/search", s.search)
	http.HandleFunc("/scan", s.scan)
	http.HandleFunc("/result", s.result)
	http.HandleFunc("/uptime", s.uptime)
	http.ListenAndServe(":8080", nil)
}
