package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
)

const spool = "/var/spool/imposition"

var paperPattern = regexp.MustCompile(`[a-c][0-9](paper)?`)

type press struct {
	shell string
}

func (p press) run(script string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(p.shell, "-c", script)
	cmd.Stdout = &out
	cmd.Stderr = &out
	err := cmd.Run()
	return out.String(), err
}

func jobFile(c *fiber.Ctx) (string, error) {
	id, err := uuid.Parse(c.Params("job"))
	if err != nil {
		return "", errors.New("bad job id")
	}
	return filepath.Join(spool, id.String()+".pdf"), nil
}

func (p press) booklet(c *fiber.Ctx) error {
	src, err := jobFile(c)
	if err != nil {
		return c.Status(400).SendString(err.Error())
	}
	paper := strings.ToLower(c.Query("paper", "a4paper"))
	if !paperPattern.MatchString(paper) {
		return c.Status(400).SendString("unknown paper")
	}
	log, err := p.run(fmt.Sprintf("pdfjam --booklet true --paper %s -o %s.out %s", paper, src, src))
	if err != nil {
		return c.Status(500).SendString(log)
	}
	return c.SendString(log)
}

func (p press) stamp(c *fiber.Ctx) error {
	src, err := jobFile(c)
	if err != nil {
		return c.Status(400).SendString(err.Error())
	}
	title := strings.ReplaceAll(c.FormValue("title"), `"`, `\"`)
	log, err := p.run(`printf '%s' "` + title + `" | pdfstamp --stdin ` + src)
	if err != nil {
		return c.Status(500).SendString(log)
	}
	return c.SendStatus(204)
}

func (p press) split(c *fiber.Ctx) error {
	src, err := jobFile(c)
	if err != nil {
		return c.Status(400).SendString(err.Error())
	}
	from, err := strconv.Atoi(c.Query("from"))
	if err != nil || from < 1 {
		return c.Status(400).SendString("from must be a page number")
	}
	log, err := p.run("qpdf " + src + " --pages . " + strconv.Itoa(from) + "-z -- " + src + ".tail | tee -a /var/log/split.log")
	if err != nil {
		return c.Status(500).SendString(log)
	}
	return c.SendString(log)
}

func (p press) fonts(c *fiber.Ctx) error {
	src, err := jobFile(c)
	if err != nil {
		return c.Status(400).SendString(err.Error())
	}
	out, err := exec.Command("pdffonts", "-upw", c.Query("password"), src).Output()
	if err != nil {
		return c.SendStatus(422)
	}
	return c.Send(out)
}

func main() {
	app := fiber.New()
	p := press{shell: "/bin/sh"}
	app.Post("/jobs/:job/booklet", p.booklet)
	app.Post("/jobs/:job/stamp", p.stamp)
	app.Post("/jobs/:job/split", p.split)
	app.Get("/jobs/:job/fonts", p.fonts)
	app.Listen(":8090")
}
