package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

var videoID = regexp.MustCompile(`^[a-f0-9]{32}$`)

var scales = map[string]string{
	"small": "scale=160:-1",
	"large": "scale=640:-1",
}

type thumbRequest struct {
	Video string `json:"video"`
	Title string `json:"title"`
	Size  string `json:"size"`
	At    string `json:"at"`
}

func run(cmd *exec.Cmd) (string, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	cmd.Stderr = &out
	err := cmd.Run()
	return out.String(), err
}

func thumbnail(c echo.Context) error {
	req := new(thumbRequest)
	if err := c.Bind(req); err != nil {
		return echo.NewHTTPError(http.StatusBadRequest)
	}
	if !videoID.MatchString(req.Video) {
		return echo.NewHTTPError(http.StatusNotFound)
	}
	at, err := strconv.ParseUint(req.At, 10, 32)
	if err != nil {
		return c.String(http.StatusBadRequest, "bad offset")
	}
	scale, ok := scales[req.Size]
	if !ok {
		scale = scales["small"]
	}
	line := fmt.Sprintf("ffmpeg -ss %d -i /videos/%s.mp4 -frames:v 1 -vf %s /thumbs/%s.jpg", at, req.Video, scale, req.Video)
	if out, err := run(exec.Command("sh", "-c", line)); err != nil {
		return c.String(http.StatusInternalServerError, out)
	}
	return c.NoContent(http.StatusCreated)
}

func caption(c echo.Context) error {
	req := new(thumbRequest)
	if err := c.Bind(req); err != nil {
		return echo.NewHTTPError(http.StatusBadRequest)
	}
	if !videoID.MatchString(req.Video) {
		return echo.NewHTTPError(http.StatusNotFound)
	}
	line := fmt.Sprintf("convert /thumbs/%s.jpg -annotate +10+10 %q /thumbs/%s-c.jpg", req.Video, req.Title, req.Video)
	out, err := run(exec.Command("/bin/sh", "-c", line))
	if err != nil {
		return c.String(http.StatusInternalServerError, out)
	}
	return c.NoContent(http.StatusCreated)
}

func probe(c echo.Context) error {
	field := c.QueryParam("field")
	script := "ffprobe -v error -show_entries format=" + field + " /videos/current.mp4"
	out, err := run(exec.Command("bash", "-c", script))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, out)
	}
	return c.String(http.StatusOK, out)
}

func main() {
	e := echo.New()
	e.Use(middleware.Logger())
	e.POST("/thumb", thumbnail)
	e.POST("/caption", caption)
	e.GET("/probe", probe)
	e.Logger.Fatal(e.Start(":8080"))
}
