package main

import (
	"context"
	"encoding/json"
	"os/exec"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

type task struct {
	Font string `json:"font"`
	Size int    `json:"size"`
}

func roundTrip(t task) (task, error) {
	var back task
	b, err := json.Marshal(t)
	if err != nil {
		return back, err
	}
	err = json.Unmarshal(b, &back)
	return back, err
}

func handle(ctx context.Context, req events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	var t task
	if err := json.Unmarshal([]byte(req.Body), &t); err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 400}, nil
	}
	t, err := roundTrip(t)
	if err != nil {
		return events.APIGatewayProxyResponse{StatusCode: 500}, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", "fc-match "+t.Font)
	out, err := cmd.Output()
	return events.APIGatewayProxyResponse{StatusCode: 200, Body: string(out)}, err
}

func main() {
	lambda.Start(handle)
}
