package matchmaker

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"mmsim/matcher"
	"mmsim/matcher/casefile"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/external"
	"mmsim/matcher/external/exchange"
)

// Cases decides cases with an external matchmaker. It implements casefile.Runner.
type Cases struct {
	Context  context.Context
	Matcher  string // as for --matcher
	Profiles string // file with Open Match profiles, or "" for none
	Folder   string // working directory of a program
	Messages io.Writer
	rules    *casefile.RunnableRules // rules of the case
	text     []byte                  // their JSON text
}

// Take makes the matchmaker decide the case instead of the case's rules.
func (m Cases) Take(c *casefile.Case, rules *casefile.RunnableRules) error {
	text, err := json.Marshal(rules.Value.Any())
	m.rules, m.text = rules, text
	rules.Runner = &m
	return err
}

// timeout limits each exchange. It is the default of matcher.timeout.
const timeout = 10 * time.Second

// pass is one pass over the tickets of a scene.
type pass struct {
	*Cases
	casefile.Pass
	datacenters []string
	pool        *external.Pool
	why         map[string]string
}

// Run implements casefile.Runner.
func (m *Cases) Run(s *casefile.Scene) (*casefile.Outcome, error) {
	_, outcome, err := m.run(s)
	return outcome, err
}

// Check implements casefile.Runner.
func (m *Cases) Check(*casefile.Scene) error {
	if m.rules.Queue == nil {
		return fmt.Errorf("the rules place players on servers, expected rules about matches for an external matchmaker")
	}
	return nil
}

// Explain implements casefile.Runner. It returns the reasons in the matchmaker's answer.
func (m *Cases) Explain(s *casefile.Scene, outcome *casefile.Outcome) ([]casefile.Explanation, error) {
	p, _, err := m.run(s)
	if err != nil {
		return nil, err
	}
	var list []casefile.Explanation
	for i := range s.Tickets {
		t := &s.Tickets[i]
		if !slices.Contains(outcome.Unmatched, t.ID) {
			continue
		}
		note := p.why[t.ID]
		if note == "" {
			note = "the matchmaker gives no reason"
		}
		list = append(list, casefile.Explanation{Ticket: t.ID, WaitedS: float64(s.AtMS-t.CreatedMS) / 1000, Others: []casefile.Obstacle{}, Note: note})
	}
	return list, nil
}

// run starts the matchmaker and makes it decide the scene.
func (m *Cases) run(s *casefile.Scene) (*pass, *casefile.Outcome, error) {
	if err := m.Check(s); err != nil {
		return nil, nil, err
	}
	p := &pass{Cases: m, datacenters: datacentersOf(s), why: map[string]string{}}
	p.Pass = casefile.Pass{Scene: s, Tickets: map[matcher.Row]int{}, Sessions: map[matcher.Row]int{}, Ruleset: m.rules.Queue.Rules, Region: p.region}
	if len(p.datacenters) > 64 {
		return nil, nil, fmt.Errorf("%d regions, expected at most 64 for an external matchmaker", len(p.datacenters))
	}
	kind, target, err := Parse(m.Matcher)
	if err != nil {
		return nil, nil, fmt.Errorf("--matcher: got %w, expected one of %v", err, Targets())
	}
	connection, err := kind.Open(m.Context, Options{Target: target, Profiles: m.Profiles, Folder: m.Folder, Label: "matcher", Stderr: m.Messages})
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = connection.Close("end of the scene") }() // an error in the exchange has already been returned
	hello := &exchange.Hello{
		Datacenters: p.datacenters, Match: exchange.MatchOf(m.rules.Queue.Rules), Rules: m.text, TickMS: 1000, Backfill: len(s.Sessions) > 0,
	}
	within, cancel := context.WithTimeoutCause(m.Context, timeout, fmt.Errorf("no answer within %s", timeout))
	defer cancel()
	if _, err := connection.Hello(within, hello); err != nil {
		return nil, nil, fmt.Errorf("matcher, hello: %w", err)
	}
	p.pool, err = external.NewPool(external.Config{Hello: hello, Leaves: external.Expired,
		Exchange: func(pass *exchange.Pass) (*exchange.Answer, error) {
			answer, err := connection.Pass(within, pass)
			if err != nil {
				return nil, fmt.Errorf("matcher: %w", err)
			}
			maps.Copy(p.why, answer.Why)
			return answer, nil
		}})
	if err != nil {
		return nil, nil, err
	}
	outcome, err := p.make()
	return p, outcome, err
}

// datacentersOf lists the regions in a scene in the order in which they first occur.
func datacentersOf(s *casefile.Scene) []string {
	var list []string
	add := func(name string) {
		if name != "" && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for i := range s.Tickets {
		for j := range s.Tickets[i].Players {
			for _, l := range s.Tickets[i].Players[j].Latencies {
				add(l.Region)
			}
		}
	}
	for i := range s.Sessions {
		add(s.Sessions[i].Region)
	}
	return list
}

// make adds the scene's tickets and sessions to the pool and makes the pass.
func (p *pass) make() (*casefile.Outcome, error) {
	s, out := p.Scene, &casefile.Outcome{}
	for i := range s.Tickets {
		t := &s.Tickets[i]
		if t.GiveUpMS > 0 && s.AtMS-t.CreatedMS >= t.GiveUpMS {
			out.Expired = append(out.Expired, t.ID)
			continue
		}
		row, err := p.pool.Wait(p.ticket(t))
		if err != nil {
			out.Rejected = append(out.Rejected, casefile.Rejection{Ticket: t.ID, Reason: err.Error()})
			continue
		}
		p.Tickets[row] = i
	}
	for i := range s.Sessions {
		p.Sessions[p.pool.Open(p.session(&s.Sessions[i]))] = i
	}
	decided := p.pool.Pass(s.AtMS)
	if decided.Fault != nil {
		return nil, decided.Fault
	}
	for i := range decided.Backfills { // the pool leaves out the session's players
		member, b := 0, &decided.Backfills[i]
		for side, team := range s.Sessions[p.Sessions[b.Session]].Teams {
			for range team.Players {
				if side < len(b.Teams) {
					b.Teams[side].Members = append(b.Teams[side].Members, member)
				}
				member++
			}
		}
	}
	p.Record(out, &decided)
	for _, d := range p.pool.Dropped() {
		out.Dropped = append(out.Dropped, fmt.Sprintf("proposal %d: %s", d.Proposal, d.Why))
	}
	return out, nil
}

// region returns the name of a region, or "" for NoRegion.
func (p *pass) region(r matcher.Region) string {
	if r == matcher.NoRegion {
		return ""
	}
	return p.datacenters[r]
}

func (p *pass) ticket(t *casefile.Ticket) *exchange.Ticket {
	ticket := &exchange.Ticket{ID: t.ID, Party: t.ID, CreatedMS: t.CreatedMS, GiveUpMS: t.GiveUpMS, Attributes: attributes(t.Attributes)}
	for i := range t.Players {
		ticket.Players = append(ticket.Players, p.player(&t.Players[i]))
	}
	return ticket
}

func (p *pass) player(from *casefile.Player) exchange.Player {
	player := exchange.Player{ID: from.ID, Attributes: attributes(from.Attributes), Entity: attributes(from.Entity), Team: matcher.NoTeam}
	player.RTTMS = slices.Repeat([]float64{math.NaN()}, len(p.datacenters))
	for _, l := range from.Latencies {
		player.RTTMS[slices.Index(p.datacenters, l.Region)] = l.RTTMS
	}
	return player
}

func (p *pass) session(s *casefile.Session) *exchange.Session {
	session := &exchange.Session{ID: s.ID, CreatedMS: s.CreatedMS, Datacenter: slices.Index(p.datacenters, s.Region)}
	seats := s.Capacity
	if seats == 0 {
		seats = p.rules.Queue.Rules.MaxPlayers
	}
	for team := range s.Teams {
		for i := range s.Teams[team].Players {
			player := p.player(&s.Teams[team].Players[i])
			player.Team = team
			session.Players = append(session.Players, player)
		}
	}
	session.Seats = seats - len(session.Players)
	return session
}

// attributes converts the members of a JSON object.
func attributes(object jsontree.Value) []exchange.Attribute {
	var list []exchange.Attribute
	for _, member := range object.Members() {
		a := exchange.Attribute{Name: member.Name}
		number, isNumber := member.Value.Float()
		switch {
		case isNumber:
			a.Kind, a.Number = exchange.Number, number
		case member.Value.Kind() == jsontree.Text:
			a.Kind, a.Text = exchange.Text, member.Value.Text()
		case isTexts(member.Value):
			a.Kind = exchange.List
			for _, e := range member.Value.Elements() {
				a.List = append(a.List, e.Text())
			}
		default:
			text, err := json.Marshal(member.Value.Any())
			if err != nil { // cannot happen: the value was parsed
				continue
			}
			a.Kind, a.Text = exchange.JSON, string(text)
		}
		list = append(list, a)
	}
	return list
}

// isTexts reports whether a value is a list of texts.
func isTexts(v jsontree.Value) bool {
	return v.Kind() == jsontree.List && !slices.ContainsFunc(v.Elements(), func(e jsontree.Value) bool { return e.Kind() != jsontree.Text })
}
