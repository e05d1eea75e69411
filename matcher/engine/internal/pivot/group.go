package pivot

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/internal/heap"
	"mmsim/matcher/internal/textset"
)

// Search looks for matches around one seed at a time: NewSeed, then for each region Begin,
// Offer and Fill or Join. The result is in Members and Teams.
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
	room   int32            // players of the largest candidate that is allowed
	list   []rated          // candidates in rank, as far as they were requested: see have
	heap   heap.Heap[rated] // compared with the seed, not in the list yet

	outward candidate.Outward
	next    Row     // next row of outward, not compared yet
	least   float64 // lower bound of the distance of next and all rows after it
	more    bool    // next is valid

	shared [][][]matcher.Text // by number of members, then by option: see share
	packed repacking
	kept   []Member // scratch of repack
	plain  bool     // only the sizes of tickets matter, not which tickets are in the group
}

// Member is a ticket of the group, or the session.
type Member struct {
	Row     Row
	Team    int // not used for a session: its players keep their teams
	players int
}

// Team is a team that is being filled.
type Team struct {
	Players int
	people  []matcher.Text // ids of a session's players in the team
}

// NewSearch returns a search by rules with a budget of steps per seed.
func NewSearch(rules *Rules, budget int) *Search { return &Search{rules: rules, budget: budget} }

// NewSeed resets the budget for the next seed.
func (s *Search) NewSeed() { s.steps, s.Hit = 0, false }

// restart removes all tickets from the group except the seed, which is in the first team.
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

// share computes, for each SharedValue option, the values that the group and one more ticket
// have in common.
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

// admits reports whether a ticket may join the group: no rule keeps it apart from any member,
// and all share a value.
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

// allOwn reports whether all members of the group and one more ticket have PivotOption.Own, so
// that they need not share a value.
func (s *Search) allOwn(option int, t *traits) bool {
	own := len(t.own[option]) > 0
	for i := range s.Members {
		own = own && len(s.rules.traits[s.Members[i].Row].own[option]) > 0
	}
	return own
}

// mayTeam reports whether a ticket neither blocks a player of a team nor is blocked by one.
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

// Barred reports whether a ticket blocks one of a session's players in a team.
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

// leave removes the last ticket of the group, which is the k-th candidate.
func (s *Search) leave(k int) {
	last := s.Members[len(s.Members)-1]
	s.Members = s.Members[:len(s.Members)-1]
	s.Teams[last.Team].Players -= last.players
	s.list[k].used = false
}

// seat sets the teams to those of a session.
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
