package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/labstack/echo/v4"
)

func store(c echo.Context) error {
	fh, err := c.FormFile("scan")
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "scan")
	}
	src, err := fh.Open()
	if err != nil {
		return err
	}
	defer src.Close()

	folder := c.FormValue("folder")
	dst, err := os.Create("/srv/scans/" + folder + "/original.tif")
	if err != nil {
		return err
	}
	defer dst.Close()
	if _, err := io.Copy(dst, src); err != nil {
		return err
	}

	if err := exec.Command("sh", "-c", "tiff2pdf -o '/srv/pdf/"+fh.Filename+".pdf' /srv/scans/last.tif").Run(); err != nil {
		return err
	}
	meta := filepath.Join("/srv/meta", filepath.Base(fh.Filename)+".txt")
	if err := os.WriteFile(meta, []byte(c.RealIP()), 0o600); err != nil {
		return err
	}
	return c.NoContent(http.StatusCreated)
}

func main() {
	e := echo.New()
	e.POST("/scans", store)
	e.Logger.Fatal(e.Start(":1323"))
}
