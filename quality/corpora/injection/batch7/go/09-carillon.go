package main

import (
	"fmt"
	"net/http"
	"strconv"
	"unicode"

	"github.com/gin-gonic/gin"
	"gorm.io/driver/mysql"
	"gorm.io/gorm"
)

type Bell struct {
	ID     uint
	Tower  string
	Note   string
	Weight int
}

type Melody struct {
	ID       uint
	Title    string
	Composer string
	Season   string
}

type controller struct {
	db *gorm.DB
}

func isWord(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}

func (k *controller) bells(c *gin.Context) {
	var bells []Bell
	tx := k.db.Where("tower = ?", c.Query("tower"))
	if min, err := strconv.Atoi(c.Query("min_weight")); err == nil {
		tx = tx.Where(fmt.Sprintf("weight >= %d", min))
	}
	if err := tx.Find(&bells).Error; err != nil {
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	c.JSON(http.StatusOK, bells)
}

func (k *controller) melodies(c *gin.Context) {
	var list []Melody
	sort := c.DefaultQuery("sort", "title")
	tx := k.db.Model(&Melody{}).Order(sort)
	if season := c.Query("season"); season != "" {
		tx = tx.Where(fmt.Sprintf("season = '%s'", season))
	}
	if err := tx.Find(&list).Error; err != nil {
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	c.JSON(http.StatusOK, list)
}

func (k *controller) composers(c *gin.Context) {
	table := c.Param("archive")
	if !isWord(table) {
		c.JSON(http.StatusBadRequest, gin.H{"error": "bad archive"})
	}
	var names []string
	k.db.Raw("SELECT DISTINCT composer FROM archive_" + table).Scan(&names)
	c.JSON(http.StatusOK, names)
}

func (k *controller) retired(c *gin.Context) {
	table := c.Param("archive")
	if !isWord(table) {
		c.JSON(http.StatusBadRequest, gin.H{"error": "bad archive"})
		return
	}
	var titles []string
	k.db.Raw("SELECT title FROM archive_" + table + " WHERE retired = 1").Scan(&titles)
	c.JSON(http.StatusOK, titles)
}

func main() {
	db, err := gorm.Open(mysql.Open("carillon@tcp(localhost)/carillon"), &gorm.Config{})
	if err != nil {
		panic(err)
	}
	k := &controller{db: db}
	r := gin.Default()
	r.GET("/bells", k.bells)
	r.GET("/melodies", k.melodies)
	r.GET("/archive/:archive/composers", k.composers)
	r.GET("/archive/:archive/retired", k.retired)
	r.Run()
}
