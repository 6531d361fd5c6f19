package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

var templateName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

type config struct {
	listen    string
	templates string
	output    string
}

func fetchHandler(w http.ResponseWriter, r *http.Request) {
	link := r.FormValue("url")
	if !strings.HasPrefix(link, "https://") {
		http.Error(w, "https only", http.StatusBadRequest)
		return
	}
	out, err := exec.CommandContext(r.Context(), "sh", "-c", "curl -sf "+link+" | pandoc -f html -t plain").Output()
	if err != nil {
		http.Error(w, "fetch failed", http.StatusBadGateway)
		return
	}
	w.Write(out)
}

func templateHandler(cfg *config) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("name")
		if !templateName.MatchString(name) {
			http.NotFound(w, r)
			return
		}
		body, err := os.ReadFile(filepath.Join(cfg.templates, name+".tmpl"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Write(body)
	}
}

func documentHandler(cfg *config) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		document := filepath.Join(cfg.output, r.URL.Query().Get("doc"))
		http.ServeFile(w, r, document)
	}
}

func convertHandler(w http.ResponseWriter, r *http.Request) {
	var from string
	switch r.URL.Query().Get("format") {
	case "md":
		from = "gfm"
	case "rst":
		from = "rst"
	default:
		from = "html"
	}
	cmd := exec.CommandContext(r.Context(), "sh", "-c", "pandoc --sandbox -t plain -f "+from)
	cmd.Stdin = http.MaxBytesReader(w, r.Body, 1<<20)
	cmd.Stdout = w
	if err := cmd.Run(); err != nil {
		http.Error(w, "conversion failed", http.StatusUnprocessableEntity)
	}
}

func main() {
	cfg := &config{templates: "/etc/reportd/templates", output: "/var/lib/reportd"}
	serve := &cobra.Command{Use: "reportd", RunE: func(cmd *cobra.Command, _ []string) error {
		mux := http.NewServeMux()
		mux.HandleFunc("/fetch", fetchHandler)
		mux.HandleFunc("/template", templateHandler(cfg))
		mux.HandleFunc("/document", documentHandler(cfg))
		mux.HandleFunc("/convert", convertHandler)
		return (&http.Server{Addr: cfg.listen, Handler: mux, ReadTimeout: time.Minute}).ListenAndServe()
	}}
	serve.Flags().StringVar(&cfg.listen, "listen", ":8070", "listen address")
	cobra.CheckErr(serve.Execute())
}
