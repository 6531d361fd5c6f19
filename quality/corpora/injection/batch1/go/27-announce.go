package main

import (
	"fmt"
	"net/mail"
	"os"
	"os/exec"
	"strings"
)

func single(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func handle(m *mail.Message) error {
	subject := m.Header.Get("Subject")
	from := m.Header.Get("From")

	line := fmt.Sprintf("wall %q", subject)
	if err := exec.Command("sh", "-c", line).Run(); err != nil {
		return err
	}

	line = "logger -t mail -- " + single(from)
	if err := exec.Command("sh", "-c", line).Run(); err != nil {
		return err
	}

	line = "say '" + strings.ReplaceAll(subject, "'", `\'`) + "'"
	return exec.Command("sh", "-c", line).Run()
}

// Delivery agent, one message on standard input per call.
func main() {
	m, err := mail.ReadMessage(os.Stdin)
	if err != nil {
		os.Exit(75)
	}
	if err := handle(m); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(75)
	}
}
