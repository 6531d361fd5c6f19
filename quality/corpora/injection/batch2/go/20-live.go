package main

import (
	"database/sql"
	"log"
	"net/http"
	"os/exec"
	"strings"

	"github.com/gorilla/websocket"
	_ "modernc.org/sqlite"
)

var upgrader = websocket.Upgrader{}

type session struct {
	ws *websocket.Conn
	db *sql.DB
}

func (s *session) dispatch(verb, arg string) string {
	switch verb {
	case "find":
		var title string
		err := s.db.QueryRow("SELECT title FROM clip WHERE tag = '" + arg + "'").Scan(&title)
		if err != nil {
			return err.Error()
		}
		return title
	case "say":
		if err := exec.Command("espeak", "--", arg).Run(); err != nil {
			return err.Error()
		}
		return "ok"
	case "cut":
		out, err := exec.Command("sh", "-c", "ffmpeg -ss "+arg+" -i /srv/live.mp4 /srv/cut.mp4").CombinedOutput()
		if err != nil {
			return string(out)
		}
		return "ok"
	}
	return "?"
}

func serve(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		s := &session{ws, db}
		for {
			_, msg, err := ws.ReadMessage()
			if err != nil {
				return
			}
			verb, arg, _ := strings.Cut(string(msg), " ")
			ws.WriteMessage(websocket.TextMessage, []byte(s.dispatch(verb, arg)))
		}
	}
}

func main() {
	db, err := sql.Open("sqlite", "/srv/live.db")
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/live", serve(db))
	log.Fatal(http.ListenAndServe(":8082", nil))
}
