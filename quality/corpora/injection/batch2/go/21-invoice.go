package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"

	_ "github.com/lib/pq"
)

type filter struct {
	customer string
	year     int
	layout   string
}

type repository struct {
	db    *sql.DB
	table string
}

type report struct {
	filter
	repo *repository
}

func newReport(repo *repository, r *http.Request) *report {
	rep := &report{repo: repo}
	rep.customer = r.FormValue("customer")
	rep.layout = "plain"
	fmt.Sscanf(r.FormValue("year"), "%d", &rep.year)
	return rep
}

func (r *report) total() (n float64, err error) {
	q := fmt.Sprintf("SELECT sum(total) FROM %s WHERE year = %d", r.repo.table, r.year)
	err = r.repo.db.QueryRow(q).Scan(&n)
	return
}

func (r *report) due() (n float64, err error) {
	q := fmt.Sprintf("SELECT sum(due) FROM %s WHERE customer = '%s'", r.repo.table, r.customer)
	err = r.repo.db.QueryRow(q).Scan(&n)
	return
}

func (r *report) template() ([]byte, error) {
	return os.ReadFile("/srv/invoice/layouts/" + r.layout + ".tmpl")
}

func (r *report) logo() ([]byte, error) {
	return os.ReadFile("/srv/invoice/logos/" + r.filter.customer + ".png")
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("PG"))
	if err != nil {
		panic(err)
	}
	repo := &repository{db: db, table: "invoice"}
	http.HandleFunc("/invoice", func(w http.ResponseWriter, r *http.Request) {
		rep := newReport(repo, r)
		total, _ := rep.total()
		due, _ := rep.due()
		tmpl, _ := rep.template()
		logo, _ := rep.logo()
		fmt.Fprintf(w, "%s %f %f %d", tmpl, total, due, len(logo))
	})
	http.ListenAndServe(":8080", nil)
}
