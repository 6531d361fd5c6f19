package batch

import (
	"context"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5"
)

func apply[T, R any](in []T, fn func(T) R) []R {
	out := make([]R, 0, len(in))
	for _, v := range in {
		out = append(out, fn(v))
	}
	return out
}

func quote(s string) string { return "'" + s + "'" }

func number(s string) string {
	n, _ := strconv.Atoi(s)
	return strconv.Itoa(n)
}

func Register(app *fiber.App, con *pgx.Conn) {
	app.Delete("/parts", func(c *fiber.Ctx) error {
		list := strings.Join(apply(strings.Split(c.Query("codes"), ","), quote), ",")
		_, err := con.Exec(context.Background(), "DELETE FROM part WHERE code IN ("+list+")")
		return err
	})
	app.Delete("/bins", func(c *fiber.Ctx) error {
		list := strings.Join(apply(strings.Split(c.Query("ids"), ","), number), ",")
		_, err := con.Exec(context.Background(), "DELETE FROM bin WHERE id IN ("+list+")")
		return err
	})
}
