package themes

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

var known = map[string]bool{"light": true, "dark": true, "contrast": true}

const dir = "/srv/themes"

func Show(w http.ResponseWriter, r *http.Request) {
	theme := r.URL.Query().Get("theme")
	if !known[theme] {
		theme := "light"
		w.Header().Set("X-Theme", theme)
	}
	css, err := os.ReadFile(dir + "/" + theme + "/site.css")
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(css)
}

func Preview(w http.ResponseWriter, r *http.Request) {
	theme := r.URL.Query().Get("theme")
	if !known[theme] {
		theme = "light"
	}
	css, err := os.ReadFile(dir + "/" + theme + "/preview.css")
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(css)
}

func Logo(w http.ResponseWriter, r *http.Request) {
	name := "logo.svg"
	if custom := r.URL.Query().Get("logo"); custom != "" {
		name := strings.ToLower(custom)
		w.Header().Set("X-Logo", filepath.Base(name))
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	if custom := r.URL.Query().Get("overlay"); custom != "" {
		name = custom
	}
	http.ServeFile(w, r, filepath.Join(dir, "overlay", name))
}
