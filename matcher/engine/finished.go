package engine

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/around"
)

// finished is a match that was made outside the engine: a new match, or tickets that join a
// session.
type finished struct {
	*matcher.Proposal                  // its Teams contain only its tickets, and are nil if the match has no teams
	seed              Row              // the session, or the oldest ticket if the match is new
	session           bool             // the tickets join a session
	seated            []matcher.Member // the session's players
	group             []Row            // the session, if there is one, and the tickets
	sizes             []int            // players of each team, including the session's
	broken            []bool           // the result: for each rule of Ruleset.RuleNames, whether the match breaks it
}

// Broken appends the rules that a match breaks at an instant in ms, as indexes in
// Ruleset.RuleNames. The match was made outside the engine from tickets in the pool. The parameter
// session is the session that the tickets join, or nil for a new match. The Teams of the proposal
// must contain only its tickets.
//
// The waits of the match's own tickets determine the state of the rules. Other waiting tickets have
// no effect. Broken checks only rules, and not how a search finds a match, for example its order of
// candidates. If the match has no teams, rules that depend on teams are not checked. Broken makes
// no decisions, and no ticket leaves the pool.
func (p *Pool) Broken(dst []int, nowMS int64, session *Row, m *matcher.Proposal) []int {
	p.rows.Advance(nowMS)
	f := finished{Proposal: m, group: m.Tickets, broken: make([]bool, len(p.names))}
	if session != nil {
		f.seed, f.session, f.seated = *session, true, p.details[*session].Members
		f.group = append([]Row{f.seed}, m.Tickets...)
	} else {
		f.seed = slices.MinFunc(m.Tickets, p.rows.Compare)
	}
	for team, side := range m.Teams {
		players := 0
		for _, row := range side.Tickets {
			players += int(p.rows.Players[row])
		}
		for i := range f.seated {
			if f.seated[i].Team == team {
				players++
			}
		}
		f.sizes = append(f.sizes, players)
	}
	p.method.judge(&f)
	for at, broken := range f.broken {
		if broken {
			dst = append(dst, at)
		}
	}
	return dst
}

// judge implements method.judge. The condition on team sizes is the last entry of f.broken.
func (v *seedRules) judge(f *finished) {
	v.each.Judge(f.broken, f.seed, f.group, f.Region)
	at, set, sizes := len(f.broken)-1, v.shared.Set, v.shared.Sizes(f.seed)
	if set.Blocking == matcher.OtherTeams && v.anyBlocked(f) {
		f.broken[at-1] = true
	}
	f.broken[at] = !v.pool.sized(f, sizes)
	if set.InTurn != nil {
		sizes = &set.Sizes[0]
	}
	if around.Single(sizes) && !f.session {
		f.broken[at] = len(f.Tickets) > 1
	}
}

// anyBlocked reports whether a player blocks another player of the same team.
func (v *seedRules) anyBlocked(f *finished) bool {
	for team, side := range f.Teams {
		for i, a := range side.Tickets {
			if slices.ContainsFunc(side.Tickets[:i], func(b Row) bool { return v.shared.Block(a, b) }) {
				return true
			}
			if slices.ContainsFunc(f.seated, func(m matcher.Member) bool { return m.Team == team && v.shared.Blocks(a, &m.Player) }) {
				return true
			}
		}
	}
	return false
}

// sized reports whether the number of teams and their sizes are allowed. In a session, it checks
// only the teams that tickets join. These teams need not reach the minimum, because the allowed
// sizes may have changed since the match began.
func (p *Pool) sized(f *finished, s *matcher.TeamSizes) bool {
	least, fewest := s.MinPlayers, s.MinTeams
	if f.session {
		least, fewest = 0, 0
	}
	if f.Teams == nil {
		total := 0
		for _, row := range f.group {
			total += int(p.rows.Players[row])
		}
		return total >= fewest*least && total <= s.MaxTeams*s.MaxPlayers
	}
	teams, there := 0, 0 // number of teams with players, and number of teams in the session
	if f.session {
		there = p.details[f.seed].Teams
	}
	for _, m := range f.seated {
		there = max(there, m.Team+1)
	}
	for team, n := range f.sizes {
		if n == 0 {
			continue
		}
		teams++
		joins := len(f.Teams[team].Tickets) > 0
		if joins && (n < least || n > s.MaxPlayers || f.session && team >= max(there, s.MaxTeams)) {
			return false
		}
	}
	return teams >= fewest && (f.session || teams <= s.MaxTeams)
}
