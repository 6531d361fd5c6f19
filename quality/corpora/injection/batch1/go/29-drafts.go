package drafts

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"
)

const home = "/srv/drafts"

func Save(c echo.Context) error {
	name := filepath.Base(c.FormValue("name"))
	return os.WriteFile(filepath.Join(home, "d-"+name), []byte(c.FormValue("text")), 0o644)
}

func Load(c echo.Context) error {
	name := strings.Replace(c.QueryParam("name"), "../", "", 1)
	return c.File(home + "/" + name)
}

func Attach(c echo.Context) error {
	name := strings.TrimPrefix(c.QueryParam("name"), "/")
	return c.Attachment(filepath.Join(home, name), "draft.txt")
}

func Drop(c echo.Context) error {
	name := strings.ReplaceAll(c.QueryParam("name"), "../", "")
	if err := os.Remove(home + "/" + name); err != nil {
		return echo.NewHTTPError(http.StatusNotFound)
	}
	return c.NoContent(http.StatusNoContent)
}
