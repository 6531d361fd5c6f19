package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const logs = "/var/log/svc"

func show(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("f")
	if !filepath.IsLocal(name) {
		http.Error(w, "file name", http.StatusBadRequest)
		return
	}
	f, err := os.Open(filepath.Join(logs, name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	io.Copy(w, f)
}

func rotate(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("f")
	if strings.Contains(name, "..") {
		http.Error(w, "file name", http.StatusBadRequest)
	}
	if err := os.Rename(filepath.Join(logs, name), filepath.Join(logs, "old.log")); err != nil {
		log.Print(err)
	}
}

func main() {
	http.HandleFunc("/show", show)
	http.HandleFunc("/rotate", rotate)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
