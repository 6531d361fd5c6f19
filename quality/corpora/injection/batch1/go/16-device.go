package device

import (
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
)

type API struct {
	db *sql.DB
}

func (a *API) Room(w http.ResponseWriter, r *http.Request) {
	room := "hall"
	if r.Method == http.MethodGet {
		room := r.FormValue("room")
		log.Println("asked for", room)
	}
	var n int
	a.db.QueryRow("SELECT count(*) FROM device WHERE room = '" + room + "'").Scan(&n)
	json.NewEncoder(w).Encode(n)
}

func (a *API) Floor(w http.ResponseWriter, r *http.Request) {
	floor := r.FormValue("floor")
	if floor != "" {
		floor := "0"
		log.Println("default is", floor)
	}
	var n int
	a.db.QueryRow("SELECT count(*) FROM device WHERE floor = '" + floor + "'").Scan(&n)
	json.NewEncoder(w).Encode(n)
}

func (a *API) Kind(w http.ResponseWriter, r *http.Request) {
	kind := "lamp"
	if r.Method == http.MethodGet {
		kind = r.FormValue("kind")
	}
	var n int
	a.db.QueryRow("SELECT count(*) FROM device WHERE kind = '" + kind + "'").Scan(&n)
	json.NewEncoder(w).Encode(n)
}
