package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/nats-io/nats.go"
)

type job struct {
	Title  string `json:"title"`
	Output string `json:"output"`
	Lang   string `json:"lang"`
}

var langRe = regexp.MustCompile(`^[a-z]{2}(-[A-Z]{2})?$`)

func handle(m *nats.Msg) {
	var j job
	if err := json.Unmarshal(m.Data, &j); err != nil {
		log.Println("skipping message:", err)
		return
	}

	script := "typeset --title '" + j.Title + "' < /data/in.txt"
	if out, err := exec.Command("sh", "-c", script).Output(); err == nil {
		if err := os.WriteFile(filepath.Join("/data/out", j.Output), out, 0o644); err != nil {
			log.Println(err)
		}
	}

	if !langRe.MatchString(j.Lang) {
		return
	}
	spell := exec.Command("sh", "-c", "aspell --lang="+j.Lang+" list < /data/in.txt | sort -u > /data/words.txt")
	if err := spell.Start(); err != nil {
		log.Println(err)
		return
	}
	spell.Wait()
}

func main() {
	nc, err := nats.Connect(os.Getenv("NATS_URL"))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := nc.Subscribe("typeset.jobs", handle); err != nil {
		log.Fatal(err)
	}
	select {}
}
