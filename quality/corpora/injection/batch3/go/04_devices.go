package main

import (
	"bytes"
	"context"
	"net"
	"os/exec"
	"time"

	"github.com/gofiber/fiber/v2"
)

type pingBody struct {
	Address string `json:"address"`
	Count   string `json:"count"`
}

func ping(c *fiber.Ctx) error {
	var b pingBody
	if err := c.BodyParser(&b); err != nil {
		return fiber.ErrBadRequest
	}
	ip := net.ParseIP(b.Address)
	if ip == nil {
		return fiber.ErrBadRequest
	}
	out, err := exec.Command("ping", "-c", "2", ip.String()).CombinedOutput()
	if err != nil {
		return c.Status(fiber.StatusBadGateway).Send(out)
	}
	return c.Send(out)
}

func scan(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", "nmap -oG - "+c.Query("range")+" | grep Up")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return fiber.ErrBadGateway
	}
	return c.Send(out.Bytes())
}

func wake(c *fiber.Ctx) error {
	args := []string{"-c"}
	args = append(args, "wakeonlan "+c.Params("mac"))
	return exec.Command("bash", args...).Run()
}

func main() {
	app := fiber.New()
	app.Post("/devices/ping", ping)
	app.Get("/devices/scan", scan)
	app.Put("/devices/:mac/wake", wake)
	if err := app.Listen(":3000"); err != nil {
		panic(err)
	}
}
