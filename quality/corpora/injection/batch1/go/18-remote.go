package main

import (
	"net/http"
	"os/exec"
	"strings"
)

func split(spec string) (string, string, bool) {
	host, rest, ok := strings.Cut(spec, ":")
	if !ok {
		return spec, "/", false
	}
	return host, rest, true
}

func fixed(_ string) (host, dir string) {
	host, dir = "backup.internal", "/srv/data"
	return
}

func pull(w http.ResponseWriter, r *http.Request) {
	host, dir, _ := split(r.FormValue("from"))
	cmd := exec.Command("sh", "-c", "rsync -a "+host+"::"+dir+" /srv/mirror")
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		http.Error(w, "rsync failed", 502)
	}
}

func push(w http.ResponseWriter, r *http.Request) {
	host, dir := fixed(r.FormValue("to"))
	cmd := exec.Command("sh", "-c", "rsync -a "+dir+" "+host+"::data")
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		http.Error(w, "rsync failed", 502)
	}
}

func main() {
	http.HandleFunc("/pull", pull)
	http.HandleFunc("/push", push)
	http.ListenAndServe("127.0.0.1:7000", nil)
}
