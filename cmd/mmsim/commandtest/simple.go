package commandtest

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/sim"
)

// First fills one match after another with the tickets in the order in which they began to wait.
type First struct {
	size  int
	waits map[string][]Ticket // by datacenter, or "" with a single pool
}

// Hello implements Matchmaker.
func (f *First) Hello(m *Message) error {
	f.size, f.waits = m.Match.Max, map[string][]Ticket{}
	return nil
}

// Pass implements Matchmaker.
func (f *First) Pass(m *Message) (answer Answer, err error) {
	waiting := slices.DeleteFunc(f.waits[m.Datacenter], func(t Ticket) bool {
		return slices.ContainsFunc(m.Remove, func(r Removed) bool { return r.ID == t.ID })
	})
	waiting = append(waiting, m.Add...)
	f.waits[m.Datacenter] = waiting
	var ids []string
	players := 0
	for _, t := range waiting {
		ids, players = append(ids, t.ID), players+len(t.Players)
		if players == f.size {
			answer.Matches, ids, players = append(answer.Matches, Proposal{Tickets: ids}), nil, 0
		}
	}
	return answer, nil
}

// Stateful forgets the tickets that it proposes. It remembers them again only if mmsim reports
// the proposal as dropped. Every third proposal is invalid, because it also contains a ticket
// that does not exist.
type Stateful struct {
	First
	proposed  []Proposal // in the last pass
	lost      map[string]Ticket
	proposals int
}

// Hello implements Matchmaker.
func (s *Stateful) Hello(m *Message) error {
	s.lost = map[string]Ticket{}
	return s.First.Hello(m)
}

// Pass implements Matchmaker.
func (s *Stateful) Pass(m *Message) (Answer, error) {
	waiting := s.waits[""]
	for _, dropped := range m.Dropped {
		for _, id := range s.proposed[dropped.Proposal].Tickets {
			if t, is := s.lost[id]; is {
				waiting = append(waiting, t)
			}
		}
	}
	s.waits[""] = waiting
	s.lost = map[string]Ticket{}
	answer, err := s.First.Pass(m)
	waiting = s.waits[""]
	for i := range answer.Matches {
		for _, id := range answer.Matches[i].Tickets {
			at := slices.IndexFunc(waiting, func(t Ticket) bool { return t.ID == id })
			s.lost[id] = waiting[at]
			waiting = slices.Delete(waiting, at, at+1)
		}
		if s.proposals++; s.proposals%3 == 0 {
			answer.Matches[i].Tickets = append(answer.Matches[i].Tickets, "nobody")
		}
	}
	s.waits[""], s.proposed = waiting, answer.Matches
	return answer, err
}

// Twice proposes the match with the oldest tickets twice in each pass, like two profiles that
// both select these tickets. It also gives a reason for every waiting ticket.
type Twice struct{ First }

// Pass implements Matchmaker.
func (t *Twice) Pass(m *Message) (Answer, error) {
	answer, err := t.First.Pass(m)
	answer.Matches = answer.Matches[:min(1, len(answer.Matches))]
	answer.Matches = slices.Concat(answer.Matches, answer.Matches)
	answer.Why = map[string]string{}
	for _, ticket := range t.waits[m.Datacenter] {
		answer.Why[ticket.ID] = "too few \x1b[31m<b>"
	}
	return answer, err
}

// Backfill adds tickets to sessions that look for players, and then makes matches of the
// smallest size. It replaces a session that mmsim sends again, because its number of open
// seats has changed.
type Backfill struct {
	First
	min, max int
	sessions []Session
}

// Hello implements Matchmaker.
func (b *Backfill) Hello(m *Message) error {
	b.min, b.max = m.Match.Min, m.Match.Max
	return b.First.Hello(m)
}

// Pass implements Matchmaker.
func (b *Backfill) Pass(m *Message) (Answer, error) {
	b.size = 0 // keeps First from making matches
	_, err := b.First.Pass(m)
	for _, s := range m.Sessions.Add {
		b.forget(s.ID)
		players := 0
		for _, team := range s.Teams {
			players += len(team.Players)
		}
		if players+s.Open != b.max || s.Datacenter == "" {
			return Answer{}, fmt.Errorf("session %s: got %d players and %d open seats in datacenter %q, want them to fill a match", s.ID, players, s.Open, s.Datacenter)
		}
		b.sessions = append(b.sessions, s)
	}
	for _, id := range m.Sessions.Remove {
		b.forget(id)
	}
	if len(m.Dropped) > 0 {
		return Answer{}, fmt.Errorf("dropped: %s", m.Dropped[0].Why)
	}
	var answer Answer
	waiting := b.waits[""]
	for i := range b.sessions {
		p := Proposal{Session: b.sessions[i].ID}
		for seats := b.sessions[i].Open; len(waiting) > 0 && len(waiting[0].Players) <= seats; waiting = waiting[1:] {
			p.Tickets = append(p.Tickets, waiting[0].ID)
			seats -= len(waiting[0].Players)
		}
		if len(p.Tickets) > 0 {
			answer.Backfills = append(answer.Backfills, p)
		}
	}
	for ; len(waiting) >= b.min; waiting = waiting[b.min:] {
		var p Proposal
		for _, t := range waiting[:b.min] {
			p.Tickets = append(p.Tickets, t.ID)
		}
		answer.Matches = append(answer.Matches, p)
	}
	return answer, err
}

func (b *Backfill) forget(id string) {
	b.sessions = slices.DeleteFunc(b.sessions, func(s Session) bool { return s.ID == id })
}

// Nearest makes matches of two tickets whose ratings are neighbours after normal noise was added to
// them. Equal ratings stay in the order in which the tickets began to wait.
type Nearest struct {
	First
	Noise float64 // standard deviation, or below 0 to ignore the ratings
}

// Pass implements Matchmaker. It orders the tickets, and First fills matches in this order.
func (n *Nearest) Pass(m *Message) (Answer, error) {
	keys := map[string]float64{}
	for i, t := range m.Add {
		rating, is := t.Players[0].Attributes["mmr"].(float64)
		if _, hasSkill := t.Players[0].Attributes["skill"]; !is || hasSkill {
			return Answer{}, fmt.Errorf("got attributes %v, want mmr and no hidden skill", t.Players[0].Attributes)
		}
		noise := distuv.UnitNormal.Quantile((float64(sim.Rekey(uint64(m.Pass), uint64(i)+1)>>12) + .5) * 0x1p-52)
		keys[t.ID] = rating + float64(n.Noise*noise)
		if n.Noise < 0 {
			keys[t.ID] = noise
		}
	}
	slices.SortStableFunc(m.Add, func(a, b Ticket) int { return cmp.Compare(keys[a.ID], keys[b.ID]) })
	return n.First.Pass(m)
}

// Asked is like First, for a queue whose players are asked to accept a match. It expects to be told about
// each proposal once: it was accepted, or dropped because of its players.
type Asked struct {
	First
	proposed, told int
	dropped        int
}

// Pass implements Matchmaker.
func (a *Asked) Pass(m *Message) (Answer, error) {
	for _, d := range m.Dropped {
		if d.Why != "not accepted by its players" {
			return Answer{}, fmt.Errorf("dropped: %s", d.Why)
		}
	}
	a.dropped += len(m.Dropped)
	a.told += len(m.Accepted) + len(m.Dropped)
	if a.told > a.proposed || a.proposed > 5000 && (a.dropped == 0 || a.told < a.proposed/2) {
		return Answer{}, fmt.Errorf("%d proposals, told about %d, of which %d were dropped", a.proposed, a.told, a.dropped)
	}
	answer, err := a.First.Pass(m)
	a.proposed += len(answer.Matches)
	return answer, err
}
