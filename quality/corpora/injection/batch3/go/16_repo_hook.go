package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os/exec"
	"regexp"
)

var (
	branchRe = regexp.MustCompile(`[A-Za-z0-9_/.-]+`)
	tagRe    = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)
	shaRe    = regexp.MustCompile(`(?m)^[0-9a-f]{40}$`)
)

type push struct {
	Branch string `json:"branch"`
	Tag    string `json:"tag"`
	Commit string `json:"commit"`
}

func sh(line string) error {
	c := exec.Command("sh", "-c", line)
	c.Dir = "/srv/checkout"
	return c.Run()
}

func onPush(w http.ResponseWriter, r *http.Request) {
	var p push
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		http.Error(w, "json", http.StatusBadRequest)
		return
	}
	if p.Branch != "" && branchRe.MatchString(p.Branch) {
		sh("git fetch origin && git reset --hard origin/" + p.Branch)
	}
	if shaRe.MatchString(p.Commit) {
		sh("git cat-file -e " + p.Commit)
	}
}

func onTag(w http.ResponseWriter, r *http.Request) {
	var p push
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil || !tagRe.MatchString(p.Tag) {
		http.Error(w, "tag", http.StatusBadRequest)
		return
	}
	out, err := exec.Command("sh", "-c", "cd /srv/release && git fetch --tags && git checkout "+p.Tag).CombinedOutput()
	if err != nil {
		http.Error(w, string(out), http.StatusInternalServerError)
	}
}

func main() {
	http.HandleFunc("POST /hooks/push", onPush)
	http.HandleFunc("POST /hooks/tag", onTag)
	log.Fatal(http.ListenAndServe(":9400", nil))
}
