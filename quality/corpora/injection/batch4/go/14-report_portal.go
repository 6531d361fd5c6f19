package main

import (
	"bytes"
	"database/sql"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"

	_ "github.com/lib/pq"
)

const reportRoot = "/srv/portal/reports"

var areaQuery = template.Must(template.New("area").Parse(
	`SELECT COUNT(*) FROM readings WHERE area = '{{.Area}}'{{if .Open}} AND closed_at IS NULL{{end}}`))

type portal struct {
	db    *sql.DB
	files fs.FS
}

func (p *portal) area(w http.ResponseWriter, r *http.Request) {
	var buf bytes.Buffer
	areaQuery.Execute(&buf, map[string]any{"Area": r.FormValue("area"), "Open": r.FormValue("open") != ""})
	var n string
	if err := p.db.QueryRowContext(r.Context(), buf.String()).Scan(&n); err != nil {
		http.Error(w, "no data", http.StatusNotFound)
		return
	}
	io.WriteString(w, n)
}

func (p *portal) download(w http.ResponseWriter, r *http.Request) {
	raw := r.URL.Query().Get("file")
	if strings.Contains(raw, "..") {
		http.Error(w, "bad file", http.StatusBadRequest)
		return
	}
	name, err := url.PathUnescape(raw)
	if err != nil {
		name = raw
	}
	f, err := os.Open(filepath.Join(reportRoot, name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	io.Copy(w, f)
}

func (p *portal) template(w http.ResponseWriter, r *http.Request) {
	data, err := fs.ReadFile(p.files, r.FormValue("name"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}

func (p *portal) notify(w http.ResponseWriter, r *http.Request) {
	user, err := r.Cookie("user")
	if err != nil {
		http.Error(w, "sign in", http.StatusUnauthorized)
		return
	}
	cmd := exec.Command("sh", "-c", `printf '%s\n' "$REPORT_USER" | tee -a /var/log/portal/users.log`)
	cmd.Env = append(os.Environ(), "REPORT_USER="+user.Value)
	if err := cmd.Run(); err != nil {
		http.Error(w, "failed", http.StatusInternalServerError)
	}
}

func main() {
	db, _ := sql.Open("postgres", os.Getenv("PORTAL_DSN"))
	p := &portal{db: db, files: os.DirFS("/srv/portal/templates")}
	http.HandleFunc("/area", p.area)
	http.HandleFunc("/download", p.download)
	http.HandleFunc("/template", p.template)
	http.HandleFunc("/notify", p.notify)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
