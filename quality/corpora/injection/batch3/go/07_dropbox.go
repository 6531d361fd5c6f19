package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
)

const dropDir = "/var/drop"

func save(w http.ResponseWriter, target string, body io.Reader) {
	f, err := os.Create(target)
	if err != nil {
		http.Error(w, "create", http.StatusInternalServerError)
		return
	}
	defer f.Close()
	if _, err := io.Copy(f, body); err != nil {
		http.Error(w, "write", http.StatusInternalServerError)
	}
}

func put(w http.ResponseWriter, r *http.Request) {
	name := r.Header.Get("X-File-Name")
	if strings.HasSuffix(name, ".exe") {
		http.Error(w, "type", http.StatusUnsupportedMediaType)
		return
	}
	save(w, path.Join(dropDir, name), r.Body)
}

func form(w http.ResponseWriter, r *http.Request) {
	file, header, err := r.FormFile("file")
	if err != nil {
		http.Error(w, "file", http.StatusBadRequest)
		return
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, 8<<20))
	if err != nil {
		http.Error(w, "read", http.StatusBadRequest)
		return
	}
	ext := filepath.Ext(filepath.Base(header.Filename))
	target := filepath.Join(dropDir, uuid.NewString()+ext)
	if err := os.WriteFile(target, data, 0o640); err != nil {
		http.Error(w, "write", http.StatusInternalServerError)
	}
}

func main() {
	http.HandleFunc("PUT /drop", put)
	http.HandleFunc("POST /drop", form)
	log.Fatal(http.ListenAndServe(":8099", nil))
}
