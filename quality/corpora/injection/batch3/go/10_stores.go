package stores

import (
	"database/sql"
	"net/http"
)

type Criterion interface {
	SQL() string
	Args() []any
}

type literal struct {
	column, value string
}

func (l literal) SQL() string { return l.column + " = '" + l.value + "'" }
func (l literal) Args() []any { return nil }

type bound struct {
	column string
	value  any
}

func (b bound) SQL() string { return b.column + " = ?" }
func (b bound) Args() []any { return []any{b.value} }

type base struct {
	db *sql.DB
}

type Api struct {
	base
	region string
}

func (b base) one(c literal) (n int, err error) {
	err = b.db.QueryRow("SELECT count(*) FROM store WHERE " + c.SQL()).Scan(&n)
	return
}

func (b base) other(c bound) (n int, err error) {
	err = b.db.QueryRow("SELECT count(*) FROM store WHERE "+c.SQL(), c.Args()...).Scan(&n)
	return
}

func (a *Api) remove(c Criterion) error {
	_, err := a.db.Exec("DELETE FROM store_cache WHERE "+c.SQL(), c.Args()...)
	return err
}

func (a *Api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	chain := r.FormValue("chain")
	switch r.Method {
	case http.MethodGet:
		a.one(literal{"chain", chain})
	case http.MethodHead:
		a.other(bound{"chain", chain})
	case http.MethodDelete:
		var c Criterion = literal{column: "chain", value: chain}
		a.remove(c)
	}
	w.WriteHeader(http.StatusNoContent)
}
