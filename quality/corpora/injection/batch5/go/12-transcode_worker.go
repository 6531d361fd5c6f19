package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os/exec"
	"runtime"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

type job struct {
	ID     uint64   `json:"id"`
	Preset string   `json:"preset"`
	Tool   string   `json:"tool"`
	Label  string   `json:"label"`
	Titles []string `json:"titles"`
}

var presets = map[string][]string{
	"web":   {"-c:v", "libx264", "-crf", "23"},
	"audio": {"-vn", "-c:a", "aac"},
}

func mapped[T, R any](in []T, fn func(T) R) []R {
	out := make([]R, 0, len(in))
	for _, v := range in {
		out = append(out, fn(v))
	}
	return out
}

func transcode(j job) error {
	args := []string{"-y", "-i", fmt.Sprintf("/data/in/%d.mov", j.ID)}
	args = append(args, presets[j.Preset]...)
	args = append(args, fmt.Sprintf("/data/out/%d.mp4", j.ID))
	return exec.Command("ffmpeg", args...).Run()
}

func caption(j job) error {
	quoted := mapped(j.Titles, func(t string) string { return "'" + t + "'" })
	line := strings.Join(append([]string{"mkcaptions"}, quoted...), " ")
	return exec.Command("sh", "-c", line).Run()
}

func printLabel(j job) error {
	return exec.Command("/bin/sh", "-c", `printf '%s\n' "$1" | lp -d labels`, "sh", j.Label).Run()
}

func inspect(j job) error {
	path, err := exec.LookPath(j.Tool)
	if err != nil {
		return fmt.Errorf("tool for job %d: %w", j.ID, err)
	}
	out, err := exec.Command(path, fmt.Sprintf("/data/in/%d.mov", j.ID)).Output()
	log.Printf("job %d: %d bytes", j.ID, len(out))
	return err
}

func worker(jobs <-chan job, wg *sync.WaitGroup, steps ...func(job) error) {
	defer wg.Done()
	for j := range jobs {
		for _, run := range steps {
			if run(j) != nil {
				break
			}
		}
	}
}

func main() {
	nc, _ := nats.Connect("tls://queue.partners.example:4222")
	jobs := make(chan job, 64)
	var wg sync.WaitGroup
	wg.Add(runtime.NumCPU())
	for i := 0; i < runtime.NumCPU(); i++ {
		go worker(jobs, &wg, inspect, transcode, caption, printLabel)
	}
	nc.Subscribe("partner.jobs.*", func(m *nats.Msg) {
		var j job
		if err := json.Unmarshal(m.Data, &j); err == nil {
			jobs <- j
		}
	})
	wg.Wait()
}
