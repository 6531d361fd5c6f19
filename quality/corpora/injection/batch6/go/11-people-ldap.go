package people

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-ldap/ldap/v3"
	"github.com/gorilla/mux"
)

type Directory struct {
	conn   *ldap.Conn
	audit  *sql.DB
	baseDN string
}

func (d *Directory) request(filter string) *ldap.SearchRequest {
	return ldap.NewSearchRequest(
		d.baseDN,
		ldap.ScopeWholeSubtree, ldap.NeverDerefAliases, 50, 10, false,
		filter,
		[]string{"cn", "mail", "telephoneNumber"},
		nil,
	)
}

func render(w http.ResponseWriter, res *ldap.SearchResult, err error) {
	if err != nil {
		http.Error(w, "directory", http.StatusBadGateway)
		return
	}
	out := make([]map[string]string, 0, len(res.Entries))
	for _, e := range res.Entries {
		out = append(out, map[string]string{"cn": e.GetAttributeValue("cn"), "mail": e.GetAttributeValue("mail")})
	}
	json.NewEncoder(w).Encode(out)
}

func (d *Directory) Find(w http.ResponseWriter, r *http.Request) {
	name := mux.Vars(r)["name"]
	filter := fmt.Sprintf("(&(objectClass=person)(cn=*%s*))", name)
	res, err := d.conn.Search(d.request(filter))
	render(w, res, err)
}

func (d *Directory) FindMail(w http.ResponseWriter, r *http.Request) {
	mail := ldap.EscapeFilter(r.FormValue("mail"))
	res, err := d.conn.Search(d.request("(&(objectClass=person)(mail=" + mail + "))"))
	render(w, res, err)
}

func (d *Directory) logView(r *http.Request, subject string) error {
	_, err := d.audit.Exec("INSERT INTO views (viewer, subject) VALUES (?, ?)", r.Header.Get("X-User"), subject)
	return err
}

func (d *Directory) Views(w http.ResponseWriter, r *http.Request) {
	subject := r.FormValue("subject")
	if strings.ContainsAny(subject, ";") {
		http.Error(w, "bad subject", http.StatusBadRequest)
		return
	}
	if err := d.logView(r, subject); err != nil {
		http.Error(w, "audit", http.StatusInternalServerError)
		return
	}
	var n int
	row := d.audit.QueryRow("SELECT count(*) FROM views WHERE subject = '" + subject + "'")
	if err := row.Scan(&n); err != nil {
		http.Error(w, "audit", http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, n)
}

func Routes(d *Directory) *mux.Router {
	r := mux.NewRouter()
	r.HandleFunc("/people/{name}", d.Find).Methods(http.MethodGet)
	r.HandleFunc("/people-by-mail", d.FindMail).Methods(http.MethodGet)
	r.HandleFunc("/views", d.Views).Methods(http.MethodPost)
	return r
}
