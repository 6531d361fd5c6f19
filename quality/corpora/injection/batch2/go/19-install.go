package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const modules = "/opt/modules"

func fromZip(data []byte) error {
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range zr.File {
		dst := filepath.Join(modules, f.Name)
		if !strings.HasPrefix(dst, filepath.Clean(modules)+string(os.PathSeparator)) {
			continue
		}
		src, err := f.Open()
		if err != nil {
			return err
		}
		out, err := os.Create(dst)
		if err != nil {
			return err
		}
		io.Copy(out, src)
		out.Close()
		src.Close()
	}
	return nil
}

func fromTar(body io.Reader) error {
	gz, err := gzip.NewReader(body)
	if err != nil {
		return err
	}
	tr := tar.NewReader(gz)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		dst := filepath.Join(modules, h.Name)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		out, err := os.OpenFile(dst, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
		if err != nil {
			return err
		}
		io.Copy(out, tr)
		out.Close()
	}
}

func main() {
	http.HandleFunc("/install/tar", func(w http.ResponseWriter, r *http.Request) {
		if err := fromTar(r.Body); err != nil {
			http.Error(w, err.Error(), 500)
		}
	})
	http.HandleFunc("/install/zip", func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if err := fromZip(data); err != nil {
			http.Error(w, err.Error(), 500)
		}
	})
	http.ListenAndServe(":8111", nil)
}
