package scan

import (
	"cmp"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/internal/textset"
)

// Open is a session that is being filled. It may be visited more than once.
type Open struct {
	Row     Row
	Session *matcher.Session
	Joined  []Member // their Team is an index in Teams
	Teams   []Team
}

// Open prepares a session for visits.
func (r *Rules) Open(row Row, session *matcher.Session) *Open {
	o := &Open{Row: row, Session: session}
	for i := range session.Members {
		m := &session.Members[i]
		o.team(m.Team)
		t := &o.Teams[m.Team]
		t.Players++
		t.worth += r.Worth(m.Player)
		if v := m.Value(r.Set.People); v.Kind == matcher.IsText {
			t.people = append(t.people, v.Text)
		}
	}
	o.team(session.Teams - 1)
	for i := range o.Teams {
		slices.Sort(o.Teams[i].people)
	}
	return o
}

// team makes sure that a team with a number exists.
func (o *Open) team(number int) {
	for len(o.Teams) <= number {
		o.Teams = append(o.Teams, Team{Number: len(o.Teams)})
	}
}

// Visit adds tickets to a session and reports whether it became full. joins is called for every
// ticket that joins; it is then no longer a candidate.
func (s *Search) Visit(o *Open, index *candidate.Index, joins func(Row)) (full bool) {
	r := s.rules
	sizes := r.Sizes(o.Row)
	s.Begin(o.Row, o.Session.Region, index, nil, 0)
	for k := 0; s.have(k); k++ {
		row, size := s.list[k].row, int(r.rows.Players[s.list[k].row])
		if o.size()+size > o.Session.Capacity || !s.meets(o, row) || !s.seat(o, row, sizes) {
			continue
		}
		joins(row)
		s.update(o, row)
		if len(o.Teams) == sizes.MaxTeams && !slices.ContainsFunc(o.Teams, func(t Team) bool { return t.Players < sizes.MaxPlayers }) {
			return true
		}
	}
	return false
}

// meets tests a ticket against the current state of the session.
func (s *Search) meets(o *Open, row Row) bool {
	r := s.rules
	a, b := &r.traits[o.Row], &r.traits[row]
	if textset.Meet(a.people, b.people) {
		return false
	}
	for i := range r.Set.Options {
		mine, theirs := a.options[i], b.options[i]
		switch kind := r.Set.Options[i].Kind; {
		case len(mine) == 0 && len(theirs) == 0:
		case kind == matcher.SameSet && !slices.Equal(mine, theirs),
			kind == matcher.SharedValue && !textset.Meet(mine, theirs),
			kind == matcher.NoRepeat && textset.Meet(mine, theirs):
			return false
		}
	}
	return true
}

// seat looks for a team with room for a ticket. It then removes teams without players; the last
// team takes the place of each.
func (s *Search) seat(o *Open, row Row, sizes *matcher.TeamSizes) bool {
	order := make([]int, len(o.Teams))
	for i := range order {
		order[i] = i
	}
	if s.rules.Set.Scan.SmallestFirst {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(o.Teams[a].Players, o.Teams[b].Players) })
	}
	size := int(s.rules.rows.Players[row])
	s.Members, s.Teams = o.Joined, o.Teams
	at := slices.IndexFunc(order, func(team int) bool {
		return o.Teams[team].Players+size <= sizes.MaxPlayers && s.mayTeam(team, row)
	})
	team := -1
	if at >= 0 {
		team = order[at]
	} else if len(o.Teams) < sizes.MaxTeams && size <= sizes.MaxPlayers {
		number := 0
		for slices.ContainsFunc(o.Teams, func(t Team) bool { return t.Number == number }) {
			number++
		}
		team = len(o.Teams)
		o.Teams = append(o.Teams, Team{Number: number})
	}
	if team >= 0 {
		o.Teams[team].Players += size
		o.Joined = append(o.Joined, Member{row, team, size, -1})
	}
	for i := 0; i < len(o.Teams); i++ {
		if o.Teams[i].Players > 0 {
			continue
		}
		last := len(o.Teams) - 1
		o.Teams[i] = o.Teams[last]
		o.Teams = o.Teams[:last]
		for k := range o.Joined {
			if o.Joined[k].Team == last {
				o.Joined[k].Team = i
			}
		}
		i--
	}
	return team >= 0
}

// update merges a ticket that has joined into the session's data, also for the next visit.
func (s *Search) update(o *Open, row Row) {
	r := s.rules
	a, b := &r.traits[o.Row], &r.traits[row]
	players := o.size()
	for i, number := range r.of(row) {
		own := r.of(o.Row)
		size := float64(r.rows.Players[row])
		own[i] = (own[i]*(float64(players)-size) + number*size) / float64(players)
	}
	a.people = append(a.people, b.people...)
	slices.Sort(a.people)
	for i := range r.Set.Options {
		switch r.Set.Options[i].Kind {
		case matcher.SharedValue:
			a.options[i] = textset.Intersect(a.options[i][:0], a.options[i], b.options[i])
		case matcher.NoRepeat:
			a.options[i] = append(a.options[i], b.options[i]...)
			slices.Sort(a.options[i])
		}
	}
	var blocked []matcher.Text
	for _, m := range o.Joined {
		blocked = append(blocked, r.traits[m.Row].blocked...)
	}
	slices.Sort(blocked)
	replace(&a.blocked, slices.Compact(blocked), &r.blockers)
}

// size returns the number of players of a session.
func (o *Open) size() (players int) {
	for i := range o.Teams {
		players += o.Teams[i].Players
	}
	return players
}

// Balance balances the teams by moving the tickets that joined. The session's players keep
// their teams.
func (s *Search) Balance(o *Open) {
	sizes := *s.rules.Sizes(o.Row)
	sizes.MaxTeams = max(sizes.MaxTeams, len(o.Teams))
	full := len(o.Teams) == sizes.MaxTeams
	for i := range o.Teams {
		full = full && o.Teams[i].Players >= sizes.MaxPlayers
	}
	if !full {
		sizes.MinTeams, sizes.MinPlayers = 0, 0
	}
	settled := slices.Clone(o.Teams)
	for _, m := range o.Joined {
		settled[m.Team].Players -= m.players
	}
	s.Members, s.Teams = o.Joined, o.Teams
	s.balance(&sizes, settled)
	for i := range s.Teams {
		if i >= len(o.Teams) {
			for slices.ContainsFunc(s.Teams[:i], func(t Team) bool { return t.Number == s.Teams[i].Number }) {
				s.Teams[i].Number++
			}
		}
	}
	o.Joined, o.Teams = s.Members, s.Teams
}
