package main

import (
	"context"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "example.org/assets/gen/assetspb"
)

type source interface {
	Read(name string) ([]byte, error)
}

type diskSource struct{ root string }

func (d diskSource) Read(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(d.root, name))
}

type brandSource map[string]string

func (b brandSource) Read(name string) ([]byte, error) {
	path, ok := b[name]
	if !ok {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(path)
}

type assetServer struct {
	pb.UnimplementedAssetsServer
	root    string
	sources map[pb.Kind]source
}

func (s *assetServer) Get(ctx context.Context, req *pb.GetRequest) (*pb.Asset, error) {
	src, ok := s.sources[req.GetKind()]
	if !ok {
		return nil, status.Error(codes.InvalidArgument, "kind")
	}
	data, err := src.Read(req.GetName())
	if err != nil {
		return nil, status.Error(codes.NotFound, req.GetName())
	}
	return &pb.Asset{Data: data}, nil
}

func (s *assetServer) Delete(ctx context.Context, req *pb.DeleteRequest) (*pb.Empty, error) {
	target := filepath.Join(s.root, req.GetName())
	rel, err := filepath.Rel(s.root, target)
	if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return nil, status.Error(codes.InvalidArgument, "name")
	}
	if err := os.Remove(target); err != nil {
		return nil, status.Error(codes.NotFound, rel)
	}
	return &pb.Empty{}, nil
}

func (s *assetServer) Mirror(ctx context.Context, req *pb.MirrorRequest) (*pb.Empty, error) {
	args := []string{"--quiet", "--directory-prefix=" + s.root}
	args = append(args, req.GetUrls()...)
	if err := exec.CommandContext(ctx, "wget", args...).Run(); err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return &pb.Empty{}, nil
}

func main() {
	lis, err := net.Listen("tcp", ":7000")
	if err != nil {
		log.Fatal(err)
	}
	root := "/srv/assets"
	server := grpc.NewServer()
	pb.RegisterAssetsServer(server, &assetServer{root: root, sources: map[pb.Kind]source{
		pb.Kind_UPLOAD: diskSource{root},
		pb.Kind_BRAND:  brandSource{"logo": "/srv/brand/logo.svg", "icon": "/srv/brand/icon.ico"},
	}})
	log.Fatal(server.Serve(lis))
}
