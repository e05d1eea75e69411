// Command guest is a matchmaker for tests of WebAssembly modules. The name of its queue
// selects what it does, so that one module serves all tests. It matches the tickets that have
// waited longest. If the queue is named after a fault, the fault occurs in the third pass.
package main

import (
	"bufio"
	crypto "crypto/rand"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

type message struct {
	Hello int
	Queue string
	Match struct{ Max int }
	NowS  float64 `json:"now_s"`

	Datacenter  string
	Add, Remove []struct {
		ID       string
		CreatedS float64 `json:"created_s"`
		Players  []struct{ ID string }
	}
	Bye string
}

type ticket struct {
	id      string
	players int
}

type match struct {
	Tickets []string `json:"tickets"`
}

type answer struct {
	Matches []match           `json:"matches,omitempty"`
	Why     map[string]string `json:"why,omitempty"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	waits := map[string][]ticket{}
	queue, size := "", 0
	for passes := 0; ; passes++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		if queue == "silent" && passes > 0 {
			os.Stdout.WriteString("{}\n")
			continue
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if m.Hello > 0 {
			queue, size = m.Queue, m.Match.Max
			os.Stdout.WriteString(`{"hello":1,"name":"guest","version":"1"}` + "\n")
			continue
		}
		if passes == 3 {
			fault(queue)
		}
		var a answer
		list := slices.DeleteFunc(waits[m.Datacenter], func(t ticket) bool {
			for _, r := range m.Remove {
				if r.ID == t.id {
					return true
				}
			}
			return false
		})
		for _, t := range m.Add {
			list = append(list, ticket{t.ID, len(t.Players)})
		}
		if queue == "dice" {
			rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if time.Now().Second()%2 > 0 {
				slices.Reverse(list)
			}
		}
		waits[m.Datacenter] = list
		var ids []string
		players := 0
		for _, t := range list {
			ids, players = append(ids, t.id), players+t.players
			if players == size {
				a.Matches, ids, players = append(a.Matches, match{ids}), nil, 0
			}
		}
		if queue == "clock" {
			a = answer{Why: clock()}
		}
		text, err := json.Marshal(a)
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(append(text, '\n'))
	}
}

// clock returns what a module reads from its clocks and random numbers. It sleeps in between.
func clock() map[string]string {
	before := time.Now()
	time.Sleep(90 * time.Second)
	random := make([]byte, 12)
	crypto.Read(random)
	return map[string]string{
		"before": before.UTC().Format(time.RFC3339Nano), "after": time.Now().UTC().Format(time.RFC3339Nano),
		"slept": time.Since(before).String(), "random": fmt.Sprintf("%x", random),
	}
}

var sink []byte

// fault commits the named fault.
func fault(name string) {
	switch name {
	case "late":
		for n := 0; ; n++ {
			sink = append(sink[:0], byte(n))
		}
	case "twice":
		os.Stdout.WriteString("{}\n{\"matches\":[]}\n")
	case "mute":
		os.Stdin.Read(make([]byte, 1))
	case "dies":
		fmt.Fprintln(os.Stderr, "out of \x1b[31mideas")
		os.Exit(3)
	case "ends":
		os.Exit(0)
	case "endless":
		for chunk := make([]byte, 1<<20); ; {
			os.Stdout.Write(chunk)
		}
	case "hungry":
		for all := [][]byte{}; ; {
			all = append(all, make([]byte, 1<<20))
		}
	case "file":
		_, err := os.ReadFile("/etc/passwd")
		_, err2 := os.Stat(".")
		fmt.Fprintln(os.Stderr, err, err2, os.Args, os.Environ())
		os.Exit(5)
	}
}
