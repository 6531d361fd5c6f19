package ranking

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/uptrace/bun"
)

type Team struct {
	ID   int64
	Name string
}

type API struct{ DB *bun.DB }

func orderBy(key string) string {
	switch key {
	case "points":
		return "points DESC"
	case "name":
		return "name"
	}
	return "id"
}

func (a *API) Table(c echo.Context) error {
	var teams []Team
	err := a.DB.NewRaw("SELECT id, name FROM team ORDER BY "+orderBy(c.QueryParam("by"))).Scan(c.Request().Context(), &teams)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, teams)
}

func (a *API) League(c echo.Context) error {
	var teams []Team
	by := c.QueryParam("by")
	switch by {
	case "":
		by = "id"
	case "points":
		by = "points DESC"
	}
	err := a.DB.NewRaw("SELECT id, name FROM team ORDER BY "+by).Scan(c.Request().Context(), &teams)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, teams)
}
