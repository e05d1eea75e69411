package casefile

import (
	"bytes"
	"cmp"
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
	var f draftWriter
	f.begin()
	for _, text := range []struct{ name, text string }{
		{"name", d.Name}, {"dialect", d.Dialect}, {"follow", d.Follow}, {"source", d.Source}, {"why", d.Why},
	} {
		if text.text != "" {
			f.member(text.name, text.text)
		}
	}
	f.key("rules")
	f.text.Write(bytes.TrimSpace(d.Rules))
	f.member("at", d.At)
	writeLines(&f, "tickets", d.Tickets)
	if len(d.Sessions) > 0 {
		writeLines(&f, "sessions", d.Sessions)
	}
	f.key("expect")
	f.begin()
	if d.Expect.Matches != nil {
		writeLines(&f, "matches", d.Expect.Matches)
	}
	if d.Expect.Backfills != nil {
		writeLines(&f, "backfills", d.Expect.Backfills)
	}
	if d.Expect.Chosen != "" {
		f.member("chosen", d.Expect.Chosen)
	}
	if d.Expect.Unmatched != nil {
		f.member("unmatched", d.Expect.Unmatched)
	}
	if d.Expect.Expired != nil {
		f.member("expired", d.Expect.Expired)
	}
	f.close("}")
	f.close("}\n")
	switch {
	case f.err != nil:
		return f.err
	case f.text.Len() > jsontree.BytesMax:
		return fmt.Errorf("got a scene of %d bytes, expected at most %d", f.text.Len(), jsontree.BytesMax)
	}
	_, err := w.Write(f.text.Bytes())
	return err
}

// draftWriter writes objects with one key per line. It keeps the first error.
type draftWriter struct {
	text  bytes.Buffer
	depth int
	begun bool // whether the current object has a key
	err   error
}

// begin starts an object.
func (f *draftWriter) begin() {
	f.text.WriteByte('{')
	f.depth, f.begun = f.depth+1, false
}

// close ends an object or a list, with the bracket on its own line.
func (f *draftWriter) close(bracket string) {
	f.depth--
	f.line()
	f.text.WriteString(bracket)
}

func (f *draftWriter) line() {
	f.text.WriteByte('\n')
	for range f.depth {
		f.text.WriteString("  ")
	}
}

// key writes a key. The caller writes its value.
func (f *draftWriter) key(name string) {
	if f.begun {
		f.text.WriteByte(',')
	}
	f.begun = true
	f.line()
	f.value(name)
	f.text.WriteString(": ")
}

func (f *draftWriter) member(name string, v any) {
	f.key(name)
	f.value(v)
}

// value writes a value on one line.
func (f *draftWriter) value(v any) {
	encoder := json.NewEncoder(&f.text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		f.err = cmp.Or(f.err, err)
		return
	}
	f.text.Truncate(f.text.Len() - len("\n"))
}

// writeLines writes a list with one entry per line.
func writeLines[T any](f *draftWriter, name string, list []T) {
	f.key(name)
	if len(list) == 0 {
		f.text.WriteString("[]")
		return
	}
	f.text.WriteByte('[')
	f.depth++
	for i := range list {
		if i > 0 {
			f.text.WriteByte(',')
		}
		f.line()
		f.value(list[i])
	}
	f.close("]")
}
