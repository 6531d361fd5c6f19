package main

import (
	"net"
	"net/http"
	"os/exec"
	"regexp"
)

var (
	hostname = regexp.MustCompile(`^[a-z0-9]+(\.[a-z0-9]+)*$`)
	numbers  = regexp.MustCompile(`\d+`)
)

func sh(w http.ResponseWriter, line string) {
	out, _ := exec.Command("/bin/sh", "-c", line).CombinedOutput()
	w.Write(out)
}

func curl(w http.ResponseWriter, r *http.Request) {
	host, port := r.FormValue("host"), r.FormValue("port")
	if !hostname.MatchString(host) || !numbers.MatchString(port) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	sh(w, "curl -sI http://"+host+":"+port)
}

func ping(w http.ResponseWriter, r *http.Request) {
	ip := net.ParseIP(r.FormValue("ip"))
	if ip == nil || !hostname.MatchString(r.FormValue("iface")) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	line := "ping -c 1 -I " + r.FormValue("iface") + " " + ip.String()
	out, _ := exec.Command("/bin/sh", "-c", line).CombinedOutput()
	w.Write(out)
}

func main() {
	http.HandleFunc("/curl", curl)
	http.HandleFunc("/ping", ping)
	http.ListenAndServe(":8080", nil)
}
