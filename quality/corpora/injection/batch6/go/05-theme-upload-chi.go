package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-chi/chi/v5"
)

var errEscapes = errors.New("entry leaves target folder")

func within(base, name string) (string, error) {
	p := filepath.Join(base, name)
	if !strings.HasPrefix(p, filepath.Clean(base)+string(os.PathSeparator)) {
		return p, errEscapes
	}
	return p, nil
}

func installTheme(w http.ResponseWriter, r *http.Request) {
	file, hdr, err := r.FormFile("theme")
	if err != nil {
		http.Error(w, "missing file", http.StatusBadRequest)
		return
	}
	defer file.Close()
	zr, err := zip.NewReader(file, hdr.Size)
	if err != nil {
		http.Error(w, "not a zip", http.StatusBadRequest)
		return
	}
	for _, entry := range zr.File {
		dest, err := within("/var/www/themes", entry.Name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		src, err := entry.Open()
		if err != nil {
			continue
		}
		out, err := os.Create(dest)
		if err == nil {
			io.Copy(out, src)
			out.Close()
		}
		src.Close()
	}
	w.WriteHeader(http.StatusCreated)
}

func installPlugin(w http.ResponseWriter, r *http.Request) {
	gz, err := gzip.NewReader(r.Body)
	if err != nil {
		http.Error(w, "not gzip", http.StatusBadRequest)
		return
	}
	tr := tar.NewReader(gz)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			http.Error(w, "broken archive", http.StatusBadRequest)
			return
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		dest, err := within("/var/www/plugins", h.Name)
		if err != nil {
			log.Printf("plugin entry %s: %v", h.Name, err)
		}
		out, err := os.OpenFile(dest, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
		if err != nil {
			continue
		}
		io.Copy(out, tr)
		out.Close()
	}
}


func main() {
	r := chi.NewRouter()
	r.Post("/themes", installTheme)
	r.Post("/plugins", installPlugin)
	log.Fatal(http.ListenAndServe(":8081", r))
}
