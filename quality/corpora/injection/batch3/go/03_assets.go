package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"
)

const assetDir = "/srv/assets"

var errOutside = errors.New("outside of assets")

func inside(name string) (string, error) {
	full := filepath.Join(assetDir, name)
	if !strings.HasPrefix(full, assetDir+string(os.PathSeparator)) {
		return "", errOutside
	}
	return full, nil
}

func early(name string) (string, error) {
	full := assetDir + "/" + name
	if !strings.HasPrefix(full, assetDir+"/") {
		return "", errOutside
	}
	return filepath.Clean(full), nil
}

func main() {
	e := echo.New()

	e.GET("/asset", func(c echo.Context) error {
		full, err := inside(c.QueryParam("name"))
		if err != nil {
			return echo.ErrForbidden
		}
		data, err := os.ReadFile(full)
		if err != nil {
			return echo.ErrNotFound
		}
		return c.Blob(http.StatusOK, "application/octet-stream", data)
	})

	e.DELETE("/asset", func(c echo.Context) error {
		full, err := early(c.QueryParam("name"))
		if err != nil {
			return echo.ErrForbidden
		}
		return os.Remove(full)
	})

	e.GET("/icon", func(c echo.Context) error {
		rel := filepath.Clean(c.QueryParam("name"))
		return c.File(assetDir + "/icons/" + rel)
	})

	e.GET("/font", func(c echo.Context) error {
		rel := filepath.Clean("/" + c.QueryParam("name"))
		return c.File(filepath.Join(assetDir, "fonts", rel))
	})

	e.Logger.Fatal(e.Start(":1323"))
}
