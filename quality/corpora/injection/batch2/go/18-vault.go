package main

import (
	"io"
	"log"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
)

const vault = "/srv/vault"

func serve(conn net.Conn) {
	defer conn.Close()
	tp := textproto.NewConn(conn)
	line, err := tp.ReadLine()
	if err != nil {
		return
	}
	verb, arg, _ := strings.Cut(line, " ")
	switch verb {
	case "GET":
		full := vault + "/" + arg
		if !strings.HasPrefix(full, vault) {
			return
		}
		f, err := os.Open(full)
		if err != nil {
			return
		}
		io.Copy(conn, f)
		f.Close()
	case "DEL":
		full := filepath.Join(vault, arg)
		if !strings.HasPrefix(full, vault) {
			return
		}
		os.Remove(full)
	}
}

func main() {
	l, err := net.Listen("tcp", ":7777")
	if err != nil {
		log.Fatal(err)
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			continue
		}
		go serve(conn)
	}
}
