package grid

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5"
	"github.com/jmoiron/sqlx"
)

type Cell struct {
	ID   int64  `db:"id"`
	Name string `db:"name"`
}

type Grid struct{ DB *sqlx.DB }

func esc(s string) string {
	return strings.ReplaceAll(s, "'", "''")
}

func (g *Grid) Sorted(c *gin.Context) {
	var out []Cell
	err := g.DB.Select(&out, "SELECT id, name FROM cell ORDER BY "+esc(c.DefaultQuery("sort", "id")))
	c.JSON(http.StatusOK, gin.H{"cells": out, "failed": err != nil})
}

func (g *Grid) Page(c *gin.Context) {
	var out []Cell
	err := g.DB.Select(&out, "SELECT id, name FROM cell LIMIT "+esc(c.Query("size")))
	c.JSON(http.StatusOK, gin.H{"cells": out, "failed": err != nil})
}

func (g *Grid) One(c *gin.Context) {
	var out Cell
	err := g.DB.Get(&out, "SELECT id, name FROM cell WHERE id = "+esc(c.Param("id")))
	c.JSON(http.StatusOK, gin.H{"cell": out, "failed": err != nil})
}

func (g *Grid) Named(c *gin.Context) {
	var out []Cell
	col := pgx.Identifier{c.Query("sort")}.Sanitize()
	err := g.DB.Select(&out, "SELECT id, name FROM cell ORDER BY "+col)
	c.JSON(http.StatusOK, gin.H{"cells": out, "failed": err != nil})
}
