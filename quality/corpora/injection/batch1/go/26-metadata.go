package main

import (
	"encoding/json"
	"net/http"
	"os/exec"
)

type tag struct {
	Artist string `json:"artist"`
	Album  string `json:"album"`
	Genre  string `json:"genre"`
}

func setTag(w http.ResponseWriter, r *http.Request) {
	var t tag
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	args := []string{"--artist=" + t.Artist, "/srv/track.mp3"}
	if t.Album != "" {
		args = append([]string{"--album=" + t.Album}, args...)
	}
	if err := exec.Command("id3tag", args...).Run(); err != nil {
		http.Error(w, "id3tag", 500)
		return
	}
	shell := []string{"-c", "id3tag --genre=" + t.Genre + " /srv/track.mp3"}
	if err := exec.Command("bash", shell...).Run(); err != nil {
		http.Error(w, "id3tag", 500)
	}
}

func main() {
	http.HandleFunc("/tag", setTag)
	http.ListenAndServe(":8080", nil)
}
