package main

import (
	"net/http"
	"os/exec"

	"github.com/gin-gonic/gin"
)

func main() {
	r := gin.Default()

	r.GET("/render", func(c *gin.Context) {
		opts := map[string]string{
			"theme":  c.Query("theme"),
			"format": "svg",
		}
		out, err := exec.Command("sh", "-c", "dot -T"+opts["format"]+" /srv/graphs/main.dot").Output()
		if err != nil {
			c.Status(http.StatusInternalServerError)
			return
		}
		c.Data(http.StatusOK, "image/svg+xml", out)
	})

	r.GET("/render/as", func(c *gin.Context) {
		opts := map[string]string{"format": "svg"}
		if f, ok := c.GetQuery("format"); ok {
			opts["format"] = f
		}
		out, err := exec.Command("sh", "-c", "dot -T"+opts["format"]+" /srv/graphs/main.dot").Output()
		if err != nil {
			c.Status(http.StatusInternalServerError)
			return
		}
		c.Data(http.StatusOK, "application/octet-stream", out)
	})

	r.POST("/render/theme", func(c *gin.Context) {
		opts := c.PostFormMap("opt")
		delete(opts, "format")
		cmd := exec.Command("bash", "-c", "cp /srv/themes/"+opts["theme"]+".css /srv/graphs/theme.css")
		if err := cmd.Run(); err != nil {
			c.String(http.StatusBadRequest, err.Error())
			return
		}
		c.Status(http.StatusNoContent)
	})

	r.Run(":8080")
}
