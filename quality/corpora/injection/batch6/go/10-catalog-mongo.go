package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
)

type catalog struct {
	items  *mongo.Collection
	images string
}

func (c *catalog) send(w http.ResponseWriter, r *http.Request, filter interface{}, dst *[]bson.M) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(dst)
}

func (c *catalog) search(w http.ResponseWriter, r *http.Request) {
	term := r.URL.Query().Get("term")
	filter := bson.M{"$where": "this.title.indexOf('" + term + "') >= 0"}
	cur, err := c.items.Find(r.Context(), filter)
	if err != nil {
		http.Error(w, "search", http.StatusInternalServerError)
		return
	}
	var found []bson.M
	cur.All(r.Context(), &found)
	c.send(w, r, filter, &found)
}

func (c *catalog) byMaker(w http.ResponseWriter, r *http.Request) {
	filter := bson.M{"maker": r.URL.Query().Get("maker"), "hidden": false}
	cur, err := c.items.Find(r.Context(), filter)
	if err != nil {
		http.Error(w, "lookup", http.StatusInternalServerError)
		return
	}
	var found []bson.M
	cur.All(r.Context(), &found)
	c.send(w, r, filter, &found)
}

func (c *catalog) image(w http.ResponseWriter, r *http.Request) {
	id, err := primitive.ObjectIDFromHex(r.URL.Query().Get("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	original := filepath.Join(c.images, "original", fmt.Sprintf("%s.png", id.Hex()))
	data, err := os.ReadFile(original)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Write(data)
}

func (c *catalog) manual(w http.ResponseWriter, r *http.Request) {
	lang := r.URL.Query().Get("lang")
	if lang == "" {
		lang = "en"
	}
	http.ServeFile(w, r, fmt.Sprintf("/srv/manuals/%s/%s.pdf", lang, r.URL.Query().Get("model")))
}

func (c *catalog) setImage(w http.ResponseWriter, r *http.Request) {
	target := filepath.Join(c.images, r.PostFormValue("album"), r.PostFormValue("file"))
	out, err := os.Create(target)
	if err != nil {
		http.Error(w, "store", http.StatusInternalServerError)
		return
	}
	defer out.Close()
	out.WriteString(r.PostFormValue("data"))
}

func main() {
	client, err := mongo.Connect(context.Background(), options.Client().ApplyURI(os.Getenv("MONGO_URL")))
	if err != nil {
		log.Fatal(err)
	}
	c := &catalog{items: client.Database("shop").Collection("items"), images: "/srv/images"}
	http.HandleFunc("/search", c.search)
	http.HandleFunc("/maker", c.byMaker)
	http.HandleFunc("/image", c.image)
	http.HandleFunc("/manual", c.manual)
	http.HandleFunc("/image/set", c.setImage)
	log.Fatal(http.ListenAndServe(":8085", nil))
}
