package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hibiken/asynq"
)

type mirrorPayload struct {
	Gauge string `json:"gauge"`
	Host  string `json:"host"`
}

type plotPayload struct {
	Gauge  string `json:"gauge"`
	Title  string `json:"title"`
	Output string `json:"output"`
}

func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func sh(ctx context.Context, script string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	argv := append([]string{"-c", script, "gauge"}, args...)
	out, err := exec.CommandContext(ctx, "/bin/sh", argv...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func decode[T any](t *asynq.Task) (T, error) {
	var v T
	err := json.Unmarshal(t.Payload(), &v)
	return v, err
}

func mirror(ctx context.Context, t *asynq.Task) error {
	p, err := decode[mirrorPayload](t)
	if err != nil {
		return err
	}
	return sh(ctx, fmt.Sprintf("rsync -a /data/gauges/ %s:/data/gauges/ && date > /data/last", p.Host))
}

func notify(ctx context.Context, t *asynq.Task) error {
	p, err := decode[mirrorPayload](t)
	if err != nil {
		return err
	}
	return sh(ctx, `printf 'gauge %s silent\n' "$1" | logger -t gauge-alarm`, p.Gauge)
}

func plot(ctx context.Context, t *asynq.Task) error {
	p, err := decode[plotPayload](t)
	if err != nil {
		return err
	}
	script := "printf '%s' " + shellQuote(p.Title) + " | /opt/hydro/plot --title-from-stdin > /data/plots/current.svg"
	if err := sh(ctx, script); err != nil {
		return err
	}
	svg, err := os.ReadFile("/data/plots/current.svg")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("/data/plots", p.Output), svg, 0o644)
}

func prune(ctx context.Context, t *asynq.Task) error {
	p, err := decode[plotPayload](t)
	if err != nil {
		return err
	}
	return sh(ctx, `find /data/plots -name "`+shellQuote(p.Gauge)+`*" -mtime +30 -delete`)
}

func main() {
	srv := asynq.NewServer(asynq.RedisClientOpt{Addr: "localhost:6379"}, asynq.Config{Concurrency: 4})
	mux := asynq.NewServeMux()
	mux.HandleFunc("gauge:mirror", mirror)
	mux.HandleFunc("gauge:notify", notify)
	mux.HandleFunc("gauge:plot", plot)
	mux.HandleFunc("gauge:prune", prune)
	if err := srv.Run(mux); err != nil {
		log.Fatal(err)
	}
}
