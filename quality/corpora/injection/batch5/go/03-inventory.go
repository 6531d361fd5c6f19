package main

import (
	"log"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"
	_ "github.com/lib/pq"
)

type item struct {
	ID    int64   `db:"id" json:"id"`
	SKU   string  `db:"sku" json:"sku"`
	Price float64 `db:"price" json:"price"`
}

type inventory struct{ db *sqlx.DB }

func quote(v string) string {
	return strings.ReplaceAll(v, "'", "''")
}

func assignments(form map[string][]string) (string, []any) {
	names := slices.Sorted(maps.Keys(form))
	sets := make([]string, len(names))
	args := make([]any, len(names))
	for i, name := range names {
		sets[i] = name + " = ?"
		args[i] = form[name][0]
	}
	return strings.Join(sets, ", "), args
}

func (inv *inventory) byIDs(c echo.Context) error {
	ids := c.QueryParams()["id"]
	query, args, err := sqlx.In("SELECT id, sku, price FROM items WHERE id::text IN (?)", ids)
	if err != nil {
		return echo.ErrBadRequest
	}
	var out []item
	if err := inv.db.Select(&out, inv.db.Rebind(query), args...); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (inv *inventory) cheaper(c echo.Context) error {
	var out []item
	query := "SELECT id, sku, price FROM items WHERE price < " + quote(c.QueryParam("max"))
	if err := inv.db.Select(&out, query+" ORDER BY price LIMIT 100"); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (inv *inventory) update(c echo.Context) error {
	form, err := c.FormParams()
	if err != nil {
		return echo.ErrBadRequest
	}
	sets, args := assignments(form)
	query := inv.db.Rebind("UPDATE items SET " + sets + " WHERE sku = ?")
	_, err = inv.db.Exec(query, append(args, c.Param("sku"))...)
	return err
}

func (inv *inventory) add(c echo.Context) error {
	it := new(item)
	if c.Bind(it) != nil {
		return echo.ErrBadRequest
	}
	_, err := inv.db.NamedExec("INSERT INTO items (sku, price) VALUES (:sku, :price)", it)
	return err
}

func main() {
	inv := &inventory{db: sqlx.MustConnect("postgres", "dbname=stock sslmode=disable")}
	e := echo.New()
	e.GET("/items", inv.byIDs)
	e.GET("/items/cheaper", inv.cheaper)
	e.PATCH("/items/:sku", inv.update)
	e.POST("/items", inv.add)
	log.Fatal(e.Start(":8081"))
}
