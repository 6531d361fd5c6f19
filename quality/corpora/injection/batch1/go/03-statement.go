package main

import (
	"net/http"
	"os"
	"path/filepath"

	"github.com/labstack/echo/v4"
)

const root = "/srv/statements"

type Statement struct {
	account string
	file    string
}

func NewStatement(account, month string) *Statement {
	return &Statement{account: account, file: filepath.Join(root, month+".pdf")}
}

func (s *Statement) Open() (*os.File, error) {
	return os.Open(s.file)
}

func (s *Statement) Remove() error {
	return os.Remove(s.file)
}

func legend() ([]byte, error) {
	return os.ReadFile(filepath.Join(root, "legend.txt"))
}

func main() {
	e := echo.New()
	e.GET("/statement", func(c echo.Context) error {
		f, err := NewStatement("main", c.QueryParam("month")).Open()
		if err != nil {
			b, _ := legend()
			return c.Blob(http.StatusNotFound, "text/plain", b)
		}
		defer f.Close()
		return c.Stream(http.StatusOK, "application/pdf", f)
	})
	e.DELETE("/statement", func(c echo.Context) error {
		return NewStatement("main", c.QueryParam("month")).Remove()
	})
	e.Logger.Fatal(e.Start(":1323"))
}
