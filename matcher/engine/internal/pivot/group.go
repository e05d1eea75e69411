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
	packed repacking
	kept   []Member // scratch of repack
	plain  bool     // nothing but sizes depends on which tickets are in the group
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

// share computes which values of SharedValue options the group has in common with one more
// ticket.
func (s *Search) share(row Row) {
	options, depth := s.rules.Set.Options, len(s.Members)
	if depth == len(s.shared) {
		s.shared = append(s.shared, make([][]matcher.Text, len(options)))
	}
	for i := range options {
		if options[i].Kind != matcher.SharedValue {
			continue
		}
		set, mine := s.shared[depth][i][:0], s.rules.traits[row].options[i]
		if depth == 0 {
			set = append(set, mine...)
		} else {
			set = textset.Intersect(set, s.shared[depth-1][i], mine)
		}
		s.shared[depth][i] = set
	}
}

// admits tells whether a ticket may join the group: nothing keeps it apart from any member,
// and there is a value that all share.
func (s *Search) admits(row Row) bool {
	t, options := &s.rules.traits[row], s.rules.Set.Options
	for i := 0; i < len(s.Members) && (t.named || len(options) > 0); i++ {
		if _, apart := s.rules.keepsApart(s.Members[i].Row, row, false); apart {
			return false
		}
	}
	for i := range options {
		if options[i].Kind != matcher.SharedValue || len(t.options[i]) == 0 || s.allOwn(i, t) {
			continue
		}
		if !textset.Meet(s.shared[len(s.Members)-1][i], t.options[i]) {
			return false
		}
	}
	return true
}

// allOwn tells whether all members of the group and one more ticket have PivotOption.Own,
// and thus need not share a value.
func (s *Search) allOwn(option int, t *traits) bool {
	own := len(t.own[option]) > 0
	for i := range s.Members {
		own = own && len(s.rules.traits[s.Members[i].Row].own[option]) > 0
	}
	return own
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
