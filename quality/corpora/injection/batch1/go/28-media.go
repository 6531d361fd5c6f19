package main

import (
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const root = "/srv/media"

func get(w http.ResponseWriter, r *http.Request) {
	full := filepath.Clean(filepath.Join(root, r.FormValue("f")))
	if !strings.HasPrefix(full, root+string(filepath.Separator)) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	http.ServeFile(w, r, full)
}

func del(w http.ResponseWriter, r *http.Request) {
	full := root + "/" + r.FormValue("f")
	if !strings.HasPrefix(full, root+"/") {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	os.Remove(path.Clean(full))
}

func head(w http.ResponseWriter, r *http.Request) {
	name := filepath.Join("/", r.FormValue("f"))
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(b[:min(64, len(b))])
}

func put(w http.ResponseWriter, r *http.Request) {
	full := filepath.Join(root, r.FormValue("f"))
	if !strings.HasPrefix(full, root) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	os.WriteFile(full, []byte(r.FormValue("text")), 0o644)
}

func main() {
	http.HandleFunc("/get", get)
	http.HandleFunc("/del", del)
	http.HandleFunc("/head", head)
	http.HandleFunc("/put", put)
	http.ListenAndServe(":8080", nil)
}
