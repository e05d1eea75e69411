package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A Writer writes the messages of one exchange as lines of JSON. It encodes each ticket only once
// and keeps the bytes, because most passes repeat many tickets.
type Writer struct {
	datacenters [][]byte // quoted names
	teams       [][]byte
	match       Match
	full        bool
	line        []byte
}

// NewWriter returns a writer for the exchange that h starts.
func NewWriter(h *Hello) *Writer {
	w := &Writer{match: h.Match}
	for _, name := range h.Datacenters {
		w.datacenters = append(w.datacenters, text(nil, name))
	}
	for _, team := range h.Match.Teams {
		w.teams = append(w.teams, text(nil, team.Name))
	}
	return w
}

// Full sets whether each pass lists all waiting tickets and sessions as new.
func (w *Writer) Full(full bool) { w.full = full }

// Hello returns the message that starts the exchange. The line is valid until the next message is
// written.
func (w *Writer) Hello(h *Hello) ([]byte, error) {
	b := append(w.line[:0], `{"hello":1,"queue":`...)
	b = text(b, h.Queue)
	b = strconv.AppendUint(append(b, `,"run":`...), h.Run, 10)
	b = strconv.AppendUint(append(b, `,"seed":`...), h.Seed, 10)
	b = append(b, `,"datacenters":[`...)
	for i, name := range w.datacenters {
		b = append(comma(b, i), name...)
	}
	b = strconv.AppendInt(append(b, `],"match":{"min":`...), int64(h.Match.Min), 10)
	b = strconv.AppendInt(append(b, `,"max":`...), int64(h.Match.Max), 10)
	if len(h.Match.Teams) > 0 {
		b = append(b, `,"teams":[`...)
		for i, team := range h.Match.Teams {
			b = text(append(comma(b, i), `{"name":`...), team.Name)
			b = strconv.AppendInt(append(b, `,"min":`...), int64(team.Min), 10)
			b = strconv.AppendInt(append(b, `,"max":`...), int64(team.Max), 10)
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	if h.Match.MinTeams > 0 {
		b = strconv.AppendInt(append(b, `,"min_teams":`...), int64(h.Match.MinTeams), 10)
	}
	b = append(b, '}')
	if h.Rules != nil {
		var compact bytes.Buffer
		if err := json.Compact(&compact, h.Rules); err != nil {
			return nil, fmt.Errorf("the rules are not JSON: %w", err)
		}
		b = append(append(b, `,"rules":`...), compact.Bytes()...)
	}
	b = seconds(append(b, `,"tick_s":`...), h.TickMS)
	if h.GiveUpMS > 0 {
		b = seconds(append(b, `,"give_up_s":`...), h.GiveUpMS)
	}
	if h.Backfill {
		b = append(b, `,"backfill":true`...)
	}
	w.line = append(b, "}\n"...)
	return w.line, nil
}

// Bye returns the message that ends the exchange.
func (w *Writer) Bye(why string) []byte {
	w.line = append(text(append(w.line[:0], `{"bye":`...), why), "}\n"...)
	return w.line
}

// Pass returns the message for a pass. The line is valid until the next message is written.
func (w *Writer) Pass(p *Pass) []byte {
	b := strconv.AppendInt(append(w.line[:0], `{"pass":`...), int64(p.Number), 10)
	b = seconds(append(b, `,"now_s":`...), p.NowMS)
	if p.Datacenter != AllDatacenters {
		b = append(append(b, `,"datacenter":`...), w.datacenters[p.Datacenter]...)
	}
	add := p.Added
	if w.full {
		add = p.Waiting
	}
	b = append(b, `,"add":[`...)
	for i, t := range add {
		if t.line == nil {
			t.line = w.ticket(nil, t)
		}
		b = append(comma(b, i), t.line...)
	}
	b = append(b, `],"remove":[`...)
	for i, r := range p.Removed {
		b = text(append(comma(b, i), `{"id":`...), r.ID)
		b = append(text(append(b, `,"why":`...), r.Why), '}')
	}
	b = append(b, `],"accepted":[`...)
	for i, a := range p.Accepted {
		b = proposal(comma(b, i), a.Pass, a.Proposal)
		b = append(text(append(b, `,"match":`...), a.Match), '}')
	}
	b = append(b, `],"dropped":[`...)
	for i, d := range p.Dropped {
		b = proposal(comma(b, i), d.Pass, d.Proposal)
		b = append(text(append(b, `,"why":`...), d.Why), '}')
	}
	w.line = append(w.sessions(append(b, ']'), p), "}\n"...)
	return w.line
}

// proposal begins an object about a proposal. It names the pass unless it is 0.
func proposal(b []byte, pass, index int) []byte {
	b = append(b, '{')
	if pass > 0 {
		b = append(strconv.AppendInt(append(b, `"pass":`...), int64(pass), 10), ',')
	}
	return strconv.AppendInt(append(b, `"proposal":`...), int64(index), 10)
}

// sessions appends the sessions that look for players. It appends nothing if no session was added,
// changed or removed.
func (w *Writer) sessions(b []byte, p *Pass) []byte {
	add := p.AddedSessions
	if w.full {
		add = p.Open
	}
	if len(add) == 0 && len(p.RemovedSessions) == 0 {
		return b
	}
	b = append(b, `,"sessions":{"add":[`...)
	for i, s := range add {
		b = w.session(comma(b, i), s)
	}
	b = append(b, `],"remove":[`...)
	for i, id := range p.RemovedSessions {
		b = text(comma(b, i), id)
	}
	return append(b, "]}"...)
}

func (w *Writer) ticket(b []byte, t *Ticket) []byte {
	b = text(append(b, `{"id":`...), t.ID)
	b = text(append(b, `,"party":`...), t.Party)
	b = seconds(append(b, `,"created_s":`...), t.CreatedMS)
	if t.GiveUpMS > 0 {
		b = seconds(append(b, `,"give_up_s":`...), t.GiveUpMS)
	}
	b = attributes(append(b, `,"attributes":`...), t.Attributes)
	b = append(b, `,"players":[`...)
	for i := range t.Players {
		p := &t.Players[i]
		b = player(comma(b, i), p)
		b = append(b, `,"rtt_ms":{`...)
		first := true
		for dc, ms := range p.RTTMS {
			if t.Reach>>dc&1 == 0 || math.IsNaN(ms) {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(append(b, w.datacenters[dc]...), ':')
			b = number(b, ms)
		}
		b = append(b, "}}"...)
	}
	return append(b, "]}"...)
}

func (w *Writer) session(b []byte, s *Session) []byte {
	b = text(append(b, `{"id":`...), s.ID)
	if s.Datacenter != AllDatacenters {
		b = append(append(b, `,"datacenter":`...), w.datacenters[s.Datacenter]...)
	}
	b = seconds(append(b, `,"created_s":`...), s.CreatedMS)
	b = strconv.AppendInt(append(b, `,"open":`...), int64(s.Seats), 10)
	b = append(b, `,"teams":[`...)
	for team := range w.match.TeamsOf(s) {
		b = append(comma(b, team), '{')
		if team < len(w.teams) {
			b = append(append(append(b, `"name":`...), w.teams[team]...), ',')
		}
		b = append(b, `"players":[`...)
		n := 0
		for i := range s.Players {
			if max(0, s.Players[i].Team) == team {
				b = append(player(comma(b, n), &s.Players[i]), '}')
				n++
			}
		}
		b = append(b, "]}"...)
	}
	return append(b, "]}"...)
}

// player appends a player without the closing brace, so that the caller can add properties.
func player(b []byte, p *Player) []byte {
	b = text(append(b, `{"id":`...), p.ID)
	b = attributes(append(b, `,"attributes":`...), p.Attributes)
	return attributes(append(b, `,"entity":`...), p.Entity)
}

func attributes(b []byte, list []Attribute) []byte {
	b = append(b, '{')
	for i := range list {
		a := &list[i]
		b = append(text(comma(b, i), a.Name), ':')
		switch a.Kind {
		case Number:
			b = number(b, a.Number)
		case Text:
			b = text(b, a.Text)
		case List:
			b = append(b, '[')
			for j, item := range a.List {
				b = text(comma(b, j), item)
			}
			b = append(b, ']')
		case JSON:
			b = append(b, a.Text...)
		}
	}
	return append(b, '}')
}

// comma appends the separator before item n of a list.
func comma(b []byte, n int) []byte {
	if n > 0 {
		return append(b, ',')
	}
	return b
}

// text appends a text as JSON. It replaces invalid UTF-8 with U+FFFD.
func text(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// number appends a finite number as JSON. It uses an exponent only if the number is very small or
// very large.
func number(b []byte, x float64) []byte {
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.AppendFloat(b, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// seconds appends a time in ms as seconds.
func seconds(b []byte, ms int64) []byte {
	return strconv.AppendFloat(b, float64(ms)/1000, 'f', -1, 64)
}
