package main

import (
	"fmt"
	"log"
	"net/http"

	"github.com/gorilla/mux"
	"github.com/jmoiron/sqlx"
	_ "github.com/mattn/go-sqlite3"
)

type row struct {
	ID    int64  `db:"id"`
	Label string `db:"label"`
}

func main() {
	db := sqlx.MustConnect("sqlite3", "/var/lib/labels.db")
	r := mux.NewRouter()
	r.HandleFunc("/labels/{lang}", func(w http.ResponseWriter, req *http.Request) {
		settings := map[string]string{
			"table": "labels",
			"order": "id",
		}
		settings["lang"] = mux.Vars(req)["lang"]

		var all []row
		if err := db.Select(&all, "SELECT id, label FROM "+settings["table"]+" ORDER BY "+settings["order"]); err != nil {
			log.Print(err)
		}
		var mine []row
		q := fmt.Sprintf("SELECT id, label FROM %s WHERE lang = '%s'", settings["table"], settings["lang"])
		if err := db.Select(&mine, q); err != nil {
			log.Print(err)
		}
		fmt.Fprintln(w, len(all), len(mine))
	})
	log.Fatal(http.ListenAndServe(":8080", r))
}
