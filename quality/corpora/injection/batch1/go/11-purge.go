package purge

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/gin-gonic/gin"
)

const base = "/srv/cache"

func Many(c *gin.Context) {
	n := 0
	for _, name := range c.QueryArray("name") {
		if strings.ContainsRune(name, os.PathSeparator) || name == ".." {
			continue
		}
		if os.Remove(filepath.Join(base, name)) == nil {
			n++
		}
	}
	c.JSON(http.StatusOK, n)
}

func First(c *gin.Context) {
	var chosen string
	for _, name := range c.QueryArray("name") {
		chosen = name
		if strings.HasSuffix(name, ".gz") {
			break
		}
	}
	if err := os.RemoveAll(filepath.Join(base, chosen)); err != nil {
		c.Status(http.StatusInternalServerError)
		return
	}
	c.Status(http.StatusNoContent)
}
