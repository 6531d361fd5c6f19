package themes

import (
	"archive/tar"
	"archive/zip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
)

var errEntry = errors.New("unexpected archive entry")

func write(f *os.File, src io.Reader) error {
	defer f.Close()
	_, err := io.Copy(f, io.LimitReader(src, 8<<20))
	return err
}

func unzip(zr *zip.Reader, dest string) error {
	for _, entry := range zr.File {
		if entry.FileInfo().IsDir() || filepath.IsAbs(entry.Name) {
			continue
		}
		src, err := entry.Open()
		if err != nil {
			return err
		}
		f, err := os.Create(filepath.Join(dest, entry.Name))
		if err != nil || write(f, src) != nil {
			return errEntry
		}
	}
	return nil
}

func untar(tr *tar.Reader, dest string) error {
	for {
		hdr, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		target := filepath.Join(dest, hdr.Name)
		if hdr.Typeflag != tar.TypeReg || !strings.HasPrefix(target, filepath.Clean(dest)+string(os.PathSeparator)) {
			return errEntry
		}
		f, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil || write(f, tr) != nil {
			return errEntry
		}
	}
}

func Import(root string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		dest := filepath.Join(root, uuid.NewString())
		file, header, err := r.FormFile("theme")
		if err != nil || os.Mkdir(dest, 0o755) != nil {
			http.Error(w, "upload failed", http.StatusBadRequest)
			return
		}
		if strings.HasSuffix(header.Filename, ".tar") {
			err = untar(tar.NewReader(file), dest)
		} else if zr, zerr := zip.NewReader(file, header.Size); zerr == nil {
			err = unzip(zr, dest)
		}
		if err != nil {
			http.Error(w, "import failed", http.StatusUnprocessableEntity)
			return
		}
		var manifest struct{ Thumbnail, License string }
		json.Unmarshal([]byte(r.FormValue("manifest")), &manifest)
		if filepath.IsLocal(manifest.License) {
			text, _ := os.ReadFile(filepath.Join(dest, manifest.License))
			w.Write(text)
		}
		thumb, _ := os.ReadFile(filepath.Join(dest, manifest.Thumbnail))
		w.Write(thumb)
	}
}
