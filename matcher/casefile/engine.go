package casefile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/engine"
)

// queueRules runs scenes with rules that form matches.
type queueRules struct{ *vendor.Queue }

// refusals returns, for each ticket in the scene, the error with which the service refuses it, or
// nil.
func (q *queueRules) refusals(s *Scene) []error {
	refused := make([]error, len(s.Tickets))
	if q.Admission == nil {
		return refused
	}
	admit := q.Admission()
	for _, i := range byAge(s.Tickets) {
		t := &s.Tickets[i]
		players := make([]string, len(t.Players))
		for j := range t.Players {
			players[j] = t.Players[j].ID
		}
		refused[i] = admit(t.ID, players, t.CreatedMS, t.givesUpMS())
	}
	return refused
}

// Run implements Runner.
func (q *queueRules) Run(s *Scene) (*Outcome, error) {
	outcome, err := q.run(s, q.refusals(s))
	if err == nil && q.Statistics != nil {
		q.addStatistics(s, outcome)
	}
	return outcome, err
}

// Check implements Runner.
func (q *queueRules) Check(s *Scene) error {
	_, err := q.load(s, q.refusals(s))
	return err
}

// loaded is a scene whose tickets and sessions have been added to an engine pool.
type loaded struct {
	Pass
	pool    *engine.Pool
	rows    []matcher.Row // row by index of the ticket; -1 if rejected
	outcome Outcome       // so far only rejections and warnings
}

// load adds a scene to a new pool. refused has, for each ticket, the error with which the vendor's
// service refuses it, or nil.
func (q *queueRules) load(s *Scene, refused []error) (*loaded, error) {
	pool, err := engine.NewPool(q.Rules, q.Schema)
	if err != nil {
		return nil, err
	}
	l := &loaded{Pass: Pass{s, map[matcher.Row]int{}, map[matcher.Row]int{}, q.Rules, q.Schema.RegionName}, pool: pool}
	for i := range s.Tickets {
		t := &s.Tickets[i]
		if err := q.misplaced("ticket", t.ID, t.Attributes, t.Players); err != nil {
			return nil, err
		}
		row, reason, err := q.add(pool, t, refused[i])
		if err != nil {
			return nil, t.at.Errorf("ticket %q: %v", t.ID, err)
		}
		l.rows = append(l.rows, row)
		if reason != nil {
			l.outcome.Rejected = append(l.outcome.Rejected, Rejection{t.ID, reason.Error()})
			continue
		}
		l.Tickets[row] = i
	}
	for i := range s.Sessions {
		for _, team := range s.Sessions[i].Teams {
			if err := q.misplaced("session", s.Sessions[i].ID, s.Sessions[i].Attributes, team.Players); err != nil {
				return nil, err
			}
		}
		session, err := q.session(&s.Sessions[i], &l.outcome)
		if err != nil {
			return nil, s.Sessions[i].at.Errorf("session %q: %v", s.Sessions[i].ID, err)
		}
		row, err := pool.AddSession(session)
		if err != nil {
			return nil, s.Sessions[i].at.Errorf("session %q: %v", s.Sessions[i].ID, err)
		}
		l.Sessions[row] = i
	}
	return l, nil
}

// misplaced returns an error if players have an attribute that belongs to their ticket or session,
// and the ticket or session itself lacks it. The rules would ignore it without a word.
func (q *queueRules) misplaced(kind, id string, attributes jsontree.Value, players []Player) error {
	for i := range players {
		for _, m := range players[i].Attributes.Members() {
			if q.OfTicket == nil || !q.OfTicket(m.Name) {
				continue
			}
			if _, given := attributes.Member(m.Name); !given {
				return m.Value.Errorf("%s %q: player %q: %s is no attribute of a player, expected it in the attributes of the %s", kind, id, players[i].ID, m.Name, kind)
			}
		}
	}
	return nil
}

// add adds a ticket to the pool. If the ticket is rejected, reason says why. If the whole scene is
// invalid, err says why.
func (q *queueRules) add(pool *engine.Pool, t *Ticket, refused error) (row matcher.Row, reason, err error) {
	if refused != nil {
		return -1, refused, nil
	}
	ticket := matcher.Ticket{CreatedMS: t.CreatedMS, GiveUpMS: t.GiveUpMS, Players: make([]matcher.Player, len(t.Players))}
	if q.Whole != nil {
		if ticket.Values, reason = q.Whole(t.Attributes); reason != nil {
			return -1, reason, nil
		}
	}
	for i := range t.Players {
		p := &t.Players[i]
		if ticket.Players[i], reason = q.Player(p.ID, p.Attributes, p.Entity); reason != nil {
			return -1, fmt.Errorf("%w (player %q)", reason, p.ID), nil
		}
		if err := q.measure(&ticket.Players[i], p); err != nil {
			return -1, nil, err
		}
	}
	row, reason = pool.Add(ticket)
	if reason != nil {
		row = -1
	}
	return row, reason, nil
}

// measure sets the RTTs of a player to the latencies in the scene, unless the client sent
// latencies.
func (q *queueRules) measure(to *matcher.Player, p *Player) error {
	if to.RTTMS != nil {
		return nil
	}
	for _, l := range p.Latencies {
		var err error
		if to.RTTMS, err = q.Schema.Measured(to.RTTMS, l.Region, l.RTTMS); err != nil {
			return fmt.Errorf("player %q: %w", p.ID, err)
		}
	}
	return nil
}

// session converts an open session.
func (q *queueRules) session(s *Session, outcome *Outcome) (matcher.Session, error) {
	session := matcher.Session{CreatedMS: s.CreatedMS, Region: matcher.NoRegion, Capacity: s.Capacity, Teams: len(s.Teams)}
	if s.Region != "" {
		var err error
		if session.Region, err = q.Schema.Region(s.Region); err != nil {
			return session, err
		}
	}
	if q.Whole != nil {
		var err error
		if session.Values, err = q.Whole(s.Attributes); err != nil {
			return session, err
		}
	}
	teams := q.Rules.TeamNames()
	for i := range s.Teams {
		team := slices.Index(teams, s.Teams[i].Name)
		if q.NumberedTeams {
			team = i
		}
		if team < 0 {
			team = matcher.NoTeam
			if len(teams) > 0 && s.Teams[i].Name != "" {
				effect := "so its players may be put into any team"
				if q.Rules.Seats != nil {
					effect = "expected " + strings.Join(teams, ", ") + "; the session gets no players"
				}
				outcome.warnf("session %q: the rules have no team %q, %s", s.ID, s.Teams[i].Name, effect)
			}
		}
		for j := range s.Teams[i].Players {
			p := &s.Teams[i].Players[j]
			player, err := q.Player(p.ID, p.Attributes, p.Entity)
			if err == nil {
				err = q.measure(&player, p)
			}
			if err != nil {
				return session, fmt.Errorf("player %q: %w", p.ID, err)
			}
			session.Members = append(session.Members, matcher.Member{Player: player, Team: team})
		}
	}
	return session, nil
}

// run makes one pass over a scene.
func (q *queueRules) run(s *Scene, refused []error) (*Outcome, error) {
	l, err := q.load(s, refused)
	if err != nil {
		return nil, err
	}
	decided := l.pool.Pass(s.AtMS)
	out := &l.outcome
	if parts := l.pool.Parts(); parts > 1 {
		out.Partitions = parts
	}
	l.Record(out, &decided)
	for i, hit := range decided.BudgetHits {
		if i == budgetHitsMax {
			out.warnf("number of further searches that stopped at their budget: %d", len(decided.BudgetHits)-i)
			break
		}
		out.warnf("%s", l.budgetHit(hit))
	}
	return out, nil
}

// budgetHitsMax is the maximum number of warnings about searches that ran out of their budget. If
// the search for one ticket runs out, the searches for other tickets often run out as well.
const budgetHitsMax = 10

// budgetHit describes a search that ran out of its budget.
func (l *loaded) budgetHit(hit matcher.BudgetHit) string {
	kind, id := "session", ""
	if i, ok := l.Tickets[hit.Seed]; ok {
		kind, id = "ticket", l.Scene.Tickets[i].ID
	} else {
		id = l.Scene.Sessions[l.Sessions[hit.Seed]].ID
	}
	objects := "groups"
	if hit.Search == matcher.TeamSearch {
		objects = "team assignments"
	}
	return fmt.Sprintf("the search over %s for %s %q stopped at its budget, so it may have missed a match", objects, kind, id)
}

// addStatistics adds the service's statistics about the queue after the pass.
func (q *queueRules) addStatistics(s *Scene, outcome *Outcome) {
	tickets := make(map[string]*Ticket, len(s.Tickets))
	for i := range s.Tickets {
		tickets[s.Tickets[i].ID] = &s.Tickets[i]
	}
	var matched []vendor.MatchedTicket
	for _, m := range outcome.Matches {
		for _, id := range m.Tickets {
			matched = append(matched, vendor.MatchedTicket{AtMS: s.AtMS, WaitMS: s.AtMS - tickets[id].CreatedMS})
		}
	}
	waiting := 0
	for _, id := range outcome.Unmatched {
		waiting += len(tickets[id].Players)
	}
	for _, r := range outcome.Rejected { // Unmatched also contains these tickets
		waiting -= len(tickets[r.Ticket].Players)
	}
	outcome.QueueStatistics = q.Statistics.Snapshot(s.AtMS, waiting, matched)
}

// byAge returns the indices of tickets in the order of creation. Tickets created at the same time
// stay in the order of the scene.
func byAge(tickets []Ticket) []int {
	order := make([]int, len(tickets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tickets[a].CreatedMS, tickets[b].CreatedMS) })
	return order
}
