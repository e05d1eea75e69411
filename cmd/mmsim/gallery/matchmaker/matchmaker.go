// Command matchmaker is matchmaker.py in Go. It matches players who have the same nearest
// datacenter, in the order in which they began to wait.
//
//	GOOS=wasip1 GOARCH=wasm go build -o matchmaker.wasm matchmaker.go
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"
	"slices"
)

// message is a hello, pass or bye message from mmsim.
type message struct {
	Hello       int
	Datacenters []string
	Match       struct{ Max int }

	Pass   int
	Add    []ticket
	Remove []ticket
}

type ticket struct {
	ID      string
	Players []struct {
		RTT map[string]float64 `json:"rtt_ms"`
	}
}

type match struct {
	Tickets    []string `json:"tickets"`
	Datacenter string   `json:"datacenter"`
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	var hello message
	var order []string            // datacenters in the order of their first ticket
	near := map[string][]string{} // ids of waiting tickets, by nearest datacenter
	for {
		var m message
		if err := in.Decode(&m); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		var answer any
		switch {
		case m.Hello > 0:
			hello, answer = m, map[string]any{"hello": 1, "name": "nearest", "version": "1"}
		case m.Pass > 0:
			for _, t := range m.Add {
				dc := nearest(hello.Datacenters, t.Players[0].RTT)
				if near[dc] == nil {
					order = append(order, dc)
				}
				near[dc] = append(near[dc], t.ID)
			}
			matches := []match{}
			for _, dc := range order {
				near[dc] = slices.DeleteFunc(near[dc], func(id string) bool {
					return slices.ContainsFunc(m.Remove, func(t ticket) bool { return t.ID == id })
				})
				for group := range slices.Chunk(near[dc], hello.Match.Max) {
					if len(group) == hello.Match.Max {
						matches = append(matches, match{group, dc})
					}
				}
			}
			answer = map[string]any{"matches": matches}
		default:
			return // bye
		}
		if err := out.Encode(answer); err != nil {
			log.Fatal(err)
		}
	}
}

// nearest returns the datacenter with the lowest round-trip time. If several have the same
// time, it returns the first.
func nearest(datacenters []string, rtt map[string]float64) (best string) {
	for _, dc := range datacenters {
		if ms, reaches := rtt[dc]; reaches && (best == "" || ms < rtt[best]) {
			best = dc
		}
	}
	return best
}
