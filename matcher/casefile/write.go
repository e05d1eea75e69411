package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"mmsim/matcher/dialect/jsontree"
)

// Draft is a case to write: a scene from a run with its outcome.
type Draft struct {
	Name, Dialect, Source, Why string
	Follow                     string // service or page, or "" if both give the same results
	Rules                      []byte // the vendor's text, which is written unchanged
	At                         Milliseconds
	Tickets                    []DraftTicket
	Sessions                   []DraftSession
	Expect                     Expectation // without Scores, which are not written
}

// Milliseconds is a time or duration that is written in seconds.
type Milliseconds int64

// MarshalJSON encodes the value as a number of seconds.
func (m Milliseconds) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m)/1000, 'f', -1, 64), nil
}

// DraftTicket is a ticket to write.
type DraftTicket struct {
	ID          string         `json:"id"`
	CreatedAt   Milliseconds   `json:"created_at"`
	GiveUpAfter Milliseconds   `json:"give_up_after,omitzero"` // 0 for never
	Attributes  map[string]any `json:"attributes,omitempty"`
	Players     []DraftPlayer  `json:"players"`
}

// DraftPlayer is a player to write.
type DraftPlayer struct {
	ID         string             `json:"id"`
	Attributes map[string]any     `json:"attributes,omitempty"`
	Entity     map[string]any     `json:"entity,omitempty"`
	Latencies  map[string]float64 `json:"latencies,omitempty"` // in ms, by region
}

// DraftSession is an open session to write.
type DraftSession struct {
	ID         string         `json:"id"`
	CreatedAt  Milliseconds   `json:"created_at"`
	Region     string         `json:"region,omitempty"`
	Capacity   int            `json:"capacity,omitempty"` // 0 for that of the rules
	Attributes map[string]any `json:"attributes,omitempty"`
	Teams      []DraftTeam    `json:"teams"`
}

// DraftTeam is a team of a session to write.
type DraftTeam struct {
	Name    string        `json:"name,omitempty"`
	Players []DraftPlayer `json:"players"`
}

// Write writes the case in the format of Read, with one ticket per line. It returns an error if the
// scene exceeds a limit of case files or if writing fails.
func (d *Draft) Write(w io.Writer) error {
	if len(d.Tickets) > TicketsMax || len(d.Sessions) > SessionsMax {
		return fmt.Errorf("got %d tickets and %d sessions, expected at most %d and %d", len(d.Tickets), len(d.Sessions), TicketsMax, SessionsMax)
	}
	var file, expect members
	for _, text := range []struct{ name, text string }{
		{"name", d.Name}, {"dialect", d.Dialect}, {"follow", d.Follow}, {"source", d.Source}, {"why", d.Why},
	} {
		file.add(text.name, text.text, text.text != "")
	}
	file.add("rules", verbatim(bytes.TrimSpace(d.Rules)), true)
	file.add("at", d.At, true)
	file.add("tickets", linesOf(d.Tickets), true)
	file.add("sessions", linesOf(d.Sessions), len(d.Sessions) > 0)
	expect.add("matches", linesOf(d.Expect.Matches), d.Expect.Matches != nil)
	expect.add("backfills", linesOf(d.Expect.Backfills), d.Expect.Backfills != nil)
	expect.add("chosen", d.Expect.Chosen, d.Expect.Chosen != "")
	expect.add("unmatched", d.Expect.Unmatched, d.Expect.Unmatched != nil)
	expect.add("expired", d.Expect.Expired, d.Expect.Expired != nil)
	file.add("expect", expect, true)
	var text bytes.Buffer
	if err := write(&text, file, "\n"); err != nil {
		return err
	}
	text.WriteByte('\n')
	if text.Len() > jsontree.BytesMax {
		return fmt.Errorf("got a scene of %d bytes, expected at most %d", text.Len(), jsontree.BytesMax)
	}
	_, err := w.Write(text.Bytes())
	return err
}

// members is a JSON object that is written with one member per line.
type members []member

type member struct {
	name  string
	value any
}

// add adds a member if present is set.
func (m *members) add(name string, value any, present bool) {
	if present {
		*m = append(*m, member{name, value})
	}
}

// lines is a list that is written with one entry per line. Entries are written on a single line.
type lines []any

func linesOf[T any](list []T) (all lines) {
	for _, entry := range list {
		all = append(all, entry)
	}
	return all
}

// verbatim is a JSON text that is written unchanged.
type verbatim []byte

// write writes a value. newline begins a line of the object or list that contains the value.
func write(to *bytes.Buffer, v any, newline string) error {
	entries, brackets := lines(nil), ""
	switch v := v.(type) {
	case verbatim:
		to.Write(v)
		return nil
	case lines:
		entries, brackets = v, "[]"
	case members:
		entries, brackets = linesOf(v), "{}"
	case member:
		if err := write(to, v.name, newline); err != nil {
			return err
		}
		to.WriteString(": ")
		return write(to, v.value, newline)
	default:
		encoder := json.NewEncoder(to)
		encoder.SetEscapeHTML(false)
		err := encoder.Encode(v)
		to.Truncate(to.Len() - len("\n"))
		return err
	}
	to.WriteByte(brackets[0])
	for i, entry := range entries {
		if i > 0 {
			to.WriteByte(',')
		}
		to.WriteString(newline + "  ")
		if err := write(to, entry, newline+"  "); err != nil {
			return err
		}
	}
	if len(entries) > 0 || brackets == "{}" {
		to.WriteString(newline)
	}
	to.WriteByte(brackets[1])
	return nil
}
