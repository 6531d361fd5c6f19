package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
)

const root = "/srv/share"

type ticket struct {
	File string `json:"file"`
	Size int    `json:"size"`
}

func byTicket(w http.ResponseWriter, r *http.Request) {
	raw, err := base64.RawURLEncoding.DecodeString(r.FormValue("t"))
	if err != nil {
		http.Error(w, "ticket", 400)
		return
	}
	var t ticket
	if err := json.Unmarshal(raw, &t); err != nil {
		http.Error(w, "ticket", 400)
		return
	}
	f, err := os.Open(filepath.Join(root, t.File))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer f.Close()
	io.CopyN(w, f, int64(t.Size))
}

func byCookie(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie("last")
	if err != nil {
		return
	}
	name, _ := url.QueryUnescape(c.Value)
	b, err := os.ReadFile(root + "/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(b)
}

func byKey(w http.ResponseWriter, r *http.Request) {
	key := hex.EncodeToString([]byte(r.FormValue("k")))
	b, err := os.ReadFile(filepath.Join(root, "keys", key))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(b)
}

func main() {
	http.HandleFunc("/t", byTicket)
	http.HandleFunc("/last", byCookie)
	http.HandleFunc("/k", byKey)
	log.Fatal(http.ListenAndServe(":9090", nil))
}
