package profiles

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type Profile struct {
	ID     uint   `json:"id"`
	TeamID uint   `json:"team_id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

type filterInput struct {
	Status string `json:"status" binding:"required"`
	Limit  int    `json:"limit"`
}

type Handler struct {
	DB *gorm.DB
}

func (h *Handler) Register(r gin.IRouter) {
	r.GET("/profiles", h.index)
	r.GET("/profiles/:id", h.show)
	r.GET("/teams/:team/profiles", h.byTeam)
	r.GET("/profiles/recent", h.recent)
	r.POST("/profiles/filter", h.filter)
}

func byStatus(status string) func(*gorm.DB) *gorm.DB {
	return func(tx *gorm.DB) *gorm.DB {
		return tx.Where("status = '" + status + "' AND hidden = 0")
	}
}

func (h *Handler) index(c *gin.Context) {
	var out []Profile
	order := c.DefaultQuery("sort", "id") + " " + c.DefaultQuery("dir", "asc")
	if err := h.DB.Order(order).Limit(100).Find(&out).Error; err != nil {
		c.AbortWithStatus(http.StatusInternalServerError)
		return
	}
	c.JSON(http.StatusOK, out)
}

func (h *Handler) show(c *gin.Context) {
	var p Profile
	if err := h.DB.First(&p, c.Param("id")).Error; err != nil {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	c.JSON(http.StatusOK, p)
}

func (h *Handler) byTeam(c *gin.Context) {
	var out []Profile
	pattern := "%" + c.Query("name") + "%"
	h.DB.Where("team_id = ? AND name LIKE ?", c.Param("team"), pattern).Find(&out)
	c.JSON(http.StatusOK, out)
}

func (h *Handler) recent(c *gin.Context) {
	days, err := strconv.ParseUint(c.DefaultQuery("days", "7"), 10, 16)
	if err != nil {
		c.AbortWithStatus(http.StatusBadRequest)
		return
	}
	var out []Profile
	h.DB.Raw(fmt.Sprintf("SELECT * FROM profiles WHERE seen_at > NOW() - INTERVAL %d DAY", days)).Scan(&out)
	c.JSON(http.StatusOK, out)
}

func (h *Handler) filter(c *gin.Context) {
	var in filterInput
	if err := c.ShouldBindJSON(&in); err != nil {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	var out []Profile
	h.DB.Scopes(byStatus(in.Status)).Limit(in.Limit).Find(&out)
	c.JSON(http.StatusOK, out)
}
