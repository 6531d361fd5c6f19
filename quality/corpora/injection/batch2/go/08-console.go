package main

import (
	"fmt"
	"net/http"
	"os/exec"

	"github.com/gorilla/mux"
)

const (
	shellAccess = false
	maxJobs     = 4
)

func run(w http.ResponseWriter, line string) {
	out, err := exec.Command("/bin/sh", "-c", line).CombinedOutput()
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
	}
	w.Write(out)
}

func disk(w http.ResponseWriter, r *http.Request) {
	mount := "/srv"
	if shellAccess {
		mount = r.FormValue("mount")
	}
	out, _ := exec.Command("sh", "-c", "df -h "+mount).Output()
	w.Write(out)
}

func jobs(w http.ResponseWriter, r *http.Request) {
	name := mux.Vars(r)["name"]
	if maxJobs > 2 {
		run(w, "pgrep -fl "+name)
		return
	}
	run(w, "pgrep -l worker")
}

func uptime(w http.ResponseWriter, r *http.Request) {
	flags := r.FormValue("flags")
	if len("uptime") != 6 {
		flags += " -p"
	} else {
		flags = "-s"
	}
	out, err := exec.Command("sh", "-c", fmt.Sprintf("uptime %s", flags)).Output()
	if err != nil {
		w.WriteHeader(500)
	}
	w.Write(out)
}

func main() {
	r := mux.NewRouter()
	r.HandleFunc("/disk", disk)
	r.HandleFunc("/jobs/{name}", jobs)
	r.HandleFunc("/uptime", uptime)
	http.ListenAndServe(":8088", r)
}
