package main

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/lib/pq"
)

type request struct {
	Survey string   `json:"survey"`
	Column string   `json:"column"`
	Answer string   `json:"answer"`
	Labels []string `json:"labels"`
}

var db *sql.DB

func parse(ev events.APIGatewayProxyRequest) (req request, err error) {
	body := []byte(ev.Body)
	if ev.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(ev.Body); err != nil {
			return req, err
		}
	}
	err = json.Unmarshal(body, &req)
	return req, err
}

func one(row *sql.Row) (events.APIGatewayProxyResponse, error) {
	var n int64
	if err := row.Scan(&n); err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 500}, nil
	}
	return events.APIGatewayProxyResponse{StatusCode: 200, Body: fmt.Sprint(n)}, nil
}

func handler(ctx context.Context, ev events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	req, err := parse(ev)
	if err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 400}, nil
	}
	switch ev.Resource {
	case "/answers/count":
		query := "SELECT COUNT(*) FROM answers WHERE survey = " + pq.QuoteLiteral(req.Survey)
		return one(db.QueryRowContext(ctx, query))
	case "/answers/distinct":
		column := pq.QuoteIdentifier(req.Column)
		return one(db.QueryRowContext(ctx, "SELECT COUNT(DISTINCT "+column+") FROM answers WHERE survey = $1", req.Survey))
	case "/answers/match":
		answer := strings.NewReplacer(`"`, "", ";", "").Replace(req.Answer)
		query := fmt.Sprintf("SELECT COUNT(*) FROM answers WHERE survey = $1 AND answer = '%[1]s'", answer)
		return one(db.QueryRowContext(ctx, query, req.Survey))
	case "/answers/labels":
		quoted := make([]string, len(req.Labels))
		for i, label := range req.Labels {
			quoted[i] = pq.QuoteIdentifier(label)
		}
		list := strings.Trim(strings.Join(req.Labels, "','"), " ")
		return one(db.QueryRowContext(ctx, "SELECT COUNT(*) FROM labels WHERE name IN ('"+list+"')"))
	default:
		view := ev.PathParameters["view"]
		if _, err := db.ExecContext(ctx, "REFRESH MATERIALIZED VIEW "+view); err != nil {
			return events.APIGatewayProxyResponse{StatusCode: 500}, nil
		}
		return events.APIGatewayProxyResponse{StatusCode: 204}, nil
	}
}

func main() {
	var err error
	if db, err = sql.Open("postgres", os.Getenv("SURVEY_DSN")); err != nil {
		panic(err)
	}
	lambda.Start(handler)
}
