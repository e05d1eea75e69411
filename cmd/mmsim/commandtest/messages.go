package commandtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Message is any message from mmsim.
type Message struct {
	Hello       int             `json:"hello"`
	Queue       string          `json:"queue"`
	Run         uint64          `json:"run"`
	Datacenters []string        `json:"datacenters"`
	Match       Match           `json:"match"`
	Rules       json.RawMessage `json:"rules"`
	TickS       float64         `json:"tick_s"`
	GiveUpS     float64         `json:"give_up_s"`

	Pass       int        `json:"pass"`
	NowS       float64    `json:"now_s"`
	Datacenter string     `json:"datacenter"`
	Add        []Ticket   `json:"add"`
	Remove     []Removed  `json:"remove"`
	Accepted   []Accepted `json:"accepted"`
	Dropped    []Dropped  `json:"dropped"`
	Sessions   struct {
		Add    []Session `json:"add"`
		Remove []string  `json:"remove"`
	} `json:"sessions"`

	Bye string `json:"bye"`
}

// The parts of a message.
type (
	// Match has the sizes of matches.
	Match struct {
		Min, Max int
		Teams    []struct {
			Name     string
			Min, Max int
		}
	}
	// Ticket is a waiting ticket.
	Ticket struct {
		ID       string   `json:"id"`
		Party    string   `json:"party"`
		CreatedS float64  `json:"created_s"`
		GiveUpS  float64  `json:"give_up_s"`
		Players  []Player `json:"players"`
	}
	// Player is a player in a ticket or a session.
	Player struct {
		ID         string             `json:"id"`
		Attributes map[string]any     `json:"attributes"`
		RTTMS      map[string]float64 `json:"rtt_ms"`
	}
	// Removed is a ticket that no longer waits.
	Removed struct{ ID, Why string }
	// Accepted is a proposal that became a match.
	Accepted struct {
		Proposal int
		Match    string
	}
	// Dropped is an invalid proposal.
	Dropped struct {
		Proposal int
		Why      string
	}
	// Session is a match that looks for players.
	Session struct {
		ID         string
		Datacenter string
		Open       int
		Teams      []struct {
			Name    string
			Players []Player
		}
	}
)

// Answer is the answer to a pass.
type Answer struct {
	Matches   []Proposal        `json:"matches,omitempty"`
	Backfills []Proposal        `json:"backfills,omitempty"`
	Why       map[string]string `json:"why,omitempty"`
}

// Proposal is a match, or tickets to add to a session.
type Proposal struct {
	Session    string     `json:"session,omitempty"`
	Tickets    []string   `json:"tickets"`
	Teams      [][]string `json:"teams,omitempty"`
	Datacenter string     `json:"datacenter,omitempty"`
}

// A Matchmaker answers passes.
type Matchmaker interface {
	Hello(*Message) error
	Pass(*Message) (Answer, error)
}

// Serve runs a matchmaker over standard input and output. It returns when the input ends.
func Serve(name, version string, m Matchmaker) {
	if err := serve(os.Stdin, os.Stdout, name, version, m); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(from io.Reader, to io.Writer, name, version string, m Matchmaker) error {
	in, out := json.NewDecoder(bufio.NewReaderSize(from, 1<<16)), json.NewEncoder(to)
	for {
		var message Message
		if err := in.Decode(&message); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case message.Bye != "":
			return nil
		case message.Hello != 0:
			if err := m.Hello(&message); err != nil {
				return err
			}
			if err := out.Encode(map[string]any{"hello": 1, "name": name, "version": version, "ignored": true}); err != nil {
				return err
			}
		default:
			answer, err := m.Pass(&message)
			if err != nil {
				return err
			}
			if err := out.Encode(answer); err != nil {
				return err
			}
		}
	}
}
