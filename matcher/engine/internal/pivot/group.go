package pivot

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/internal/heap"
	"mmsim/matcher/internal/textset"
)

// Search looks for matches around one seed at a time: NewSeed, then for each region Begin,
// Offer and Fill or Join. Members and Teams say what came of it.
type Search struct {
	Members []Member // the group, the seed first
	Teams   []Team
	Hit     bool // the budget ended a search for this seed

	rules  *Rules
	budget int
	steps  int

	seed   Row
	open   bool // the seed is a session
	region matcher.Region
	room   int32            // players of the largest candidate
	list   []rated          // candidates in rank, as far as they were asked for: see have
	heap   heap.Heap[rated] // compared with the seed, not in the list yet

	outward candidate.Outward
	next    Row     // of outward, not compared yet
	least   float64 // the least distance that next and all behind it may have
	more    bool    // there is a next

	shared [][][]matcher.Text // by number of members, then option: see share
	plain  bool               // nothing but sizes depends on which tickets are in the group
}

// Member is a ticket of the group, or the session.
type Member struct {
	Row     Row
	Team    int // of a session none: its players stay where they are
	players int
}

// Team is a team as it grows.
type Team struct {
	Players int
	people  []matcher.Text // of a session's players in it
}

// NewSearch returns a search by rules that takes a number of steps for each seed at most.
func NewSearch(rules *Rules, budget int) *Search { return &Search{rules: rules, budget: budget} }

// NewSeed gives the next seed its budget.
func (s *Search) NewSeed() { s.steps, s.Hit = 0, false }

// restart empties the group but for the seed, which is in the first team.
func (s *Search) restart() {
	for k := range s.list {
		s.list[k].used = false
	}
	size := int(s.rules.rows.Players[s.seed])
	s.Members, s.Teams = s.Members[:0], s.Teams[:0]
	s.share(s.seed)
	s.Members = append(s.Members, Member{Row: s.seed, players: size})
	if !s.open {
		s.Teams = append(s.Teams, Team{Players: size})
	}
}

// share computes what the group has in common with one more ticket: of SharedValue the
// intersection, of NoRepeat the union.
func (s *Search) share(row Row) {
	options, depth := s.rules.Set.Options, len(s.Members)
	if depth == len(s.shared) {
		s.shared = append(s.shared, make([][]matcher.Text, len(options)))
	}
	for i := range options {
		set, mine := s.shared[depth][i][:0], s.rules.traits[row].options[i]
		switch {
		case depth == 0:
			set = append(set, mine...)
		case options[i].Kind == matcher.SharedValue:
			set = textset.Intersect(set, s.shared[depth-1][i], mine)
		case options[i].Kind == matcher.NoRepeat:
			set = append(append(set, s.shared[depth-1][i]...), mine...)
			slices.Sort(set)
		}
		s.shared[depth][i] = set
	}
}

// admits tells whether a ticket may join the group: no player twice, no player that
// another blocks, and what options want of all.
func (s *Search) admits(row Row) bool {
	r := s.rules
	t := &r.traits[row]
	for i := 0; t.named && i < len(s.Members); i++ {
		m := s.Members[i].Row
		if textset.Meet(r.traits[m].people, t.people) || r.Set.Blocking == matcher.KeepApart && r.Block(m, row) {
			return false
		}
	}
	for i := range r.Set.Options {
		if !s.optionAdmits(i, t) {
			return false
		}
	}
	return true
}

// optionAdmits tells whether one option lets a ticket join the group.
func (s *Search) optionAdmits(i int, t *traits) bool {
	mine, seed := t.options[i], s.rules.traits[s.seed].options[i]
	group := s.shared[len(s.Members)-1][i]
	switch s.rules.Set.Options[i].Kind {
	case matcher.SameSet:
		return true // all candidates are of the seed's kind
	case matcher.NoRepeat:
		return !textset.Meet(group, mine)
	}
	if len(mine) == 0 || len(seed) == 0 {
		return len(mine) == len(seed)
	}
	own := len(t.own[i]) > 0
	for k := range s.Members {
		m := &s.rules.traits[s.Members[k].Row]
		if !textset.Contains(mine, m.own[i]) || !textset.Contains(m.options[i], t.own[i]) {
			return false
		}
		own = own && len(m.own[i]) > 0
	}
	return own || textset.Meet(group, mine)
}

// mayTeam tells whether no player in a team blocks a ticket, or is blocked by it.
func (s *Search) mayTeam(team int, row Row) bool {
	r := s.rules
	if r.Set.Blocking != matcher.OtherTeams {
		return true
	}
	if s.Barred(team, row) {
		return false
	}
	for i, m := range s.Members {
		if !(s.open && i == 0) && m.Team == team && r.Block(row, m.Row) {
			return false
		}
	}
	return true
}

// Barred tells whether a ticket blocks one of a session's players in a team.
func (s *Search) Barred(team int, row Row) bool {
	return team < len(s.Teams) && textset.Meet(s.rules.traits[row].blocked, s.Teams[team].people)
}

// join adds the k-th candidate to a team.
func (s *Search) join(k, team int) {
	c := &s.list[k]
	s.share(c.row)
	s.Members = append(s.Members, Member{c.row, team, int(c.players)})
	s.Teams[team].Players += int(c.players)
	c.used = true
}

// leave takes the last ticket out, the k-th candidate.
func (s *Search) leave(k int) {
	last := s.Members[len(s.Members)-1]
	s.Members = s.Members[:len(s.Members)-1]
	s.Teams[last.Team].Players -= last.players
	s.list[k].used = false
}

// seat lists the teams of a session as they stand.
func (s *Search) seat(session *matcher.Session) {
	for i := range session.Members {
		m := &session.Members[i]
		for len(s.Teams) <= m.Team {
			s.Teams = append(s.Teams, Team{})
		}
		t := &s.Teams[m.Team]
		t.Players++
		if v := m.Value(s.rules.Set.People); v.Kind == matcher.IsText {
			t.people = append(t.people, v.Text)
		}
	}
	for i := range s.Teams {
		slices.Sort(s.Teams[i].people)
	}
}
