package main

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func inTx(ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) error) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://db/crm")
	if err != nil {
		panic(err)
	}
	app := fiber.New()
	app.Post("/lead/:source", func(c *fiber.Ctx) error {
		source := c.Params("source")
		name := c.FormValue("name")
		return inTx(ctx, pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO lead(name) VALUES ($1)", name); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "UPDATE source SET leads = leads + 1 WHERE code = '"+source+"'")
			return err
		})
	})
	app.Listen(":3000")
}
