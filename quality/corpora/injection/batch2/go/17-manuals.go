package main

import (
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/gin-gonic/gin"
)

const base = "/srv/manuals/"

func strip(s string) string {
	return strings.Replace(s, "../", "", -1)
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, s)
}

func main() {
	r := gin.Default()
	r.GET("/manual", func(c *gin.Context) {
		b, err := os.ReadFile(base + strip(c.Query("name")))
		if err != nil {
			c.Status(http.StatusNotFound)
			return
		}
		c.Data(200, "text/plain", b)
	})
	r.GET("/manual/page", func(c *gin.Context) {
		c.File(base + letters(c.Query("name")) + ".html")
	})
	r.GET("/manual/search", func(c *gin.Context) {
		word := c.Query("q")
		if strings.ContainsAny(word, ";|&") {
			c.Status(http.StatusBadRequest)
			return
		}
		out, _ := exec.Command("bash", "-c", "grep -ril "+word+" "+base).Output()
		c.Data(200, "text/plain", out)
	})
	r.GET("/manual/word", func(c *gin.Context) {
		out, _ := exec.Command("bash", "-c", "grep -ril -e x"+letters(c.Query("q"))+" "+base).Output()
		c.Data(200, "text/plain", out)
	})
	r.Run(":8080")
}
