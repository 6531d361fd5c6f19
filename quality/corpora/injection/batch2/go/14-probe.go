package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
)

var tokenRe = regexp.MustCompile(`^[A-Za-z0-9_=-]{1,400}$`)

func report(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if strings.Contains(token, "..") || strings.Contains(token, "/") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	name, err := base64.URLEncoding.DecodeString(token)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b, err := os.ReadFile("/srv/probe/" + string(name))
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Write(b)
}

func rerun(w http.ResponseWriter, r *http.Request) {
	token := chi.URLParam(r, "token")
	if !tokenRe.MatchString(token) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	target, _ := base64.URLEncoding.DecodeString(token)
	out, err := exec.Command("sh", "-c", "/srv/probe/run "+string(target)).Output()
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.Write(out)
}

func main() {
	r := chi.NewRouter()
	r.Get("/report", report)
	r.Post("/rerun/{token}", rerun)
	http.ListenAndServe(":9115", r)
}
