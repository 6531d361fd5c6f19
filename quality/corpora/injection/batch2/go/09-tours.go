package main

import (
	"cmp"
	"database/sql"
	"net/http"
	"os"

	"github.com/labstack/echo/v4"
	_ "github.com/mattn/go-sqlite3"
)

func or(v, fallback string) string {
	if v == "" {
		return fallback
	}
	return v
}

func pick(cond bool, a, b string) string {
	if cond {
		return a
	}
	return b
}

func main() {
	db, err := sql.Open("sqlite3", "/srv/tours.db")
	if err != nil {
		panic(err)
	}
	e := echo.New()

	e.GET("/tours", func(c echo.Context) error {
		region := or(c.QueryParam("region"), "alps")
		var n int
		row := db.QueryRow("SELECT count(*) FROM tour WHERE region = '" + region + "'")
		if err := row.Scan(&n); err != nil {
			return err
		}
		dir := pick(c.QueryParam("dir") == "down", "DESC", "ASC")
		var first string
		row = db.QueryRow("SELECT name FROM tour ORDER BY name " + dir + " LIMIT 1")
		if err := row.Scan(&first); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]any{"n": n, "first": first})
	})

	e.GET("/tours/map", func(c echo.Context) error {
		name := cmp.Or(c.QueryParam("map"), "overview")
		b, err := os.ReadFile("/srv/maps/" + name + ".png")
		if err != nil {
			return echo.ErrNotFound
		}
		return c.Blob(http.StatusOK, "image/png", b)
	})

	e.Logger.Fatal(e.Start(":8080"))
}
