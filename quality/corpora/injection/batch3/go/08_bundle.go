package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

const root = "/srv/bundles"

func UnpackTar(w http.ResponseWriter, r *http.Request) {
	gz, err := gzip.NewReader(r.Body)
	if err != nil {
		http.Error(w, "gzip", http.StatusBadRequest)
		return
	}
	tr := tar.NewReader(gz)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || h.Typeflag != tar.TypeReg {
			continue
		}
		data, _ := io.ReadAll(tr)
		if err := os.WriteFile(filepath.Join(root, h.Name), data, 0o644); err != nil {
			http.Error(w, "write", http.StatusInternalServerError)
			return
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

func UnpackFirst(w http.ResponseWriter, r *http.Request) {
	tr := tar.NewReader(r.Body)
	h, err := tr.Next()
	if err != nil {
		http.Error(w, "tar", http.StatusBadRequest)
		return
	}
	dst, err := os.Create(root + "/single/" + filepath.Clean(h.Name))
	if err != nil {
		http.Error(w, "create", http.StatusInternalServerError)
		return
	}
	defer dst.Close()
	io.Copy(dst, tr)
}

func UnpackZip(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<20))
	if err != nil {
		return
	}
	zr, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		http.Error(w, "zip", http.StatusBadRequest)
		return
	}
	for _, f := range zr.File {
		if !filepath.IsLocal(f.Name) || f.FileInfo().IsDir() {
			continue
		}
		src, err := f.Open()
		if err != nil {
			continue
		}
		dst, err := os.OpenFile(filepath.Join(root, "zip", f.Name), os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			io.Copy(dst, src)
			dst.Close()
		}
		src.Close()
	}
}
