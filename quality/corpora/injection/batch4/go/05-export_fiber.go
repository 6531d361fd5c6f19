package main

import (
	"bufio"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
)

var exportName = regexp.MustCompile(`^[a-z0-9_-]{1,40}$`)

type Order struct {
	ID     int64  `db:"id" json:"id"`
	Status string `db:"status" json:"status"`
}

type handlers struct{ db *sqlx.DB }

func (h *handlers) byIDs(c *fiber.Ctx) error {
	ids := strings.Split(c.Query("ids"), ",")
	query, args, err := sqlx.In("SELECT id, status FROM orders WHERE id::text IN (?)", ids)
	if err != nil {
		return fiber.ErrBadRequest
	}
	var orders []Order
	if err := h.db.Select(&orders, h.db.Rebind(query), args...); err != nil {
		return err
	}
	return c.JSON(orders)
}

func (h *handlers) byStatus(c *fiber.Ctx) error {
	params := map[string]interface{}{"status": c.Query("status", "open")}
	rows, err := h.db.NamedQuery(
		"SELECT id, status FROM orders WHERE status = :status ORDER BY "+c.Query("sort", "id"), params)
	if err != nil {
		return err
	}
	defer rows.Close()
	orders := []Order{}
	for rows.Next() {
		var o Order
		if err := rows.StructScan(&o); err != nil {
			return err
		}
		orders = append(orders, o)
	}
	return c.JSON(orders)
}

func exported(c *fiber.Ctx) error {
	name := strings.TrimPrefix(c.Query("file"), "/")
	data, err := os.ReadFile("./exports/" + name)
	if err != nil {
		return fiber.ErrNotFound
	}
	c.Set(fiber.HeaderContentType, "text/csv")
	return c.Send(data)
}

func firstLine(c *fiber.Ctx) error {
	name := c.Query("export")
	if !exportName.MatchString(name) {
		return fiber.ErrBadRequest
	}
	f, err := os.Open("./exports/" + name + ".csv")
	if err != nil {
		return fiber.ErrNotFound
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n')
	return c.SendString(line)
}

func main() {
	h := &handlers{sqlx.MustConnect("postgres", os.Getenv("DATABASE_URL"))}
	app := fiber.New()
	app.Get("/orders", h.byIDs)
	app.Get("/orders/status", h.byStatus)
	app.Get("/exports", exported)
	app.Get("/exports/head", firstLine)
	log.Fatal(app.Listen(":3000"))
}
