package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"os"
	"os/signal"
	"strings"

	sq "github.com/Masterminds/squirrel"
	_ "github.com/go-sql-driver/mysql"
	"github.com/nats-io/nats.go"
)

type stockQuery struct {
	SKUs      []string `json:"skus"`
	Warehouse string   `json:"warehouse"`
	Prefix    string   `json:"prefix"`
	IDs       []int64  `json:"ids"`
}

type worker struct {
	db *sql.DB
}

func (w *worker) bySku(m *nats.Msg) {
	var q stockQuery
	if json.Unmarshal(m.Data, &q) != nil || len(q.SKUs) == 0 {
		return
	}
	quoted := make([]string, 0, len(q.SKUs))
	for _, sku := range q.SKUs {
		quoted = append(quoted, "'"+sku+"'")
	}
	query := "SELECT sku, qty FROM stock WHERE sku IN (" + strings.Join(quoted, ",") + ")"
	w.reply(m)(w.db.Query(query))
}

func (w *worker) byID(m *nats.Msg) {
	var q stockQuery
	if json.Unmarshal(m.Data, &q) != nil || len(q.IDs) == 0 {
		return
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(q.IDs)), ",")
	args := make([]any, len(q.IDs))
	for i, id := range q.IDs {
		args[i] = id
	}
	w.reply(m)(w.db.Query("SELECT sku, qty FROM stock WHERE id IN ("+marks+")", args...))
}

func (w *worker) byWarehouse(m *nats.Msg) {
	var q stockQuery
	if json.Unmarshal(m.Data, &q) != nil {
		return
	}
	rows, err := sq.Select("sku", "qty").
		From("stock").
		Where(sq.Eq{"warehouse": q.Warehouse}).
		OrderBy("sku").
		RunWith(w.db).
		QueryContext(context.Background())
	w.reply(m)(rows, err)
}

func (w *worker) byPrefix(m *nats.Msg) {
	var q stockQuery
	if json.Unmarshal(m.Data, &q) != nil {
		return
	}
	rows, err := sq.Select("sku", "qty").
		From("stock").
		Where("sku LIKE '" + q.Prefix + "%'").
		RunWith(w.db).
		Query()
	w.reply(m)(rows, err)
}

func (w *worker) reply(m *nats.Msg) func(*sql.Rows, error) {
	return func(rows *sql.Rows, err error) {
		if err != nil {
			log.Println("stock:", err)
			return
		}
		defer rows.Close()
		res := map[string]int{}
		for rows.Next() {
			var sku string
			var qty int
			if rows.Scan(&sku, &qty) == nil {
				res[sku] = qty
			}
		}
		body, _ := json.Marshal(res)
		m.Respond(body)
	}
}

func main() {
	db, err := sql.Open("mysql", os.Getenv("MYSQL_DSN"))
	if err != nil {
		log.Fatal(err)
	}
	nc, err := nats.Connect(nats.DefaultURL)
	if err != nil {
		log.Fatal(err)
	}
	w := &worker{db: db}
	nc.Subscribe("stock.sku", w.bySku)
	nc.Subscribe("stock.id", w.byID)
	nc.Subscribe("stock.warehouse", w.byWarehouse)
	nc.Subscribe("stock.prefix", w.byPrefix)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
}
