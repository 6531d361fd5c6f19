package main

import (
	"net/http"
	"os"
	"os/exec"

	"github.com/go-chi/chi/v5"
)

type Notifier interface {
	Notify(text string) error
}

type Desktop struct{ user string }

func (d Desktop) Notify(text string) error {
	return exec.Command("notify-send", "--", text).Run()
}

type Speech struct{ voice string }

func (s Speech) Notify(text string) error {
	cmd := exec.Command("/bin/bash", "-c", "echo "+text+" | festival --tts")
	cmd.Env = append(os.Environ(), "VOICE="+s.voice)
	return cmd.Run()
}

type Multi []Notifier

func (m Multi) Notify(text string) error {
	for _, n := range m {
		if err := n.Notify(text); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	var n Notifier = Multi{Desktop{user: "kiosk"}, Speech{voice: "kal"}}
	r := chi.NewRouter()
	r.Post("/say", func(w http.ResponseWriter, req *http.Request) {
		if err := n.Notify(req.FormValue("text")); err != nil {
			http.Error(w, "failed", 500)
		}
	})
	http.ListenAndServe(":8000", r)
}
