package decode

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/labstack/echo/v4"
)

const root = "/srv/decode/"

func plain(s string) bool {
	return !strings.Contains(s, "..") && !strings.ContainsAny(s, `/\`)
}

func Get(c echo.Context) error {
	key := c.QueryParam("key")
	if !plain(key) {
		return echo.ErrBadRequest
	}
	name, err := url.QueryUnescape(key)
	if err != nil {
		return err
	}
	return c.File(root + name)
}

func Put(c echo.Context) error {
	key := c.Request().Header.Get("X-Key")
	if !plain(key) {
		return echo.ErrBadRequest
	}
	b, err := hex.DecodeString(key)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(root+string(b), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, c.Request().Body)
	return err
}

func Delete(c echo.Context) error {
	name, err := url.QueryUnescape(c.QueryParam("key"))
	if err != nil || !plain(name) {
		return echo.ErrBadRequest
	}
	if err := os.Remove(root + name); err != nil {
		return echo.ErrNotFound
	}
	return c.NoContent(http.StatusNoContent)
}
