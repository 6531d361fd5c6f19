package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/gorilla/websocket"
)

type frame struct {
	Op    string          `json:"op"`
	Value json.RawMessage `json:"value"`
}

type hub struct {
	db       *sql.DB
	upgrader websocket.Upgrader
}

func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func (h *hub) strings(ctx context.Context, query string, args ...any) []string {
	rows, err := h.db.QueryContext(ctx, query, args...)
	if err != nil {
		log.Println(err)
		return nil
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var s string
		if rows.Scan(&s) == nil {
			out = append(out, s)
		}
	}
	return out
}

func (h *hub) handle(ctx context.Context, f frame) any {
	switch f.Op {
	case "players":
		like := "%" + text(f.Value) + "%"
		return h.strings(ctx, fmt.Sprintf("SELECT name FROM players WHERE name LIKE '%s' LIMIT 20", like))
	case "club":
		return h.strings(ctx, "SELECT name FROM `club_"+text(f.Value)+"` ORDER BY rating DESC")
	case "round":
		round := text(f.Value)
		var current int
		if err := h.db.QueryRowContext(ctx, "SELECT MAX(round) FROM rounds").Scan(&current); err != nil {
			return nil
		}
		round = fmt.Sprint(current)
		return h.strings(ctx, "SELECT pairing FROM pairings WHERE round = "+round)
	case "since":
		t, err := time.Parse("2006-01-02", text(f.Value))
		if err != nil {
			return nil
		}
		return h.strings(ctx, "SELECT pgn FROM games WHERE played_on >= '"+t.Format("2006-01-02")+"'")
	case "openings":
		find := func(eco string) []string {
			return h.strings(ctx, "SELECT pgn FROM games WHERE eco = ? LIMIT 100", eco)
		}
		return find(text(f.Value))
	}
	return nil
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	conn, err := h.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	for {
		var f frame
		if err := conn.ReadJSON(&f); err != nil {
			return
		}
		if err := conn.WriteJSON(h.handle(r.Context(), f)); err != nil {
			return
		}
	}
}

func main() {
	db, err := sql.Open("mysql", "chess@/tournament")
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/live", &hub{db: db})
	log.Fatal(http.ListenAndServe(":8070", nil))
}
