package main

import (
	"context"
	"os/exec"
	"time"

	"github.com/gofiber/fiber/v2"
)

type job struct {
	Title  string `json:"title"`
	Size   string `json:"size"`
	Script string `json:"script"`
}

func main() {
	app := fiber.New()

	app.Post("/title", func(c *fiber.Ctx) error {
		var j job
		if err := c.BodyParser(&j); err != nil {
			return fiber.ErrBadRequest
		}
		args := []string{"-overwrite_original", "-Title=" + j.Title, "out.png"}
		return exec.Command("exiftool", args...).Run()
	})

	app.Post("/resize", func(c *fiber.Ctx) error {
		var j job
		if err := c.BodyParser(&j); err != nil {
			return fiber.ErrBadRequest
		}
		args := []string{"-c"}
		args = append(args, "convert in.png -resize "+j.Size+" out.png")
		return exec.Command("/bin/sh", args...).Run()
	})

	app.Post("/script", func(c *fiber.Ctx) error {
		var j job
		if err := c.BodyParser(&j); err != nil {
			return fiber.ErrBadRequest
		}
		ctx, cancel := context.WithTimeout(c.Context(), 10*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash")
		cmd.Args = append(cmd.Args, "-c", "gmic in.png "+j.Script+" -o out.png")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return err
		}
		return c.Send(out)
	})

	app.Listen(":3000")
}
