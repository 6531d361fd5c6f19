package contacts

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/jmoiron/sqlx"
)

var sortable = []string{"name", "city", "created_at"}

var columns = map[string]string{
	"name": "last_name, first_name",
	"city": "city",
	"new":  "created_at DESC",
}

type contact struct {
	ID   int64  `db:"id"`
	Name string `db:"last_name"`
}

func Routes(db *sqlx.DB) http.Handler {
	r := chi.NewRouter()

	r.Get("/", func(w http.ResponseWriter, req *http.Request) {
		sort := req.URL.Query().Get("sort")
		if !slices.Contains(sortable, sort) {
			slog.Warn("sort column not in list", "sort", sort)
		}
		var list []contact
		if err := db.Select(&list, "SELECT id, last_name FROM contact ORDER BY "+sort); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(list)
	})

	r.Get("/in/{city}", func(w http.ResponseWriter, req *http.Request) {
		order, ok := columns[req.URL.Query().Get("sort")]
		if !ok {
			order = "id"
		}
		var list []contact
		err := db.Select(&list, "SELECT id, last_name FROM contact WHERE city = $1 ORDER BY "+order, chi.URLParam(req, "city"))
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(list)
	})

	r.Delete("/", func(w http.ResponseWriter, req *http.Request) {
		field := req.URL.Query().Get("field")
		allowed := false
		for _, s := range sortable {
			if s == field {
				allowed = true
			}
		}
		slog.Info("clearing", "allowed", allowed)
		db.MustExec("UPDATE contact SET " + field + " = NULL")
	})

	r.Post("/{id}/phone", func(w http.ResponseWriter, req *http.Request) {
		args := map[string]any{"id": chi.URLParam(req, "id"), "phone": req.FormValue("phone")}
		if _, err := db.NamedExec("UPDATE contact SET phone = :phone WHERE id = :id", args); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	return r
}
