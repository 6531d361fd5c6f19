package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

var domainPattern = regexp.MustCompile(`[a-z0-9-]+\.[a-z]{2,12}`)

var scripts = map[string]string{
	"routes": "ip route show | head -n 40",
	"socket": "ss -tln | awk '{print $4}'",
	"uptime": "uptime -p; cat /proc/loadavg",
}

func capture(w http.ResponseWriter, cmd *exec.Cmd) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
	}
	w.Write(out)
}

func deadline(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(r.Context(), 15*time.Second)
}

func ping(w http.ResponseWriter, r *http.Request) {
	ip := net.ParseIP(r.URL.Query().Get("ip"))
	if ip == nil {
		http.Error(w, "bad address", http.StatusBadRequest)
		return
	}
	ctx, cancel := deadline(r)
	defer cancel()
	capture(w, exec.CommandContext(ctx, "sh", "-c", "ping -c 3 "+ip.String()+" | tail -n 3"))
}

func whois(w http.ResponseWriter, r *http.Request) {
	domain := strings.ToLower(r.URL.Query().Get("domain"))
	if !domainPattern.MatchString(domain) {
		http.Error(w, "bad domain", http.StatusBadRequest)
		return
	}
	ctx, cancel := deadline(r)
	defer cancel()
	capture(w, exec.CommandContext(ctx, "sh", "-c", "whois "+domain+" | grep -i expir"))
}

func remoteUptime(w http.ResponseWriter, r *http.Request) {
	host := r.URL.Query().Get("host")
	if host == "" || strings.ContainsAny(host, ";|&`$<>\"'\\\n") {
		http.Error(w, "bad host", http.StatusBadRequest)
		return
	}
	args := []string{"-q", host, "uptime"}
	capture(w, exec.Command("ssh", args...))
}

func builtin(w http.ResponseWriter, r *http.Request) {
	script, found := scripts[chi.URLParam(r, "name")]
	if !found {
		http.NotFound(w, r)
		return
	}
	capture(w, exec.Command("bash", "-c", script))
}

func main() {
	r := chi.NewRouter()
	r.Use(middleware.Logger)
	r.Get("/ping", ping)
	r.Get("/whois", whois)
	r.Get("/remote/uptime", remoteUptime)
	r.Get("/builtin/{name}", builtin)
	log.Fatal(http.ListenAndServe(":9000", r))
}
