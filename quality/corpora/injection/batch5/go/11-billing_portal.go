package portal

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

type ctxKey int

const (
	tenantKey ctxKey = iota
	localeKey
)

var schemaName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

func WithVisitor(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), tenantKey, r.Header.Get("X-Tenant"))
		locale := "en"
		if ck, err := r.Cookie("locale"); err == nil {
			locale = ck.Value
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, localeKey, locale)))
	})
}

func schema(ctx context.Context) (string, bool) {
	name, _ := ctx.Value(tenantKey).(string)
	return name, schemaName.MatchString(name)
}

type Portal struct{ DB *sql.DB }

func (p *Portal) emit(w http.ResponseWriter, rows *sql.Rows, err error) {
	if err != nil {
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
		return
	}
	defer rows.Close()
	var name, value string
	for rows.Next() && rows.Scan(&name, &value) == nil {
		fmt.Fprintf(w, "%s\t%s\n", name, value)
	}
}

func (p *Portal) Invoices(w http.ResponseWriter, r *http.Request) {
	name, known := schema(r.Context())
	if !known {
		http.Error(w, "unknown tenant", http.StatusForbidden)
		return
	}
	rows, err := p.DB.Query(fmt.Sprintf("SELECT number, total FROM %s.invoices WHERE paid = $1", name), r.FormValue("paid") == "1")
	p.emit(w, rows, err)
}

func (p *Portal) Products(w http.ResponseWriter, r *http.Request) {
	locale := r.Context().Value(localeKey).(string)
	query := "SELECT sku, title_" + locale + " FROM products"
	rows, err := p.DB.QueryContext(r.Context(), query)
	p.emit(w, rows, err)
}

func (p *Portal) Payments(w http.ResponseWriter, r *http.Request) {
	encoded := r.URL.Query().Get("payer")
	if strings.ContainsAny(encoded, "'\"\\;") {
		http.Error(w, "bad payer", http.StatusBadRequest)
		return
	}
	payer, _ := url.QueryUnescape(encoded)
	rows, err := p.DB.Query("SELECT id, amount FROM payments WHERE payer = '" + payer + "'")
	p.emit(w, rows, err)
}

func (p *Portal) Revenue(w http.ResponseWriter, r *http.Request) {
	period := r.FormValue("period")
	switch period {
	case "day", "week", "month":
	default:
		period = "year"
	}
	query := "SELECT date_trunc('" + period + "', paid_at)::text, sum(amount)::text FROM payments GROUP BY 1"
	rows, err := p.DB.Query(query)
	p.emit(w, rows, err)
}
