package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	_ "github.com/lib/pq"
	"github.com/nats-io/nats.go"
)

type lookupRequest struct {
	Genus   string `json:"genus"`
	OrderBy string `json:"order_by"`
	Page    int    `json:"page"`
}

type germinationRequest struct {
	Filters map[string]string `json:"filters"`
}

type withdrawal struct {
	Accession string `json:"accession"`
	Note      string `json:"note"`
}

var orderColumns = map[string]string{
	"harvested": "harvested_at",
	"altitude":  "altitude_m",
	"country":   "country_code",
}

type vault struct {
	db *sql.DB
	nc *nats.Conn
}

func (v *vault) reply(m *nats.Msg, rows *sql.Rows) {
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if rows.Scan(&s) == nil {
			out = append(out, s)
		}
	}
	body, _ := json.Marshal(out)
	_ = m.Respond(body)
}

func (v *vault) onLookup(m *nats.Msg) {
	var req lookupRequest
	if err := json.Unmarshal(m.Data, &req); err != nil {
		return
	}
	col, ok := orderColumns[req.OrderBy]
	if !ok {
		col = "accession_no"
	}
	q := fmt.Sprintf("SELECT accession_no FROM accessions WHERE genus = $1 ORDER BY %s OFFSET %d LIMIT 50", col, req.Page*50)
	rows, err := v.db.Query(q, req.Genus)
	if err != nil {
		log.Println("lookup:", err)
		return
	}
	v.reply(m, rows)
}

func (v *vault) onGermination(m *nats.Msg) {
	var req germinationRequest
	if err := json.Unmarshal(m.Data, &req); err != nil {
		return
	}
	clauses := []string{"1 = 1"}
	var args []any
	for field, value := range req.Filters {
		args = append(args, value)
		clauses = append(clauses, fmt.Sprintf("%s = $%d", field, len(args)))
	}
	rows, err := v.db.Query("SELECT batch_no FROM germination_tests WHERE "+strings.Join(clauses, " AND "), args...)
	if err != nil {
		log.Println("germination:", err)
		return
	}
	v.reply(m, rows)
}

func (v *vault) onWithdraw(m *nats.Msg) {
	var w withdrawal
	if json.Unmarshal(m.Data, &w) != nil {
		return
	}
	note := strings.ReplaceAll(w.Note, "'", "\\'")
	stmt := "INSERT INTO withdrawals (accession_no, note) VALUES ($1, '" + note + "')"
	if _, err := v.db.Exec(stmt, w.Accession); err != nil {
		log.Println("withdraw:", err)
	}
}

func main() {
	db, err := sql.Open("postgres", "dbname=seedvault sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	nc, err := nats.Connect(nats.DefaultURL)
	if err != nil {
		log.Fatal(err)
	}
	v := &vault{db: db, nc: nc}
	nc.Subscribe("vault.lookup", v.onLookup)
	nc.Subscribe("vault.germination", v.onGermination)
	nc.Subscribe("vault.withdraw", v.onWithdraw)
	select {}
}
