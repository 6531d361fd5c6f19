package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type scan struct {
	Patient string `json:"patient"`
	Series  string `json:"series"`
	Data    []byte `json:"data"`
}

func handle(ctx context.Context, pool *pgxpool.Pool, s scan) error {
	dir := filepath.Join("/srv/scans", filepath.Base(s.Series))
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	if err := os.WriteFile("/srv/scans/inbox/"+s.Series+".dcm", s.Data, 0o640); err != nil {
		return err
	}
	if err := exec.CommandContext(ctx, "dcmodify", "-i", "PatientID="+s.Patient, "/srv/scans/work.dcm").Run(); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, "INSERT INTO scan(patient) VALUES ('"+s.Patient+"')"); err != nil {
		return err
	}
	_, err := pool.Exec(ctx, "UPDATE patient SET scanned = now() WHERE id = $1", s.Patient)
	return err
}

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{"kafka:9092"}, Topic: "scans", GroupID: "store"})
	for {
		m, err := reader.ReadMessage(ctx)
		if err != nil {
			log.Fatal(err)
		}
		var s scan
		if json.Unmarshal(m.Value, &s) != nil {
			continue
		}
		if err := handle(ctx, pool, s); err != nil {
			log.Print(err)
		}
	}
}
