package products

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type Product struct {
	ID    uint
	Maker string
	Color string
}

type API struct{ DB *gorm.DB }

func (a API) ByMaker(c *gin.Context) {
	var out []Product
	a.DB.Where(&Product{Maker: c.Query("maker")}).Order("id").Find(&out)
	c.JSON(http.StatusOK, out)
}

func (a API) ByColor(c *gin.Context) {
	var out []Product
	a.DB.Where("color = '" + c.Query("color") + "'").Find(&out)
	c.JSON(http.StatusOK, out)
}

func (a API) Sorted(c *gin.Context) {
	var out []Product
	a.DB.Order(c.Query("sort")).Find(&out)
	c.JSON(http.StatusOK, out)
}

func (a API) Bound(c *gin.Context) {
	var out []Product
	a.DB.Where("color = ? AND maker LIKE ?", c.Query("color"), c.Query("maker")+"%").Find(&out)
	c.JSON(http.StatusOK, out)
}

func (a API) Purge(c *gin.Context) {
	a.DB.Exec("DELETE FROM products WHERE batch = '" + c.Param("batch") + "'")
	c.Status(http.StatusNoContent)
}

func (a API) Grouped(c *gin.Context) {
	var n int64
	a.DB.Model(&Product{}).Group("maker").Having("count(*) > " + c.Query("min")).Count(&n)
	c.JSON(http.StatusOK, n)
}
