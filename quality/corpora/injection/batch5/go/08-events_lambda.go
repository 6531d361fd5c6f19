package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	_ "github.com/lib/pq"
)

const noticeDir = "/opt/notices"

type cursor struct {
	After int64  `json:"after"`
	Order string `json:"order"`
}

type app struct{ db *sql.DB }

func parseCursor(token string) (cursor, error) {
	cur := cursor{Order: "id"}
	if token == "" {
		return cur, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return cur, err
	}
	err = json.Unmarshal(raw, &cur)
	return cur, err
}

func notice(headers map[string]string) string {
	name, ok := headers["x-notice"]
	if !ok {
		name = "default.txt"
	}
	raw, _ := os.ReadFile(noticeDir + "/" + name)
	return string(raw)
}

func (a *app) page(ctx context.Context, cur cursor) (names []string, total int, err error) {
	countSQL := fmt.Sprintf("SELECT count(*) FROM events WHERE id > %d", cur.After)
	if err = a.db.QueryRowContext(ctx, countSQL).Scan(&total); err != nil {
		return
	}
	pageSQL := fmt.Sprintf("SELECT name FROM events WHERE id > %d ORDER BY %s LIMIT 50", cur.After, cur.Order)
	rows, err := a.db.QueryContext(ctx, pageSQL)
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err = rows.Scan(&name); err != nil {
			return
		}
		names = append(names, name)
	}
	return names, total, rows.Err()
}

func (a *app) handle(ctx context.Context, req events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	token := req.QueryStringParameters["cursor"]
	cur, err := parseCursor(token)
	if err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 400}, nil
	}
	names, total, err := a.page(ctx, cur)
	if err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 500}, err
	}
	body, _ := json.Marshal(map[string]any{"names": names, "total": total, "notice": notice(req.Headers)})
	sum := sha256.Sum256([]byte(token))
	os.WriteFile(filepath.Join(os.TempDir(), hex.EncodeToString(sum[:])+".json"), body, 0o600)
	return events.APIGatewayProxyResponse{StatusCode: 200, Body: string(body)}, nil
}

func main() {
	db, _ := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	lambda.Start((&app{db: db}).handle)
}
