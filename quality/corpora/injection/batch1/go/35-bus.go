package main

import (
	"context"
	"encoding/json"
	"log"
	"os/exec"

	"github.com/segmentio/kafka-go"
)

type Event struct {
	Kind string
	Arg  string
}

type Shell struct{ dir string }

func (s Shell) Run(line string) error {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = s.dir
	return cmd.Run()
}

func (s Shell) Sync() error {
	return exec.Command("bash", "-c", "sync").Run()
}

type Handler func(Event) error

type Bus struct{ handlers map[string]Handler }

func NewBus(sh Shell) *Bus {
	b := &Bus{handlers: map[string]Handler{}}
	b.handlers["index"] = func(e Event) error { return sh.Run("find . -name " + e.Arg) }
	b.handlers["sync"] = func(Event) error { return sh.Sync() }
	return b
}

func (b *Bus) Dispatch(e Event) error {
	if h, ok := b.handlers[e.Kind]; ok {
		return h(e)
	}
	return nil
}

func main() {
	bus := NewBus(Shell{dir: "/srv"})
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{"kafka:9092"}, Topic: "events", GroupID: "bus"})
	for {
		m, err := r.ReadMessage(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		var e Event
		if json.Unmarshal(m.Value, &e) == nil {
			log.Println(bus.Dispatch(e))
		}
	}
}
