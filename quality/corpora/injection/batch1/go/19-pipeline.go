package main

import (
	"io"
	"net/http"
	"os"
	"sync"

	"github.com/gorilla/websocket"
)

type note struct {
	name string
	text []byte
}

func writer(in <-chan note, wg *sync.WaitGroup) {
	defer wg.Done()
	for n := range in {
		os.WriteFile("/srv/notes/"+n.name, n.text, 0o600)
	}
}

func main() {
	ch := make(chan note, 8)
	tick := make(chan string, 1)
	var wg sync.WaitGroup
	wg.Add(1)
	go writer(ch, &wg)
	go func() {
		for name := range tick {
			os.WriteFile("/srv/notes/"+name, nil, 0o600)
		}
	}()
	tick <- "started"

	up := websocket.Upgrader{}
	http.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		con, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer con.Close()
		for {
			_, rd, err := con.NextReader()
			if err != nil {
				return
			}
			b, _ := io.ReadAll(rd)
			ch <- note{name: r.URL.Query().Get("name"), text: b}
		}
	})
	http.ListenAndServe(":8080", nil)
}
