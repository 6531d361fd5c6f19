package main

import (
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gin-gonic/gin"
)

const docRoot = "/srv/docs"

type DocServer struct {
	root   string
	drafts string
}

func (d *DocServer) Show(c *gin.Context) {
	full := d.root + "/" + strings.TrimPrefix(c.Param("path"), "/")
	if !strings.HasPrefix(full, d.root) {
		c.AbortWithStatus(http.StatusForbidden)
		return
	}
	f, err := os.Open(full)
	if err != nil {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	defer f.Close()
	c.Header("Content-Type", "text/markdown")
	io.Copy(c.Writer, f)
}

func (d *DocServer) Raw(c *gin.Context) {
	name := path.Clean("/" + c.Query("doc"))
	data, err := os.ReadFile(filepath.Join(d.root, name))
	if err != nil {
		c.JSON(http.StatusNotFound, gin.H{"error": "no such document"})
		return
	}
	c.Data(http.StatusOK, "text/plain", data)
}

type draftBody struct {
	Name string `json:"name" binding:"required"`
	Text string `json:"text"`
}

func (d *DocServer) SaveDraft(c *gin.Context) {
	var body draftBody
	if err := c.ShouldBindJSON(&body); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	name := strings.Replace(body.Name, "../", "", 1)
	target := filepath.Join(d.drafts, name+".md")
	if err := os.WriteFile(target, []byte(body.Text), 0o644); err != nil {
		c.JSON(http.StatusInternalServerError, gin.H{"error": "write failed"})
		return
	}
	c.Status(http.StatusCreated)
}

func (d *DocServer) DeleteDraft(c *gin.Context) {
	target := filepath.Join(d.drafts, c.Query("name"))
	rel, err := filepath.Rel(d.drafts, target)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		c.JSON(http.StatusBadRequest, gin.H{"error": "bad name"})
		return
	}
	if err := os.Remove(target); err != nil {
		c.Status(http.StatusNotFound)
		return
	}
	c.Status(http.StatusNoContent)
}

func main() {
	srv := &DocServer{root: docRoot, drafts: "/var/lib/docs/drafts"}
	r := gin.Default()
	r.GET("/docs/*path", srv.Show)
	r.GET("/raw", srv.Raw)
	r.POST("/drafts", srv.SaveDraft)
	r.DELETE("/drafts", srv.DeleteDraft)
	r.Run(":9000")
}
