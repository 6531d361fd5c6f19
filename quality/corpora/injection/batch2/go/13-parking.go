package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	_ "github.com/go-sql-driver/mysql"
)

var db *sql.DB

func handler(ctx context.Context, req events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	fail := events.APIGatewayProxyResponse{StatusCode: 400}

	lot, err := strconv.Atoi(req.QueryStringParameters["lot"])
	if err != nil {
		return fail, nil
	}
	var free int
	q := "SELECT free FROM lot WHERE id = " + strconv.Itoa(lot)
	if err := db.QueryRowContext(ctx, q).Scan(&free); err != nil {
		return fail, nil
	}

	plate := req.QueryStringParameters["plate"]
	n, _ := strconv.ParseUint(plate, 10, 64)
	var owner string
	if err := db.QueryRowContext(ctx, "SELECT owner FROM permit WHERE plate = "+plate).Scan(&owner); err != nil {
		return fail, nil
	}

	hours := req.PathParameters["hours"]
	if _, err := strconv.ParseFloat(hours, 64); err != nil {
		return fail, nil
	}
	if _, err := db.ExecContext(ctx, fmt.Sprintf("UPDATE lot SET hours = %s WHERE id = %d", hours, lot)); err != nil {
		return fail, nil
	}

	return events.APIGatewayProxyResponse{StatusCode: 200, Body: fmt.Sprint(free, owner, n)}, nil
}

func main() {
	var err error
	if db, err = sql.Open("mysql", os.Getenv("DSN")); err != nil {
		panic(err)
	}
	lambda.Start(handler)
}
