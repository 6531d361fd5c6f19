package meters

import (
	"database/sql"
	"fmt"
	"net/http"
	"strconv"

	"github.com/julienschmidt/httprouter"
)

type Handler struct{ DB *sql.DB }

func (h *Handler) Register(r *httprouter.Router) {
	r.GET("/meters/:id", h.one)
	r.GET("/meters/:id/values", h.values)
	r.PUT("/meters/:id/factor", h.factor)
	r.DELETE("/meters/:id", h.drop)
}

func (h *Handler) one(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
	id, err := strconv.ParseInt(p.ByName("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var name string
	h.DB.QueryRow("SELECT name FROM meter WHERE id = " + strconv.FormatInt(id, 10)).Scan(&name)
	fmt.Fprintln(w, name)
}

func (h *Handler) values(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
	limit := r.URL.Query().Get("limit")
	if n, err := strconv.Atoi(limit); err == nil && n > 500 {
		limit = "500"
	}
	rows, err := h.DB.Query("SELECT v FROM reading WHERE meter = ? LIMIT "+limit, p.ByName("id"))
	if err != nil {
		http.Error(w, "values", http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var v float64
		rows.Scan(&v)
		fmt.Fprintln(w, v)
	}
}

func (h *Handler) factor(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
	id, _ := strconv.Atoi(p.ByName("id"))
	f, _ := strconv.ParseFloat(r.FormValue("factor"), 64)
	h.DB.Exec(fmt.Sprintf("UPDATE meter SET factor = %.3f WHERE id = %d", f, id))
}

func (h *Handler) drop(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
	if _, err := strconv.Atoi(p.ByName("id")); err != nil {
		fmt.Fprintln(w, "odd id")
	}
	h.DB.Exec("DELETE FROM meter WHERE id = " + p.ByName("id"))
}
