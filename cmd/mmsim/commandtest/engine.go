package commandtest

import (
	"fmt"
	"math"
	"strconv"

	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

// Engine is mmsim's own engine as an external matchmaker. It uses the rules in the hello
// message.
type Engine struct {
	queue   *vendor.Queue
	pool    *engine.Pool
	regions []string
	rows    map[string]matcher.Row
	tickets map[matcher.Row]Ticket
}

// Hello implements Matchmaker.
func (e *Engine) Hello(m *Message) error {
	root, err := jsontree.Parse("rules", m.Rules)
	if err != nil {
		return err
	}
	_, rules, err := dialect.Compile("", root, "", vendor.CompileOptions{})
	if err != nil {
		return err
	}
	e.queue, e.regions = rules.Queue, m.Datacenters
	e.rows, e.tickets = map[string]matcher.Row{}, map[matcher.Row]Ticket{}
	for _, name := range m.Datacenters {
		if _, err := e.queue.Schema.Region(name); err != nil {
			return err
		}
	}
	e.pool, err = engine.NewPool(e.queue.Rules, e.queue.Schema)
	return err
}

// Pass implements Matchmaker.
func (e *Engine) Pass(m *Message) (answer Answer, err error) {
	if len(m.Dropped) > 0 {
		return answer, fmt.Errorf("a proposal was dropped: %s", m.Dropped[0].Why)
	}
	for _, r := range m.Remove {
		if row := e.rows[r.ID]; r.Why != "matched" {
			e.pool.Remove(row)
			delete(e.tickets, row)
		}
		delete(e.rows, r.ID)
	}
	for _, t := range m.Add {
		row, err := e.pool.Add(e.ticket(&t))
		if err != nil {
			return answer, fmt.Errorf("ticket %s: %w", t.ID, err)
		}
		e.rows[t.ID], e.tickets[row] = row, t
	}
	out := e.pool.Pass(milliseconds(m.NowS))
	for i := range out.Matches {
		answer.Matches = append(answer.Matches, e.proposal(&out.Matches[i]))
	}
	return answer, nil
}

func milliseconds(s float64) int64 { return int64(math.Round(s * 1000)) }

func (e *Engine) ticket(t *Ticket) matcher.Ticket {
	ticket := matcher.Ticket{CreatedMS: milliseconds(t.CreatedS), Values: make([]matcher.Value, e.queue.Schema.Columns())}
	for i, p := range t.Players {
		player := matcher.Player{Values: make([]matcher.Value, e.queue.Schema.Columns())}
		for _, read := range e.queue.Reads {
			to := player.Values
			if read.Ticket {
				to = ticket.Values
				if i > 0 {
					continue
				}
			}
			for _, name := range read.Names {
				if v, is := p.Attributes[name]; is {
					to[read.Column] = e.value(read.Kind, v)
					break
				}
			}
		}
		for _, region := range e.regions {
			ms, measured := p.RTTMS[region]
			if !measured {
				ms = math.NaN()
			}
			player.RTTMS = append(player.RTTMS, ms)
		}
		ticket.Players = append(ticket.Players, player)
	}
	return ticket
}

func (e *Engine) value(kind matcher.ValueKind, v any) matcher.Value {
	var list []string
	switch v := v.(type) {
	case float64:
		if kind == matcher.IsNumber {
			return matcher.NumberValue(v)
		}
		list = []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case string:
		list = []string{v}
	case []any:
		for _, item := range v {
			list = append(list, item.(string))
		}
	}
	if kind == matcher.IsSet {
		return matcher.SetValue(e.queue.Schema.Set(list))
	}
	return matcher.TextValue(e.queue.Schema.Intern(list[0]))
}

func (e *Engine) proposal(from *matcher.Proposal) Proposal {
	p := Proposal{Datacenter: e.queue.Schema.RegionName(from.Region)}
	take := func(row matcher.Row) Ticket {
		t := e.tickets[row]
		delete(e.tickets, row)
		p.Tickets = append(p.Tickets, t.ID)
		return t
	}
	if len(from.Teams) == 0 {
		for _, row := range from.Tickets {
			take(row)
		}
		return p
	}
	for _, side := range from.Teams {
		team := []string{}
		for _, row := range side.Tickets {
			for _, player := range take(row).Players {
				team = append(team, player.ID)
			}
		}
		p.Teams = append(p.Teams, team)
	}
	return p
}
