package main

import (
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/graphql-go/graphql"
	"github.com/graphql-go/handler"
	_ "github.com/jackc/pgx/v5/stdlib"
)

var db *sql.DB
var columns = []string{"name", "altitude", "opened_at"}

func arg[T any](p graphql.ResolveParams, name string, fallback T) T {
	if v, ok := p.Args[name].(T); ok {
		return v
	}
	return fallback
}

func names(rows *sql.Rows, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		list = append(list, "")
		rows.Scan(&list[len(list)-1])
	}
	return list, rows.Err()
}

func search(p graphql.ResolveParams) (any, error) {
	country := arg(p, "country", "ch")
	limit := arg(p, "limit", 20)
	return names(db.Query(fmt.Sprintf("SELECT name FROM stations WHERE country = '%s' LIMIT %d", country, limit)))
}

func recent(p graphql.ResolveParams) (any, error) {
	limit, offset := arg(p, "limit", 20), arg(p, "offset", 0)
	return names(db.Query(fmt.Sprintf("SELECT name FROM stations ORDER BY opened_at DESC LIMIT %d OFFSET %d", limit, offset)))
}

func sorted(p graphql.ResolveParams) (any, error) {
	column := arg(p, "by", "name")
	if !slices.Contains(columns, column) {
		return nil, fmt.Errorf("cannot sort by %q", column)
	}
	return names(db.Query("SELECT name FROM stations ORDER BY " + column))
}

func grouped(p graphql.ResolveParams) (any, error) {
	column := arg(p, "by", "name")
	if !slices.Contains(columns, column) {
		log.Printf("unusual grouping column %q", column)
	}
	return names(db.Query("SELECT MIN(name) FROM stations GROUP BY " + column))
}

func selected(p graphql.ResolveParams) (any, error) {
	codes := []string{"''"}
	for _, v := range arg[[]any](p, "codes", nil) {
		codes = append(codes, fmt.Sprintf("'%v'", v))
	}
	return names(db.Query("SELECT name FROM stations WHERE code IN (" + strings.Join(codes, ",") + ")"))
}

func main() {
	db, _ = sql.Open("pgx", os.Getenv("STATIONS_DSN"))
	str, num := &graphql.ArgumentConfig{Type: graphql.String}, &graphql.ArgumentConfig{Type: graphql.Int}
	out := graphql.NewList(graphql.String)
	codes := &graphql.ArgumentConfig{Type: out}
	query := graphql.NewObject(graphql.ObjectConfig{Name: "Query", Fields: graphql.Fields{
		"search":   {Type: out, Resolve: search, Args: graphql.FieldConfigArgument{"country": str, "limit": num}},
		"recent":   {Type: out, Resolve: recent, Args: graphql.FieldConfigArgument{"limit": num, "offset": num}},
		"sorted":   {Type: out, Resolve: sorted, Args: graphql.FieldConfigArgument{"by": str}},
		"grouped":  {Type: out, Resolve: grouped, Args: graphql.FieldConfigArgument{"by": str}},
		"selected": {Type: out, Resolve: selected, Args: graphql.FieldConfigArgument{"codes": codes}},
	}})
	schema, _ := graphql.NewSchema(graphql.SchemaConfig{Query: query})
	http.Handle("/graphql", handler.New(&handler.Config{Schema: &schema}))
	log.Fatal(http.ListenAndServe(":8080", nil))
}
