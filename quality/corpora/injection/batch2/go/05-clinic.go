package main

import (
	"database/sql"

	"github.com/gofiber/fiber/v2"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/driver/pgdriver"
)

type Visit struct {
	ID     int64 `bun:",pk,autoincrement"`
	Doctor string
	Room   int
}

func main() {
	conn := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDatabase("clinic")))
	db := bun.NewDB(conn, pgdialect.New())
	app := fiber.New()

	app.Get("/visits", func(c *fiber.Ctx) error {
		var visits []Visit
		q := db.NewSelect().Model(&visits).Where("doctor = ?", c.Query("doctor")).Order("id DESC")
		if err := q.Scan(c.Context()); err != nil {
			return err
		}
		return c.JSON(visits)
	})

	app.Post("/visits", func(c *fiber.Ctx) error {
		v := &Visit{Doctor: c.FormValue("doctor")}
		if _, err := db.NewInsert().Model(v).Exec(c.Context()); err != nil {
			return err
		}
		return c.SendStatus(fiber.StatusCreated)
	})

	app.Listen(":3000")
}
