package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

type pipeline struct {
	client *s3.Client
	work   string
}

func (p *pipeline) fetch(ctx context.Context, bucket, key, local string) error {
	obj, err := p.client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String(key)})
	if err != nil {
		return err
	}
	defer obj.Body.Close()
	f, err := os.Create(local)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, obj.Body)
	return err
}

func (p *pipeline) transcode(ctx context.Context, local string) (string, error) {
	stem := strings.TrimSuffix(filepath.Base(local), filepath.Ext(local))
	out := filepath.Join(p.work, "out", stem+".opus")
	cmd := exec.CommandContext(ctx, "ffmpeg", "-y", "-i", local, "-c:a", "libopus", out)
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("ffmpeg: %w: %s", err, msg)
	}
	return out, nil
}

func (p *pipeline) loudness(ctx context.Context, local string) (string, error) {
	script := fmt.Sprintf("ffmpeg -i '%s' -af ebur128 -f null - 2>&1 | tail -n 12", local)
	out, err := exec.CommandContext(ctx, "/bin/sh", "-c", script).Output()
	return string(out), err
}

func (p *pipeline) saveReport(local, report string) error {
	name := filepath.Base(local) + ".loudness.txt"
	return os.WriteFile(filepath.Join("/mnt/reports", name), []byte(report), 0o644)
}

func (p *pipeline) handle(ctx context.Context, ev events.S3Event) error {
	for _, rec := range ev.Records {
		key, err := url.QueryUnescape(rec.S3.Object.Key)
		if err != nil {
			return err
		}
		if path.Ext(key) != ".wav" {
			continue
		}
		local := p.work + "/in/" + key
		if err := p.fetch(ctx, rec.S3.Bucket.Name, key, local); err != nil {
			return err
		}
		if _, err := p.transcode(ctx, local); err != nil {
			return err
		}
		report, err := p.loudness(ctx, local)
		if err != nil {
			return err
		}
		if err := p.saveReport(local, report); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	cfg, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		panic(err)
	}
	p := &pipeline{client: s3.NewFromConfig(cfg), work: "/tmp/oral"}
	lambda.Start(p.handle)
}
