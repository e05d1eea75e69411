package accelpage

import (
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
)

// Search looks for matches around one seed at a time. The caller calls NewSeed and then, for each
// region, Begin, Offer, and either Fill or Join. Fill and Join leave the match in Members and
// Teams.
type Search struct {
	around.Candidates
	Members []Member // the tickets of the group, starting with the seed
	Teams   []Team
	Hit     bool // a search for this seed used up the budget

	rules  *Rules
	budget int
	steps  int
	room   int32 // largest number of players that a candidate may have

	shared [][][]matcher.Text // indexed by number of members, then by option; see share
	packed repacking
	kept   []Member // memory for repack
	plain  bool     // all candidates of one size are interchangeable
}

// NewSearch returns a Search. budget is the number of steps that it may use for each seed.
func NewSearch(rules *Rules, budget int) *Search {
	s := &Search{rules: rules, budget: budget}
	s.Candidates.Use(&rules.Rules, s)
	return s
}

// NewSeed resets the budget for the next seed.
func (s *Search) NewSeed() { s.steps, s.Hit = 0, false }

// restart removes all tickets from the group except the seed, which it puts in the first team.
func (s *Search) restart() {
	for k := range s.List {
		s.List[k].Used = false
	}
	size := int(s.rules.Rows.Players[s.Seed])
	s.Members, s.Teams = s.Members[:0], s.Teams[:0]
	s.share(s.Seed)
	if s.Open {
		s.Members = append(s.Members, Member{Row: s.Seed, Team: matcher.NoTeam, Players: size, At: -1})
		return
	}
	s.Members, s.Teams = append(s.Members, Member{Row: s.Seed, Players: size, At: -1}), append(s.Teams, Team{Players: size})
}

// share appends to s.shared the values that the group and one more ticket have in common. It does
// so for each SharedValue option.
func (s *Search) share(row Row) {
	options, depth := s.rules.Set.Options, len(s.Members)
	if depth == len(s.shared) {
		s.shared = append(s.shared, make([][]matcher.Text, len(options)))
	}
	for i := range options {
		if options[i].Kind != matcher.SharedValue {
			continue
		}
		set, ofSeed := s.shared[depth][i][:0], s.rules.Traits[row].Options[i]
		if depth == 0 {
			set = append(set, ofSeed...)
		} else {
			set = matcher.IntersectSets(set, s.shared[depth-1][i], ofSeed)
		}
		s.shared[depth][i] = set
	}
}

// admits reports whether a ticket may join the group. No rule may keep it apart from any member,
// and the group must still share a value for each SharedValue option that is enforced. That is checked
// first, because most tickets fail there and it takes one step instead of one for each member.
func (s *Search) admits(row Row) bool {
	t, options, ofSeed := &s.rules.Traits[row], s.rules.Set.Options, s.rules.Limits(s.Seed)
	for i := range options {
		if options[i].Kind != matcher.SharedValue || len(t.Options[i]) == 0 || !s.rules.Enforced(i, ofSeed) || s.allOwn(i, t) {
			continue
		}
		if !matcher.SetsMeet(s.shared[len(s.Members)-1][i], t.Options[i]) {
			return false
		}
	}
	for i := 0; i < len(s.Members) && len(t.People)+len(t.Blocked)+len(options) > 0; i++ {
		if _, apart := s.rules.keepsApart(s.Members[i].Row, row, false, ofSeed); apart {
			return false
		}
	}
	return true
}

// allOwn reports whether PivotOption.Own is set for a ticket with traits t and for all members of
// the group. If so, they need not share a value.
func (s *Search) allOwn(option int, t *around.Traits) bool {
	own := len(t.Own[option]) > 0
	for i := 0; own && i < len(s.Members); i++ {
		own = len(s.rules.Traits[s.Members[i].Row].Own[option]) > 0
	}
	return own
}

// mayTeam reports whether a ticket may join a team. It may not if blocking separates it from a
// player of that team.
func (s *Search) mayTeam(team int, row Row) bool {
	return s.rules.MayTeam(row, team, &s.Teams[team], s.Members)
}

// Barred reports whether a ticket blocks a player whom the session already has in a team.
func (s *Search) Barred(team int, row Row) bool {
	return team < len(s.Teams) && matcher.SetsMeet(s.rules.Traits[row].Blocked, s.Teams[team].People)
}

// join adds the candidate at index k to a team.
func (s *Search) join(k, team int) {
	c := &s.List[k]
	s.share(c.Row)
	s.Members = append(s.Members, Member{Row: c.Row, Team: team, Players: int(c.Players), At: k})
	s.Teams[team].Players += int(c.Players)
	c.Used = true
}

// leave removes the ticket that joined the group last.
func (s *Search) leave() {
	last := s.Members[len(s.Members)-1]
	s.Members = s.Members[:len(s.Members)-1]
	s.Teams[last.Team].Players -= last.Players
	s.List[last.At].Used = false
}
