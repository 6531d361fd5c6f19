package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"
)

const surveys = "/srv/cave/surveys"

func readZip(c echo.Context) (*zip.Reader, error) {
	raw, err := io.ReadAll(io.LimitReader(c.Request().Body, 64<<20))
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
}

func copyEntry(e *zip.File, w io.WriteCloser) error {
	defer w.Close()
	rc, err := e.Open()
	if err != nil {
		return err
	}
	defer rc.Close()
	_, err = io.Copy(w, rc)
	return err
}

func importPhotos(c echo.Context) error {
	zr, err := readZip(c)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	for _, e := range zr.File {
		if e.FileInfo().IsDir() || !strings.HasSuffix(strings.ToLower(e.Name), ".jpg") {
			continue
		}
		out, err := os.Create(filepath.Join("/srv/cave/photos", e.Name))
		if err != nil {
			return err
		}
		if err := copyEntry(e, out); err != nil {
			return err
		}
	}
	return c.NoContent(http.StatusNoContent)
}

func importSurvey(c echo.Context) error {
	zr, err := readZip(c)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	for _, e := range zr.File {
		if !filepath.IsLocal(e.Name) || e.FileInfo().IsDir() {
			continue
		}
		dest := filepath.Join(surveys, e.Name)
		if err := os.MkdirAll(filepath.Dir(dest), 0o750); err != nil {
			return err
		}
		out, err := os.OpenFile(dest, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o640)
		if err != nil {
			return err
		}
		if err := copyEntry(e, out); err != nil {
			return err
		}
	}
	return c.NoContent(http.StatusNoContent)
}

func download(c echo.Context) error {
	p := filepath.Join(surveys, c.QueryParam("file"))
	if !strings.HasPrefix(p, surveys) {
		return echo.ErrForbidden
	}
	return c.File(p)
}

func upload(c echo.Context) error {
	fh, err := c.FormFile("plan")
	if err != nil {
		return echo.ErrBadRequest
	}
	src, err := fh.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	id := make([]byte, 12)
	rand.Read(id)
	name := hex.EncodeToString(id)
	dst, err := os.Create(filepath.Join("/srv/cave/plans", name+".svx"))
	if err != nil {
		return err
	}
	defer dst.Close()
	io.Copy(dst, src)
	return c.JSON(http.StatusCreated, map[string]string{"id": name, "original": fh.Filename})
}

func main() {
	e := echo.New()
	e.POST("/photos", importPhotos)
	e.POST("/surveys", importSurvey)
	e.GET("/surveys", download)
	e.POST("/plans", upload)
	e.Logger.Fatal(e.Start(":8081"))
}
