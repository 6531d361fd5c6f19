package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	_ "github.com/mattn/go-sqlite3"
)

type handler func(hive string, payload []byte) error

type apiary struct {
	db     *sql.DB
	routes map[string]handler
}

func newApiary(db *sql.DB) *apiary {
	a := &apiary{db: db}
	a.routes = map[string]handler{
		"weight": a.weight,
		"swarm":  a.swarm,
		"buzz":   a.buzz,
		"vent":   a.vent,
	}
	return a
}

func (a *apiary) dispatch(_ mqtt.Client, m mqtt.Message) {
	parts := strings.Split(m.Topic(), "/")
	if len(parts) != 3 {
		return
	}
	h, known := a.routes[parts[2]]
	if !known {
		log.Printf("no route for %q", parts[2])
		return
	}
	if err := h(parts[1], m.Payload()); err != nil {
		log.Printf("%s: %v", m.Topic(), err)
	}
}

func (a *apiary) weight(hive string, payload []byte) error {
	kg, err := strconv.ParseFloat(string(payload), 64)
	if err != nil {
		return err
	}
	_, err = a.db.Exec(fmt.Sprintf("INSERT INTO weights (hive, kg) VALUES (?, %.2f)", kg), hive)
	return err
}

func (a *apiary) swarm(hive string, payload []byte) error {
	var state bool
	if err := json.Unmarshal(payload, &state); err != nil {
		return err
	}
	query := "UPDATE hives SET swarming = ? WHERE serial = '" + hive + "'"
	_, err := a.db.Exec(query, state)
	return err
}

func (a *apiary) buzz(hive string, payload []byte) error {
	var clip struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(payload, &clip); err != nil {
		return err
	}
	if strings.ContainsAny(clip.URL, ";|& ") {
		return fmt.Errorf("suspicious url")
	}
	line := "curl -s " + clip.URL + " | sox -t wav - -n stat"
	out, err := exec.Command("bash", "-c", line).CombinedOutput()
	log.Printf("hive %s: %s", hive, out)
	return err
}

func (a *apiary) vent(hive string, payload []byte) error {
	position := "closed"
	switch string(payload) {
	case "1", "open":
		position = "open"
	case "half":
		position = "half"
	}
	return exec.Command("sh", "-c", "/opt/apiary/vent --all "+position+" >> /var/log/vent.log").Run()
}

func main() {
	db, err := sql.Open("sqlite3", "/var/lib/apiary/apiary.db")
	if err != nil {
		log.Fatal(err)
	}
	a := newApiary(db)
	opts := mqtt.NewClientOptions().AddBroker("tcp://localhost:1883").SetClientID("apiary")
	client := mqtt.NewClient(opts)
	if t := client.Connect(); t.Wait() && t.Error() != nil {
		log.Fatal(t.Error())
	}
	client.Subscribe("hives/#", 1, a.dispatch)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
}
