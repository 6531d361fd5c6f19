package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/nats-io/nats.go"
)

type upload struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func main() {
	nc, err := nats.Connect(nats.DefaultURL)
	if err != nil {
		log.Fatal(err)
	}
	nc.Subscribe("uploads", func(m *nats.Msg) {
		var u upload
		if err := json.Unmarshal(m.Data, &u); err != nil {
			return
		}
		var files []string
		files = append(files, "/srv/spool/index")
		files = append(files, "/srv/spool/"+u.Name)
		files = append(files, "/srv/spool/last")

		if err := os.WriteFile(files[0], []byte(u.Text), 0o644); err != nil {
			log.Print(err)
		}
		rest := files[1:]
		if err := os.WriteFile(rest[0], []byte(u.Text), 0o644); err != nil {
			log.Print(err)
		}
		if err := os.WriteFile(rest[len(rest)-1], []byte(u.Name), 0o644); err != nil {
			log.Print(err)
		}
	})
	select {}
}
