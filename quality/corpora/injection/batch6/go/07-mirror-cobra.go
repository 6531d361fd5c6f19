package main

import (
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
)

var repoName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

type mirror struct {
	base string
}

type mirrorRequest struct {
	URL    string `json:"url"`
	Name   string `json:"name"`
	Branch string `json:"branch"`
}

func decode(w http.ResponseWriter, r *http.Request) (mirrorRequest, bool) {
	var req mirrorRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || !repoName.MatchString(req.Name) {
		http.Error(w, "bad request", http.StatusBadRequest)
		return req, false
	}
	return req, true
}

func (m *mirror) add(w http.ResponseWriter, r *http.Request) {
	req, ok := decode(w, r)
	if !ok {
		return
	}
	u, err := url.Parse(req.URL)
	if err != nil || u.Scheme != "https" {
		http.Error(w, "only https", http.StatusBadRequest)
		return
	}
	dir := filepath.Join(m.base, req.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		http.Error(w, "mkdir", http.StatusInternalServerError)
		return
	}
	out, err := exec.CommandContext(r.Context(), "git", "clone", "--mirror", "--", u.String(), dir).CombinedOutput()
	if err != nil {
		http.Error(w, string(out), http.StatusBadGateway)
	}
}

func (m *mirror) heads(w http.ResponseWriter, r *http.Request) {
	remote := r.URL.Query().Get("remote")
	cmd := exec.CommandContext(r.Context(), "git", "ls-remote", "--heads", remote)
	cmd.Dir = m.base
	out, err := cmd.Output()
	if err != nil {
		http.Error(w, "unreachable", http.StatusBadGateway)
		return
	}
	w.Write(out)
}

func (m *mirror) update(w http.ResponseWriter, r *http.Request) {
	req, ok := decode(w, r)
	if !ok {
		return
	}
	script := "cd " + filepath.Join(m.base, req.Name) + " && git fetch origin " + req.Branch + " && git gc --auto"
	out, err := exec.Command("sh", "-c", script).CombinedOutput()
	if err != nil {
		http.Error(w, string(out), http.StatusBadGateway)
	}
}

func main() {
	var addr, base string
	root := &cobra.Command{
		Use:   "mirrord",
		Short: "keeps local mirrors of git repositories",
		RunE: func(cmd *cobra.Command, args []string) error {
			m := &mirror{base: base}
			mux := http.NewServeMux()
			mux.HandleFunc("/add", m.add)
			mux.HandleFunc("/heads", m.heads)
			mux.HandleFunc("/update", m.update)
			return http.ListenAndServe(addr, mux)
		},
	}
	root.Flags().StringVar(&addr, "listen", ":7070", "listen address")
	root.Flags().StringVar(&base, "base", "/var/lib/mirrord", "mirror folder")
	if err := root.Execute(); err != nil {
		log.Fatal(err)
	}
}
