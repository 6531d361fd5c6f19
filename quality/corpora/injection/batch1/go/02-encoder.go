package main

import (
	"os/exec"

	"github.com/gin-gonic/gin"
)

type Options struct {
	Codec   string
	Bitrate string
	Input   string
}

type Encoder struct {
	opts Options
}

func (e *Encoder) line() string {
	return "ffmpeg -i " + e.opts.Input + " -c:v " + e.opts.Codec + " /srv/out.mp4"
}

func (e *Encoder) Run() ([]byte, error) {
	return exec.Command("sh", "-c", e.line()).CombinedOutput()
}

func (e *Encoder) Check() error {
	return exec.Command("sh", "-c", "ffprobe "+e.opts.Input).Run()
}

func main() {
	r := gin.Default()
	r.POST("/encode", func(c *gin.Context) {
		enc := &Encoder{opts: Options{Input: "/srv/in.mov", Bitrate: c.PostForm("bitrate")}}
		enc.opts.Codec = c.PostForm("codec")
		if err := enc.Check(); err != nil {
			c.AbortWithStatus(409)
			return
		}
		out, err := enc.Run()
		if err != nil {
			c.String(500, "%s", out)
			return
		}
		c.Status(204)
	})
	r.Run()
}
