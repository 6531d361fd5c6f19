package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const (
	siteRoot = "/srv/import/site"
	siteKeys = "/srv/import/site-keys"
)

func save(dst *os.File, err error, src io.Reader) error {
	if err == nil {
		defer dst.Close()
		_, err = io.Copy(dst, src)
	}
	return err
}

func eachEntry(r *http.Request, visit func(name string, body io.Reader) error) error {
	data, _ := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	for i := 0; err == nil && i < len(zr.File); i++ {
		var rc io.ReadCloser
		if rc, err = zr.File[i].Open(); err == nil {
			err = visit(zr.File[i].Name, rc)
		}
	}
	return err
}

func importPages(name string, body io.Reader) error {
	out, err := os.Create(filepath.Join(siteRoot, "pages", name))
	return save(out, err, body)
}

func importMedia(name string, body io.Reader) error {
	target := filepath.Join(siteRoot, name)
	if !strings.HasPrefix(target, siteRoot) {
		return os.ErrPermission
	}
	out, err := os.Create(target)
	return save(out, err, body)
}

func importStyles(name string, body io.Reader) error {
	target := filepath.Join(siteRoot, name)
	if !strings.HasPrefix(target, siteRoot+string(os.PathSeparator)) {
		return os.ErrPermission
	}
	out, err := os.Create(target)
	return save(out, err, body)
}

func importBackup(r *http.Request) error {
	gz, err := gzip.NewReader(r.Body)
	if err != nil {
		return err
	}
	for tr := tar.NewReader(gz); ; {
		hdr, err := tr.Next()
		if err != nil {
			return err
		}
		if hdr.Typeflag != tar.TypeReg || !filepath.IsLocal(hdr.Name) {
			continue
		}
		out, err := os.OpenFile(filepath.Join(siteRoot, hdr.Name), os.O_CREATE|os.O_WRONLY, 0o644)
		log.Print(hdr.Name, save(out, err, tr))
	}
}

func main() {
	for path, visit := range map[string]func(string, io.Reader) error{
		"/pages": importPages, "/media": importMedia, "/styles": importStyles,
	} {
		http.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { log.Print(eachEntry(r, visit)) })
	}
	http.HandleFunc("/backup", func(w http.ResponseWriter, r *http.Request) { log.Print(importBackup(r)) })
	log.Fatal(http.ListenAndServe(":8090", nil))
}
