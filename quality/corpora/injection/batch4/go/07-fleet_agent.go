package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

var mounts = map[string]string{"data": "/srv/data", "logs": "/var/log"}

type verb func(args []string) ([]byte, error)

func verbs() map[string]verb {
	return map[string]verb{
		"resolve": func(args []string) ([]byte, error) {
			return exec.Command("/bin/sh", "-c", "getent hosts "+args[0]).Output()
		},
		"disk": func(args []string) ([]byte, error) {
			mount, ok := mounts[args[0]]
			if !ok {
				return nil, fmt.Errorf("no mount %q", args[0])
			}
			return exec.Command("sh", "-c", "df -h "+mount+" | tail -n 1").Output()
		},
		"reload": func(args []string) ([]byte, error) {
			pid, err := strconv.Atoi(args[0])
			if err != nil || pid <= 1 {
				return nil, fmt.Errorf("bad pid")
			}
			return exec.Command("sh", "-c", fmt.Sprintf("kill -HUP %d && echo ok", pid)).Output()
		},
		"note": func(args []string) ([]byte, error) {
			return os.ReadFile("/var/spool/fleet/notes/" + strings.ToLower(args[0]))
		},
	}
}

func handle(conn net.Conn, table map[string]verb) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) < 2 {
			fmt.Fprintln(conn, "ERR usage: verb argument")
			continue
		}
		run, ok := table[fields[0]]
		if !ok {
			fmt.Fprintln(conn, "ERR unknown verb")
			continue
		}
		if out, err := run(fields[1:]); err == nil {
			conn.Write(out)
		}
	}
}

func main() {
	var listen string
	serve := &cobra.Command{
		Use:   "serve",
		Short: "answer fleet controller requests",
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			for {
				conn, err := l.Accept()
				if err != nil {
					return err
				}
				go handle(conn, verbs())
			}
		},
	}
	serve.Flags().StringVar(&listen, "listen", ":7443", "listen address")
	root := &cobra.Command{Use: "fleet-agent"}
	root.AddCommand(serve)
	if err := root.Execute(); err != nil {
		log.Fatal(err)
	}
}
