package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

type sheetStore struct {
	root string
}

var errOutside = errors.New("outside of the collection")

func (s *sheetStore) locate(rel string) (string, error) {
	full := filepath.Join(s.root, rel)
	back, err := filepath.Rel(s.root, full)
	if err != nil {
		return "", err
	}
	if back == ".." || strings.HasPrefix(back, ".."+string(filepath.Separator)) {
		return "", errOutside
	}
	return full, nil
}

func (s *sheetStore) sheet(w http.ResponseWriter, r *http.Request) {
	p, err := s.locate(r.URL.Query().Get("sheet"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	f, err := os.Open(p)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	io.Copy(w, f)
}

func (s *sheetStore) label(w http.ResponseWriter, r *http.Request) {
	p := s.root + "/labels/" + r.URL.Query().Get("name")
	if !strings.HasPrefix(p, s.root+"/labels/") {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	body, err := os.ReadFile(filepath.Clean(p))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Write(body)
}

func (s *sheetStore) annotate(w http.ResponseWriter, r *http.Request) {
	var note struct {
		Specimen string `json:"specimen"`
		Text     string `json:"text"`
	}
	if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	name := strings.ReplaceAll(note.Specimen, "../", "")
	target := filepath.Join(s.root, "notes", name+".txt")
	if err := os.WriteFile(target, []byte(note.Text), 0o640); err != nil {
		http.Error(w, "not saved", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *sheetStore) tile(w http.ResponseWriter, r *http.Request) {
	rel := path.Clean("/" + chi.URLParam(r, "*"))
	f, err := os.Open(s.root + "/tiles" + rel)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	w.Header().Set("Cache-Control", "max-age=86400")
	io.Copy(w, f)
}

func main() {
	s := &sheetStore{root: "/srv/herbarium"}
	r := chi.NewRouter()
	r.Use(middleware.Logger)
	r.Get("/sheets", s.sheet)
	r.Get("/labels", s.label)
	r.Post("/annotations", s.annotate)
	r.Get("/tiles/*", s.tile)
	http.ListenAndServe(":8080", r)
}
