package main

import (
	"net/http"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"github.com/gin-gonic/gin"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
)

var sortable = map[string]string{
	"name":  "p.name",
	"score": "p.score",
}

type Player struct {
	ID    uint
	Name  string
	Score int
}

func main() {
	db, err := gorm.Open(mysql.Open("game@tcp(db)/game"), &gorm.Config{})
	if err != nil {
		panic(err)
	}
	r := gin.New()

	r.GET("/players", func(c *gin.Context) {
		col, ok := sortable[c.Query("sort")]
		if !ok {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		var ps []Player
		db.Table("players p").Order(col + " DESC").Limit(20).Find(&ps)
		c.JSON(200, ps)
	})

	r.GET("/players/all", func(c *gin.Context) {
		col := strings.ReplaceAll(c.DefaultQuery("sort", "name"), "'", "''")
		var ps []Player
		db.Order(col).Find(&ps)
		c.JSON(200, ps)
	})

	r.GET("/players/top", func(c *gin.Context) {
		query, args, _ := sq.Select("name").From("players").Where(sq.Gt{"score": 10}).OrderBy(c.Query("sort")).ToSql()
		var names []string
		db.Raw(query, args...).Scan(&names)
		c.JSON(200, names)
	})

	r.Run()
}
