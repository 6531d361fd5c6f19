package main

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
)

type Repository struct{ pool *pgxpool.Pool }

func (r *Repository) ByOwner(ctx context.Context, owner, order string) ([]string, error) {
	rows, err := r.pool.Query(ctx, "SELECT file FROM media WHERE owner = $1 ORDER BY "+order, owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var f string
		if err := rows.Scan(&f); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, rows.Err()
}

func (r *Repository) Rename(ctx context.Context, id int, file string) error {
	_, err := r.pool.Exec(ctx, "UPDATE media SET file = $2 WHERE id = $1", id, file)
	return err
}

type Files struct{ root string }

func (f Files) At(name string) string { return filepath.Join(f.root, name) }

func (f Files) Move(from, to string) error {
	return os.Rename(f.At(from), f.At(to))
}

func (f Files) Remove(name string) error {
	return os.Remove(f.At(name))
}

type Thumbs struct{ size string }

func (t Thumbs) Make(file string) error {
	return exec.Command("sh", "-c", "vipsthumbnail "+file+" --size "+t.size).Run()
}

type Service struct {
	repo   *Repository
	files  Files
	thumbs Thumbs
}

func (s *Service) Rename(ctx context.Context, id int, from, to string) error {
	if err := s.files.Move(from, to); err != nil {
		return err
	}
	if err := s.repo.Rename(ctx, id, to); err != nil {
		return err
	}
	return s.thumbs.Make(s.files.At(to))
}

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		panic(err)
	}
	s := &Service{&Repository{pool}, Files{"/srv/media"}, Thumbs{"200x200"}}
	g := gin.Default()
	g.GET("/media", func(c *gin.Context) {
		files, err := s.repo.ByOwner(c, "me", c.DefaultQuery("order", "id"))
		c.JSON(http.StatusOK, gin.H{"files": files, "failed": err != nil})
	})
	g.GET("/media/file", func(c *gin.Context) {
		c.File(s.files.At(c.Query("name")))
	})
	g.DELETE("/media/file", func(c *gin.Context) {
		c.JSON(http.StatusOK, s.files.Remove(c.Query("name")) == nil)
	})
	g.POST("/media/:id", func(c *gin.Context) {
		id, _ := strconv.Atoi(c.Param("id"))
		c.JSON(http.StatusOK, s.Rename(c, id, c.PostForm("from"), c.PostForm("to")) == nil)
	})
	g.Run()
}
