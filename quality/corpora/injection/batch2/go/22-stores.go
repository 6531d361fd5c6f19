package main

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"

	_ "github.com/go-sql-driver/mysql"
)

type Store interface {
	Load(key string) ([]byte, error)
}

type fileStore struct{ dir string }

func (s fileStore) Load(key string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.dir, key))
}

type flatStore struct{ fileStore }

func (s flatStore) Load(key string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.dir, filepath.Base(key)))
}

type tableStore struct{ db *sql.DB }

func (s *tableStore) Load(key string) (out []byte, err error) {
	err = s.db.QueryRow("SELECT body FROM blob_store WHERE name = '" + key + "'").Scan(&out)
	return out, err
}

type boundStore struct{ *tableStore }

func (s boundStore) Load(key string) (out []byte, err error) {
	err = s.db.QueryRow("SELECT body FROM blob_store WHERE name = ?", key).Scan(&out)
	return out, err
}

func main() {
	db, err := sql.Open("mysql", os.Getenv("DSN"))
	if err != nil {
		panic(err)
	}
	table := &tableStore{db}
	stores := map[string]Store{
		"file":  fileStore{"/srv/blobs"},
		"flat":  flatStore{fileStore{"/srv/blobs"}},
		"table": table,
		"bound": boundStore{table},
	}
	http.HandleFunc("/blob", func(w http.ResponseWriter, r *http.Request) {
		s, ok := stores[r.FormValue("store")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		b, err := s.Load(r.FormValue("key"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Write(b)
	})
	http.ListenAndServe(":8080", nil)
}
