package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/segmentio/kafka-go"
)

const dataDir = "/srv/backup/sets"

var (
	dataset = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)
	tag     = regexp.MustCompile(`[a-z0-9_]+`)
)

type job struct {
	Kind    string            `json:"kind"`
	Dataset string            `json:"dataset"`
	Tag     string            `json:"tag"`
	Target  string            `json:"target"`
	Labels  map[string]string `json:"labels"`
}

func (j job) commandLine() string {
	line := "backup-push --target " + j.Target
	for k, v := range j.Labels {
		line += " --label '" + k + "=" + v + "'"
	}
	return line
}

func (j job) verify() error {
	if !dataset.MatchString(j.Dataset) {
		return os.ErrInvalid
	}
	return exec.Command("bash", "-c", "backup-verify --set "+j.Dataset+" 2>&1 | logger -t backup").Run()
}

func (j job) prune() error {
	if !tag.MatchString(j.Tag) {
		return os.ErrInvalid
	}
	return os.RemoveAll(filepath.Join(dataDir, j.Tag))
}

func worker(jobs <-chan job) {
	for j := range jobs {
		var err error
		switch j.Kind {
		case "push":
			err = exec.Command("bash", "-c", j.commandLine()).Run()
		case "verify":
			err = j.verify()
		case "prune":
			err = j.prune()
		default:
			action := "status"
			if j.Kind == "full" {
				action = "status --all"
			}
			err = exec.Command("sh", "-c", "backupctl "+action+" > /var/run/backup.status").Run()
		}
		log.Printf("%s: %v", j.Kind, err)
	}
}

func main() {
	jobs := make(chan job, 16)
	for i := 0; i < 4; i++ {
		go worker(jobs)
	}
	brokers := []string{os.Getenv("KAFKA_BROKER")}
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, GroupID: "backup", Topic: "requests"})
	for {
		msg, err := reader.ReadMessage(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		var j job
		if json.Unmarshal(msg.Value, &j) == nil {
			jobs <- j
		}
	}
}
