package main

import (
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
)

const boxRoot = "/srv/filebox"

type box struct {
	root string
}

func (b box) path(parts ...string) string {
	return filepath.Join(append([]string{b.root}, parts...)...)
}

func (b box) download(c *fiber.Ctx) error {
	file := c.Query("file", "readme.txt")
	return c.SendFile(b.path("shared", file))
}

func (b box) preview(c *fiber.Ctx) error {
	name := filepath.Clean("/" + c.Query("file"))
	data, err := os.ReadFile(filepath.Join(b.root, name))
	if err != nil {
		return fiber.ErrNotFound
	}
	if len(data) > 2048 {
		data = data[:2048]
	}
	return c.Type("txt").Send(data)
}

func (b box) upload(c *fiber.Ctx) error {
	header, err := c.FormFile("document")
	if err != nil {
		return fiber.ErrBadRequest
	}
	name := uuid.NewString() + "-" + filepath.Base(header.Filename)
	if err := c.SaveFile(header, b.path("incoming", name)); err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(fiber.Map{"name": name})
}

func (b box) remove(c *fiber.Ctx) error {
	var in struct {
		Name string `json:"name"`
	}
	if err := c.BodyParser(&in); err != nil {
		return fiber.ErrBadRequest
	}
	name := strings.ReplaceAll(in.Name, "../", "")
	if err := os.Remove(b.path("incoming", name)); err != nil {
		return fiber.ErrNotFound
	}
	return c.SendStatus(fiber.StatusNoContent)
}

func (b box) store(c *fiber.Ctx) error {
	folder := c.Get("X-Folder", "inbox")
	target := b.path(folder, filepath.Base(c.Query("name", "note.txt")))
	f, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o640)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.WriteString(f, string(c.Body()))
	return err
}

func main() {
	b := box{root: boxRoot}
	app := fiber.New(fiber.Config{BodyLimit: 16 << 20})
	app.Get("/download", b.download)
	app.Get("/preview", b.preview)
	app.Post("/upload", b.upload)
	app.Delete("/incoming", b.remove)
	app.Put("/notes", b.store)
	log.Fatal(app.Listen(":3000"))
}
