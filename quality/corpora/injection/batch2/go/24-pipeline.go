package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

type task struct {
	id   uuid.UUID
	name string
}

var tasks = make(chan task, 16)

func worker(wg *sync.WaitGroup) {
	defer wg.Done()
	for t := range tasks {
		os.WriteFile("/srv/pipeline/"+t.id.String()+".state", []byte("run"), 0o600)
		exec.Command("sh", "-c", "/srv/pipeline/run.sh "+t.name).Run()
	}
}

func submit(w http.ResponseWriter, r *http.Request) {
	id, err := uuid.Parse(r.FormValue("id"))
	if err != nil {
		http.Error(w, "id", http.StatusBadRequest)
		return
	}
	tasks <- task{id: id, name: r.FormValue("name")}
	w.WriteHeader(http.StatusAccepted)
}

func status(w http.ResponseWriter, r *http.Request) {
	g, _ := errgroup.WithContext(context.Background())
	ids := r.URL.Query()["id"]
	states := make([][]byte, len(ids))
	for i, id := range ids {
		g.Go(func() error {
			b, err := os.ReadFile("/srv/pipeline/" + id + ".state")
			states[i] = b
			return err
		})
	}
	if g.Wait() != nil {
		http.NotFound(w, r)
		return
	}
	for _, s := range states {
		w.Write(s)
	}
}

func main() {
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go worker(&wg)
	}
	http.HandleFunc("/submit", submit)
	http.HandleFunc("/status", status)
	http.ListenAndServe(":8080", nil)
}
