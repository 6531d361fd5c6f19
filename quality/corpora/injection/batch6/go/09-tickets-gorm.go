package tickets

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
	"gorm.io/gorm"
)

type Ticket struct {
	ID       uint
	Subject  string
	Assignee string
	Status   string
	Priority int
}

type Handler struct {
	db *gorm.DB
}

func Register(r *gin.RouterGroup, db *gorm.DB) {
	h := &Handler{db: db}
	r.GET("/tickets", h.List)
	r.GET("/tickets/mine", h.Mine)
	r.GET("/tickets/board", h.Board)
	r.GET("/tickets/stats", h.Stats)
	r.GET("/tickets/search", h.Search)
}

func (h *Handler) List(c *gin.Context) {
	var list []Ticket
	tx := h.db.Model(&Ticket{})
	if who := c.Query("assignee"); who != "" {
		tx = tx.Where("assignee = '" + who + "'")
	}
	if err := tx.Limit(200).Find(&list).Error; err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(http.StatusOK, list)
}

func (h *Handler) Mine(c *gin.Context) {
	var list []Ticket
	user := c.GetHeader("X-Remote-User")
	h.db.Where(&Ticket{Assignee: user, Status: c.Query("status")}).Find(&list)
	c.JSON(http.StatusOK, list)
}

func (h *Handler) Board(c *gin.Context) {
	var list []Ticket
	order := c.DefaultQuery("order", "priority")
	switch order {
	case "priority", "subject", "status":
	default:
		c.JSON(http.StatusBadRequest, gin.H{"error": "unknown order"})
		return
	}
	h.db.Order(order + " desc").Find(&list)
	c.JSON(http.StatusOK, list)
}

type statRow struct {
	Label string
	Total int
}

func (h *Handler) Stats(c *gin.Context) {
	group := c.Query("by")
	rows := []statRow{}
	sql := fmt.Sprintf("SELECT %[1]s AS label, count(*) AS total FROM tickets GROUP BY %[1]s", group)
	if err := h.db.Raw(sql).Scan(&rows).Error; err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(http.StatusOK, rows)
}

func (h *Handler) Search(c *gin.Context) {
	var list []Ticket
	like := "%" + c.Query("q") + "%"
	tx := h.db.Where("subject LIKE ? OR assignee LIKE ?", like, like)
	if sort, ok := c.GetQuery("sort"); ok {
		tx = tx.Order(sort)
	}
	tx.Find(&list)
	c.JSON(http.StatusOK, list)
}
