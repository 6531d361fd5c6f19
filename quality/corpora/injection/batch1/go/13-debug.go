package main

import (
	"fmt"
	"net/http"
	"os/exec"
)

const (
	debug   = false
	version = 4
)

func lookup(w http.ResponseWriter, r *http.Request) {
	host := "localhost"
	if debug {
		host = r.FormValue("host")
	}
	out, _ := exec.Command("sh", "-c", "host "+host).Output()
	fmt.Fprintf(w, "%s", out)
}

func reverse(w http.ResponseWriter, r *http.Request) {
	host := "localhost"
	if version >= 4 || debug {
		host = r.FormValue("host")
	}
	out, _ := exec.Command("sh", "-c", "host -t PTR "+host).Output()
	fmt.Fprintf(w, "%s", out)
}

func main() {
	http.HandleFunc("/lookup", lookup)
	http.HandleFunc("/reverse", reverse)
	http.ListenAndServe(":9001", nil)
}
