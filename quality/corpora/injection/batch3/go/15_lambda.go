package main

import (
	"context"
	"os"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

const (
	multiTenant = false
	cacheOnDisk = true
	shards      = 4
)

func templateName(q map[string]string) string {
	if multiTenant {
		return q["template"]
	}
	return "invoice.tmpl"
}

func cacheName(q map[string]string) string {
	name := "default"
	if cacheOnDisk && shards > 2 {
		name = q["cache"]
	}
	return name
}

func handle(ctx context.Context, req events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	q := req.QueryStringParameters

	tmpl, err := os.ReadFile("/opt/templates/" + templateName(q))
	if err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 500}, nil
	}

	if cached, err := os.ReadFile("/tmp/cache/" + cacheName(q)); err == nil {
		return events.APIGatewayProxyResponse{StatusCode: 200, Body: string(cached)}, nil
	}

	var target string
	switch shards % 2 {
	case 0:
		target = "/tmp/out/shared"
	default:
		target = "/tmp/out/" + q["target"]
	}
	if err := os.WriteFile(target, tmpl, 0o600); err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 500}, nil
	}
	return events.APIGatewayProxyResponse{StatusCode: 200, Body: string(tmpl)}, nil
}

func main() {
	lambda.Start(handle)
}
