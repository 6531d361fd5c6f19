package search

import (
	"fmt"
	"net/http"
	"strings"

	"gorm.io/gorm"
)

type Article struct {
	ID    uint
	Title string
}

type Handler struct {
	DB *gorm.DB
}

func (h *Handler) query(r *http.Request) string {
	var b strings.Builder
	b.WriteString("SELECT id, title FROM articles WHERE published")
	for _, key := range []string{"author", "section"} {
		if v := r.FormValue(key); v != "" {
			fmt.Fprintf(&b, " AND %s = '%s'", key, v)
		}
	}
	b.WriteString(" LIMIT 100")
	return b.String()
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var out []Article
	h.DB.Raw(h.query(r)).Scan(&out)
	for _, a := range out {
		fmt.Fprintf(w, "%d %q\n", a.ID, a.Title)
	}

	var drafts []Article
	h.DB.Where(fmt.Sprintf("title LIKE '%%%s%%'", r.FormValue("draft"))).Find(&drafts)
	fmt.Fprintln(w, len(drafts))

	var own []Article
	h.DB.Where("author = ?", r.FormValue("author")).Order("id desc").Find(&own)
	fmt.Fprintln(w, len(own))
}
