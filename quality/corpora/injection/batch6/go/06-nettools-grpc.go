package netsvc

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "example.com/netops/gen/netops/v1"
)

type Server struct {
	pb.UnimplementedNetOpsServer
	timeout time.Duration
}

func New(timeout time.Duration) *Server {
	return &Server{timeout: timeout}
}

func (s *Server) shell(ctx context.Context, line string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, "bash", "-c", line).CombinedOutput()
	return string(out), err
}

func (s *Server) Lookup(ctx context.Context, req *pb.LookupRequest) (*pb.TextReply, error) {
	kind := "A"
	if req.GetIpv6() {
		kind = "AAAA"
	}
	text, err := s.shell(ctx, fmt.Sprintf("dig +short %s %s", kind, req.GetHost()))
	if err != nil {
		return nil, status.Error(codes.Unavailable, "lookup failed")
	}
	return &pb.TextReply{Text: text}, nil
}

func (s *Server) Trace(ctx context.Context, req *pb.TraceRequest) (*pb.TextReply, error) {
	ip := net.ParseIP(req.GetAddress())
	if ip == nil {
		return nil, status.Error(codes.InvalidArgument, "not an address")
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", "traceroute -n "+ip.String()+" | tail -n +2")
	out, err := cmd.Output()
	if err != nil {
		return nil, status.Error(codes.Unavailable, "trace failed")
	}
	return &pb.TextReply{Text: string(out)}, nil
}

func (s *Server) Banner(ctx context.Context, req *pb.BannerRequest) (*pb.TextReply, error) {
	host := req.GetHost()
	for _, bad := range []string{";", "&", "|"} {
		if strings.Contains(host, bad) {
			return nil, status.Error(codes.InvalidArgument, "bad host")
		}
	}
	line := fmt.Sprintf("echo QUIT | nc -w 2 %s %d", host, req.GetPort())
	out, err := exec.CommandContext(ctx, "sh", "-c", line).Output()
	if err != nil {
		return nil, status.Error(codes.Unavailable, "no banner")
	}
	return &pb.TextReply{Text: string(out)}, nil
}

func (s *Server) Listeners(ctx context.Context, req *pb.ListenersRequest) (*pb.TextReply, error) {
	var port uint32 = req.GetPort()
	line := fmt.Sprintf("ss -ltnp | grep ':%d '", port)
	out, _ := exec.CommandContext(ctx, "sh", "-c", line).Output()
	return &pb.TextReply{Text: string(out)}, nil
}
