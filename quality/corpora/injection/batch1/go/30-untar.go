package main

import (
	"archive/tar"
	"archive/zip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

const dest = "/srv/plugins"

func create(name string, r io.Reader) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, r)
	return err
}

func untar(w http.ResponseWriter, r *http.Request) {
	tr := tar.NewReader(r.Body)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return
		}
		if err != nil || create(filepath.Join(dest, h.Name), tr) != nil {
			w.WriteHeader(500)
			return
		}
	}
}

func unzip(w http.ResponseWriter, r *http.Request) {
	file, fh, err := r.FormFile("zip")
	if err != nil {
		w.WriteHeader(400)
		return
	}
	zr, err := zip.NewReader(file, fh.Size)
	if err != nil {
		w.WriteHeader(400)
		return
	}
	for i, e := range zr.File {
		in, _ := e.Open()
		b, _ := io.ReadAll(in)
		os.WriteFile(filepath.Join(dest, "part-"+strconv.Itoa(i)), b, 0o644)
	}
}

func main() {
	http.HandleFunc("/tar", untar)
	http.HandleFunc("/zip", unzip)
	http.ListenAndServe(":8080", nil)
}
