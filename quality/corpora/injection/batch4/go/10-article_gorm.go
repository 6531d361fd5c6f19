package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

type Article struct {
	ID    uint   `json:"id"`
	Title string `json:"title"`
	Label string `json:"label"`
	Views int    `json:"views"`
}

var sortable = map[string]bool{"title": true, "views": true}

type articles struct{ db *gorm.DB }

func labelled(label string) func(*gorm.DB) *gorm.DB {
	return func(tx *gorm.DB) *gorm.DB {
		if label == "" {
			return tx
		}
		return tx.Where("label LIKE '%" + label + "%'")
	}
}

func respond(w http.ResponseWriter, v any, tx *gorm.DB) {
	if tx.Error != nil {
		http.Error(w, "not available", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func (a *articles) list(w http.ResponseWriter, r *http.Request) {
	var found []Article
	tx := a.db.Scopes(labelled(r.FormValue("label"))).Find(&found)
	respond(w, found, tx)
}

func (a *articles) show(w http.ResponseWriter, r *http.Request) {
	var article Article
	tx := a.db.First(&article, r.PathValue("id"))
	respond(w, article, tx)
}

func (a *articles) preview(w http.ResponseWriter, r *http.Request) {
	var article Article
	tx := a.db.First(&article, "id::text = ?", r.PathValue("id"))
	respond(w, article, tx)
}

func (a *articles) ranking(w http.ResponseWriter, r *http.Request) {
	column := r.URL.Query().Get("by")
	if !sortable[column] {
		column = "id"
	}
	var found []Article
	tx := a.db.Order(column + " desc").Limit(20).Find(&found)
	respond(w, found, tx)
}

func (a *articles) totals(w http.ResponseWriter, r *http.Request) {
	group := r.URL.Query().Get("group")
	var rows []map[string]any
	tx := a.db.Model(&Article{}).Select("COUNT(*) AS n, " + group).Group("1").Find(&rows)
	respond(w, rows, tx)
}

func main() {
	db, err := gorm.Open(postgres.Open(os.Getenv("DSN")), &gorm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	a := &articles{db}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /articles", a.list)
	mux.HandleFunc("GET /articles/{id}", a.show)
	mux.HandleFunc("GET /articles/{id}/preview", a.preview)
	mux.HandleFunc("GET /ranking", a.ranking)
	mux.HandleFunc("GET /totals", a.totals)
	log.Fatal(http.ListenAndServe(":8080", mux))
}
