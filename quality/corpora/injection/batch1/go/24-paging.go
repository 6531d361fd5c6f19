package paging

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"gorm.io/gorm"
)

func Page(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		page, err := strconv.Atoi(c.DefaultQuery("page", "0"))
		if err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		var titles []string
		db.Raw(fmt.Sprintf("SELECT title FROM post LIMIT 20 OFFSET %d", page*20)).Scan(&titles)
		c.JSON(http.StatusOK, titles)
	}
}

func ByAuthor(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		id, err := uuid.Parse(c.Param("author"))
		if err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		var titles []string
		db.Raw("SELECT title FROM post WHERE author = '" + id.String() + "'").Scan(&titles)
		c.JSON(http.StatusOK, titles)
	}
}

func ByYear(db *gorm.DB) gin.HandlerFunc {
	return func(c *gin.Context) {
		year := c.Query("year")
		if _, err := strconv.Atoi(year); err != nil {
			c.Error(err)
		}
		var titles []string
		db.Raw("SELECT title FROM post WHERE year = " + year).Scan(&titles)
		c.JSON(http.StatusOK, titles)
	}
}
