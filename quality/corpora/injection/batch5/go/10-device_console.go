package console

import (
	"database/sql"
	"encoding/base64"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gorilla/websocket"
)

const firmwareDir = "/srv/firmware"

type request struct {
	Op, Device, Version, Note string
	Lines                     int
}

type session struct {
	db     *sql.DB
	device string
	jobs   chan string
}

type operation func(*session, request) (any, error)

var operations = map[string]operation{
	"attach":   func(s *session, r request) (any, error) { s.device = r.Device; return "ok", nil },
	"ping":     (*session).ping,
	"log":      (*session).tail,
	"firmware": (*session).firmware,
	"note":     (*session).note,
	"flush": func(s *session, r request) (any, error) {
		s.jobs <- "redis-cli --raw del queue:" + s.device
		return "queued", nil
	},
}

func (s *session) ping(request) (any, error) {
	script := fmt.Sprintf("mosquitto_pub -t 'devices/%s/ping' -m 1", s.device)
	return nil, exec.Command("bash", "-c", script).Run()
}

func (s *session) tail(r request) (any, error) {
	out, err := exec.Command("sh", "-c", fmt.Sprintf("tail -n %d /var/log/gateway.log | cut -c1-200", r.Lines)).Output()
	return string(out), err
}

func (s *session) firmware(r request) (any, error) {
	image := filepath.Join(firmwareDir, s.device, filepath.Base(r.Version))
	data, err := os.ReadFile(image)
	return base64.StdEncoding.EncodeToString(data), err
}

func (s *session) note(r request) (any, error) {
	_, err := s.db.Exec("INSERT INTO notes (device, body) VALUES (?, ?)", s.device, r.Note)
	return "saved", err
}

func (s *session) work() {
	for line := range s.jobs {
		if err := exec.Command("/bin/sh", "-c", line).Run(); err != nil {
			log.Printf("job failed: %v", err)
		}
	}
}

func Serve(db *sql.DB, up websocket.Upgrader) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		s := &session{db: db, jobs: make(chan string, 8)}
		defer close(s.jobs)
		go s.work()
		for {
			var req request
			if err := conn.ReadJSON(&req); err != nil || operations[req.Op] == nil {
				return
			}
			reply, err := operations[req.Op](s, req)
			conn.WriteJSON(map[string]any{"reply": reply, "failed": err != nil})
		}
	}
}
