package main

import (
	"database/sql"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"github.com/gorilla/websocket"
	_ "github.com/mattn/go-sqlite3"
)

type payload struct {
	Op    string `json:"op"`
	Name  string `json:"name"`
	Title string `json:"title"`
	Kind  int    `json:"kind"`
}

type board struct {
	db       *sql.DB
	dir      string
	files    *os.Root
	handlers map[string]func(payload) (any, error)
}

func newBoard(db *sql.DB, dir string, files *os.Root) *board {
	b := &board{db: db, dir: dir, files: files}
	b.handlers = map[string]func(payload) (any, error){
		"remove": b.remove, "read": b.read, "find": b.find,
		"count": func(p payload) (any, error) {
			var n int
			err := b.db.QueryRow("SELECT COUNT(*) FROM cards WHERE kind = " + strconv.FormatInt(int64(p.Kind), 10)).Scan(&n)
			return n, err
		},
	}
	return b
}

func (b *board) remove(p payload) (any, error) {
	if len(p.Name) == 0 || len(p.Name) > 64 || filepath.IsAbs(p.Name) {
		return nil, errors.New("bad name")
	}
	return "removed", os.Remove(filepath.Join(b.dir, p.Name))
}

func (b *board) read(p payload) (any, error) {
	f, err := b.files.Open(p.Name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return string(data), errors.Join(err, f.Close())
}

func (b *board) find(p payload) (any, error) {
	words := strings.Fields(p.Title)
	for i := range words {
		words[i] = "title LIKE '%" + words[i] + "%'"
	}
	var id int64
	err := b.db.QueryRow("SELECT id FROM cards WHERE " + strings.Join(append(words, "hidden = 0"), " AND ")).Scan(&id)
	return id, err
}

func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	for p := (payload{}); conn.ReadJSON(&p) == nil; p = payload{} {
		if h, ok := b.handlers[p.Op]; ok {
			result, err := h(p)
			conn.WriteJSON(map[string]any{"op": p.Op, "result": result, "failed": err != nil})
		}
	}
}

func main() {
	db, _ := sql.Open("sqlite3", "/var/lib/board/board.db")
	files, err := os.OpenRoot("/srv/board/files")
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(":8085", newBoard(db, "/srv/board/files", files)))
}
