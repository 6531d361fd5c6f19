package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

const docRoot = "/srv/documents"

type tenantStore struct {
	dir  string
	kind string
}

func storeFor(c *gin.Context) *tenantStore {
	return &tenantStore{
		dir:  filepath.Join(docRoot, "tenants", c.GetHeader("X-Tenant")),
		kind: c.DefaultQuery("kind", "note"),
	}
}

func (t *tenantStore) put(body []byte) (string, error) {
	id := uuid.NewString() + ".json"
	return id, os.WriteFile(filepath.Join(t.dir, id), body, 0o640)
}

func main() {
	r := gin.Default()

	r.POST("/documents", func(c *gin.Context) {
		body, err := c.GetRawData()
		if err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		id, err := storeFor(c).put(body)
		if err != nil {
			c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.JSON(http.StatusCreated, gin.H{"id": id})
	})

	r.GET("/documents", func(c *gin.Context) {
		name := filepath.Clean(c.Query("doc"))
		c.File(filepath.Join(docRoot, name))
	})

	r.GET("/previews", func(c *gin.Context) {
		doc := strings.ReplaceAll(c.Query("doc"), "../", "")
		c.FileAttachment(docRoot+"/previews/"+doc, "preview.png")
	})

	r.GET("/templates", func(c *gin.Context) {
		name := filepath.Clean("/" + c.Query("name"))
		data, err := os.ReadFile(filepath.Join(docRoot, "templates", name))
		if err != nil {
			c.Status(http.StatusNotFound)
			return
		}
		c.Data(http.StatusOK, "text/html", data)
	})

	r.DELETE("/documents", func(c *gin.Context) {
		var req struct {
			Name string `json:"name" binding:"required"`
		}
		if c.ShouldBindJSON(&req) != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		target := filepath.Join(docRoot, "trash", filepath.Base(req.Name)+".doc")
		if err := os.Remove(target); err != nil {
			c.Status(http.StatusNotFound)
			return
		}
		c.Status(http.StatusNoContent)
	})

	r.Run(":8080")
}
