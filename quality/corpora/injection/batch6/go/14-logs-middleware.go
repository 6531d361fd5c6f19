package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

type ctxKey string

const fileKey ctxKey = "file"

const logDir = "/var/log/app"

var (
	plainName = regexp.MustCompile(`^[a-z]+(-[0-9]{4}-[0-9]{2}-[0-9]{2})?\.log$`)
	word      = regexp.MustCompile(`[A-Za-z0-9 ]+`)
)

func withFile(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("file")
		if !plainName.MatchString(name) {
			http.Error(w, "no such log", http.StatusNotFound)
			return
		}
		next(w, r.WithContext(context.WithValue(r.Context(), fileKey, name)))
	}
}

func download(w http.ResponseWriter, r *http.Request) {
	name := r.Context().Value(fileKey).(string)
	data, err := os.ReadFile(filepath.Join(logDir, name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}

func size(w http.ResponseWriter, r *http.Request) {
	f, err := os.Open(filepath.Join(logDir, r.URL.Query().Get("file")))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	buf := make([]byte, 4096)
	n, _ := f.Read(buf)
	w.Write(buf[:n])
}

func grep(w http.ResponseWriter, r *http.Request) {
	name := r.Context().Value(fileKey).(string)
	pattern := r.URL.Query().Get("q")
	if !word.MatchString(pattern) {
		http.Error(w, "bad pattern", http.StatusBadRequest)
		return
	}
	line := "grep -F '" + pattern + "' " + filepath.Join(logDir, name) + " | tail -n 200"
	out, _ := exec.CommandContext(r.Context(), "sh", "-c", line).Output()
	w.Write(out)
}

func tail(w http.ResponseWriter, r *http.Request) {
	name := r.Context().Value(fileKey).(string)
	count := r.URL.Query().Get("n")
	if _, err := strconv.Atoi(count); err != nil {
		count = "100"
	}
	line := "tail -n " + count + " " + filepath.Join(logDir, name) + " | cut -c1-400"
	out, _ := exec.CommandContext(r.Context(), "sh", "-c", line).Output()
	w.Write(out)
}

func rotate(w http.ResponseWriter, r *http.Request) {
	unit := r.FormValue("unit")
	log.Printf("rotate asked for %q", unit)
	unit = "app"
	if err := exec.Command("sh", "-c", "logrotate -f /etc/logrotate.d/"+unit).Run(); err != nil {
		http.Error(w, "rotate failed", http.StatusInternalServerError)
	}
}

func main() {
	http.HandleFunc("/download", withFile(download))
	http.HandleFunc("/size", size)
	http.HandleFunc("/grep", withFile(grep))
	http.HandleFunc("/tail", withFile(tail))
	http.HandleFunc("/rotate", rotate)
	log.Fatal(http.ListenAndServe(":6060", nil))
}
