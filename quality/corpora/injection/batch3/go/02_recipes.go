package recipes

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type Recipe struct {
	ID      uint
	Title   string
	Cuisine string
	Minutes int
}

type Handler struct {
	DB *gorm.DB
}

func (h *Handler) Register(r *gin.Engine) {
	r.GET("/recipes", h.list)
	r.GET("/recipes/quick", h.quick)
	r.GET("/recipes/raw", h.count)
	r.POST("/recipes/:id/title", h.rename)
	r.DELETE("/recipes/:cuisine", h.drop)
}

func (h *Handler) list(c *gin.Context) {
	var out []Recipe
	h.DB.Where("cuisine = ?", c.Query("cuisine")).Limit(50).Find(&out)
	c.JSON(http.StatusOK, out)
}

func (h *Handler) quick(c *gin.Context) {
	var out []Recipe
	order := c.DefaultQuery("order", "minutes")
	h.DB.Where("minutes < ?", 30).Order(order + " asc").Find(&out)
	c.JSON(http.StatusOK, out)
}

func (h *Handler) count(c *gin.Context) {
	var n int64
	h.DB.Raw("SELECT count(*) FROM recipes WHERE title LIKE '%" + c.Query("q") + "%'").Scan(&n)
	c.JSON(http.StatusOK, gin.H{"count": n})
}

func (h *Handler) rename(c *gin.Context) {
	h.DB.Exec("UPDATE recipes SET title = '" + c.PostForm("title") + "' WHERE id = ?", c.Param("id"))
	c.Status(http.StatusNoContent)
}

func (h *Handler) drop(c *gin.Context) {
	res := h.DB.Where(&Recipe{Cuisine: c.Param("cuisine")}).Delete(&Recipe{})
	c.JSON(http.StatusOK, gin.H{"removed": res.RowsAffected})
}
