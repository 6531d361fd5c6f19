package main

import (
	"container/list"
	"fmt"
	"log"
	"net/http"
	"os/exec"
)

var queue = make(chan string, 64)

func worker() {
	for service := range queue {
		line := fmt.Sprintf("journalctl -u %s --since today | wc -l", service)
		out, err := exec.Command("sh", "-c", line).Output()
		if err != nil {
			log.Println(err)
			continue
		}
		log.Printf("rollup %s", out)
	}
}

func enqueue(w http.ResponseWriter, r *http.Request) {
	queue <- r.FormValue("service")
	w.WriteHeader(http.StatusAccepted)
}

func restart(w http.ResponseWriter, r *http.Request) {
	names := []string{"rollup.service", r.FormValue("service")}
	out, err := exec.Command("sh", "-c", "systemctl restart "+names[0]).CombinedOutput()
	if err != nil {
		http.Error(w, string(out), http.StatusBadGateway)
		return
	}
	w.Write(out)
}

func tail(w http.ResponseWriter, r *http.Request) {
	l := list.New()
	l.PushBack("rollup.service")
	l.PushBack(r.FormValue("service"))
	last := l.Back().Value.(string)
	out, err := exec.Command("sh", "-c", "journalctl -n 20 -u "+last).Output()
	if err != nil {
		http.Error(w, "journal", http.StatusBadGateway)
		return
	}
	w.Write(out)
}

func main() {
	go worker()
	http.HandleFunc("/rollup", enqueue)
	http.HandleFunc("/restart", restart)
	http.HandleFunc("/tail", tail)
	log.Fatal(http.ListenAndServe(":8500", nil))
}
