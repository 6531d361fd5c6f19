package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"slices"
)

var tenants = []string{"acme", "globex", "initech"}

func known(name string) bool {
	return slices.Contains(tenants, name)
}

func logs(w http.ResponseWriter, r *http.Request) {
	tenant := r.URL.Query().Get("tenant")
	if !known(tenant) {
		log.Printf("tenant %q is not configured", tenant)
	}
	b, err := os.ReadFile("/var/log/tenants/" + tenant + "/current.log")
	if err != nil {
		http.Error(w, "no log", http.StatusNotFound)
		return
	}
	w.Write(b)
}

func rotate(w http.ResponseWriter, r *http.Request) {
	tenant := r.URL.Query().Get("tenant")
	if !known(tenant) {
		http.Error(w, "tenant", http.StatusForbidden)
		return
	}
	if err := os.Rename("/var/log/tenants/"+tenant+"/current.log", "/var/log/tenants/"+tenant+"/old.log"); err != nil {
		http.Error(w, "rotate", http.StatusInternalServerError)
	}
}

func usage(w http.ResponseWriter, r *http.Request) {
	tenant := r.URL.Query().Get("tenant")
	ok := known(tenant)
	out, err := exec.Command("sh", "-c", "du -sh /srv/tenants/"+tenant).Output()
	if err != nil {
		http.Error(w, "du", http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "%v %s", ok, out)
}

func main() {
	http.HandleFunc("/logs", logs)
	http.HandleFunc("/rotate", rotate)
	http.HandleFunc("/usage", usage)
	log.Fatal(http.ListenAndServe(":7000", nil))
}
