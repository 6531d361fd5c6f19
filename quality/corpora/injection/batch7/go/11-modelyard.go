package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"

	"github.com/gliderlabs/ssh"
)

type yard struct {
	root   *os.Root
	static string
}

type command func(s ssh.Session, args []string) error

func (y *yard) table() map[string]command {
	return map[string]command{
		"show":  y.show,
		"log":   y.log,
		"power": y.power,
		"grep":  y.grep,
	}
}

func (y *yard) show(s ssh.Session, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: show PLAN")
	}
	f, err := y.root.Open(args[0])
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(s, f)
	return err
}

func (y *yard) log(s ssh.Session, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: log DAY")
	}
	if strings.HasPrefix(args[0], "/") || strings.HasPrefix(args[0], "..") {
		return fmt.Errorf("bad day")
	}
	data, err := os.ReadFile(y.static + "/log/" + args[0])
	if err != nil {
		return err
	}
	_, err = s.Write(data)
	return err
}

func (y *yard) power(s ssh.Session, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: power TRACK on|off")
	}
	var track int
	if _, err := fmt.Sscanf(args[0], "%d", &track); err != nil {
		return err
	}
	state := "0"
	if args[1] == "on" {
		state = "1"
	}
	line := fmt.Sprintf("echo %s > /sys/class/gpio/gpio%d/value", state, track)
	return exec.Command("sh", "-c", line).Run()
}

func (y *yard) grep(s ssh.Session, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: grep WORDS")
	}
	pattern := strings.Join(args, " ")
	cmd := exec.Command("sh", "-c", fmt.Sprintf("zcat %s/log/*.gz | grep -F -e %q", y.static, pattern))
	cmd.Stdout = s
	cmd.Stderr = s.Stderr()
	return cmd.Run()
}

func (y *yard) serve(s ssh.Session) {
	words := s.Command()
	if len(words) == 0 {
		io.WriteString(s, "no shell here\n")
		return
	}
	fn, ok := y.table()[words[0]]
	if !ok {
		io.WriteString(s.Stderr(), "unknown command\n")
		s.Exit(127)
		return
	}
	if err := fn(s, words[1:]); err != nil {
		fmt.Fprintln(s.Stderr(), err)
		s.Exit(1)
	}
}

func main() {
	root, err := os.OpenRoot("/srv/yard/plans")
	if err != nil {
		log.Fatal(err)
	}
	y := &yard{root: root, static: "/srv/yard"}
	log.Fatal(ssh.ListenAndServe(":2222", y.serve))
}
