package main

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"os"
	"strings"
)

const dir = "/srv/drop/"

func open(token string) (string, error) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	return string(b), err
}

func get(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.URL.Path, "/d/")
	if strings.ContainsAny(token, "./\\") {
		http.NotFound(w, r)
		return
	}
	name, err := open(token)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	http.ServeFile(w, r, dir+name)
}

func mark(w http.ResponseWriter, r *http.Request) {
	key := hex.EncodeToString([]byte(r.FormValue("name")))
	f, err := os.Create(dir + key)
	if err != nil {
		http.Error(w, "no", 500)
		return
	}
	f.Close()
}

func main() {
	http.HandleFunc("/d/", get)
	http.HandleFunc("/mark", mark)
	http.ListenAndServe(":8080", nil)
}
