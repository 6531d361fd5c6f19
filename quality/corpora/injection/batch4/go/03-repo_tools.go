package main

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

const repoDir = "/srv/git/handbook"

var tools = map[string][]string{
	"uptime": {"uptime", "-p"},
	"disk":   {"df", "-h", "/srv"},
	"memory": {"sh", "-c", "free -m | tail -n +2"},
}

func output(c echo.Context, cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return echo.NewHTTPError(http.StatusBadGateway, err.Error())
	}
	return c.Blob(http.StatusOK, "text/plain", out)
}

func timeout(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, cancel := context.WithTimeout(c.Request().Context(), 15*time.Second)
		defer cancel()
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

func whois(c echo.Context) error {
	domain := c.FormValue("domain")
	if domain == "" || len(domain) > 253 {
		return echo.ErrBadRequest
	}
	line := fmt.Sprintf("whois %q | grep -i registrar", domain)
	return output(c, exec.CommandContext(c.Request().Context(), "sh", "-c", line))
}

func history(c echo.Context) error {
	rev := c.QueryParam("rev")
	if rev == "" {
		rev = "main"
	}
	return output(c, exec.CommandContext(c.Request().Context(), "git", "-C", repoDir, "log", "-n", "20", rev))
}

func search(c echo.Context) error {
	term := strings.ReplaceAll(c.QueryParam("q"), "'", `\'`)
	return output(c, exec.Command("sh", "-c", "cd "+repoDir+" && git grep -n -e '"+term+"' | head -n 50"))
}

func pageHistory(c echo.Context) error {
	count, err := strconv.Atoi(c.QueryParam("count"))
	if err != nil {
		count = 10
	}
	page := c.QueryParam("page")
	args := []string{"-C", repoDir, "log", "-n", strconv.Itoa(count), "--oneline", "--", page}
	return output(c, exec.CommandContext(c.Request().Context(), "git", args...))
}

func tool(c echo.Context) error {
	argv, ok := tools[c.Param("tool")]
	if !ok {
		return echo.ErrNotFound
	}
	return output(c, exec.CommandContext(c.Request().Context(), argv[0], argv[1:]...))
}

func main() {
	e := echo.New()
	e.Use(timeout)
	e.POST("/whois", whois)
	e.GET("/history", history)
	e.GET("/search", search)
	e.GET("/history/page", pageHistory)
	e.GET("/tools/:tool", tool)
	e.Logger.Fatal(e.Start(":1323"))
}
