package main

import (
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type Member struct {
	ID    int    `db:"id" json:"id"`
	Name  string `db:"name" json:"name"`
	Email string `db:"email" json:"email"`
	City  string `db:"city" json:"city"`
}

var columns = map[string]string{
	"name":  "name",
	"mail":  "email",
	"place": "city",
}

func search(db *sqlx.DB) fiber.Handler {
	return func(c *fiber.Ctx) error {
		term := strings.Replace(c.Query("q"), "'", "''", 1)
		members := []Member{}
		query := "SELECT id, name, email, city FROM members WHERE name ILIKE '%" + term + "%'"
		if err := db.Select(&members, query); err != nil {
			return fiber.NewError(fiber.StatusInternalServerError, "search failed")
		}
		return c.JSON(members)
	}
}

func byCity(db *sqlx.DB) fiber.Handler {
	return func(c *fiber.Ctx) error {
		members := []Member{}
		query := "SELECT id, name, email, city FROM members WHERE city = " + pq.QuoteLiteral(c.Params("city"))
		if err := db.Select(&members, query); err != nil {
			return err
		}
		return c.JSON(members)
	}
}

func patch(db *sqlx.DB) fiber.Handler {
	return func(c *fiber.Ctx) error {
		id, err := c.ParamsInt("id")
		if err != nil {
			return fiber.ErrBadRequest
		}
		changes := map[string]string{}
		if err := c.BodyParser(&changes); err != nil {
			return fiber.ErrBadRequest
		}
		sets := []string{}
		args := []interface{}{id}
		for field, value := range changes {
			args = append(args, value)
			sets = append(sets, field+" = $"+strconv.Itoa(len(args)))
		}
		_, err = db.Exec("UPDATE members SET "+strings.Join(sets, ", ")+" WHERE id = $1", args...)
		return err
	}
}

func replace(db *sqlx.DB) fiber.Handler {
	return func(c *fiber.Ctx) error {
		changes := map[string]string{}
		if err := c.BodyParser(&changes); err != nil {
			return fiber.ErrBadRequest
		}
		sets := []string{}
		args := []interface{}{c.Params("id")}
		for field, value := range changes {
			col, known := columns[field]
			if !known {
				continue
			}
			args = append(args, value)
			sets = append(sets, col+" = $"+strconv.Itoa(len(args)))
		}
		if len(sets) == 0 {
			return c.SendStatus(fiber.StatusNoContent)
		}
		_, err := db.Exec("UPDATE members SET "+strings.Join(sets, ", ")+" WHERE id = $1", args...)
		return err
	}
}

func main() {
	db := sqlx.MustConnect("postgres", os.Getenv("DSN"))
	app := fiber.New()
	app.Get("/members", search(db))
	app.Get("/members/city/:city", byCity(db))
	app.Patch("/members/:id", patch(db))
	app.Put("/members/:id", replace(db))
	log.Fatal(app.Listen(":3000"))
}
