package accelservice

import (
	"cmp"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
)

// Open is a session that is being filled. Visit may be called on it more than once.
type Open struct {
	Row     Row
	Session *matcher.Session
	Joined  []Member // the Team of each is an index in Teams
	Teams   []Team
}

// Open prepares a session for visits.
func (r *Rules) Open(row Row, session *matcher.Session) *Open {
	o := &Open{Row: row, Session: session, Teams: r.Seated(session)}
	for len(o.Teams) < session.Teams {
		o.Teams = append(o.Teams, Team{Number: len(o.Teams)})
	}
	return o
}

// Visit adds tickets to a session and reports whether the session became full. It calls joins for
// every ticket that joins. joins must remove that ticket from the candidates.
func (s *Search) Visit(o *Open, from *candidate.Query, joins func(Row)) (full bool) {
	r := s.rules
	sizes := r.Sizes(o.Row)
	s.Begin(o.Row, o.Session.Region, from, nil, 0)
	for k := 0; s.Have(k); k++ {
		row, size := s.List[k].Row, int(r.Rows.Players[s.List[k].Row])
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

// meets reports whether a ticket may join the session in its current state.
func (s *Search) meets(o *Open, row Row) bool {
	r := s.rules
	a, b := &r.Traits[o.Row], &r.Traits[row]
	if matcher.SetsMeet(a.People, b.People) {
		return false
	}
	for i := range r.Set.Options {
		ofA, ofB := a.Options[i], b.Options[i]
		switch kind := r.Set.Options[i].Kind; {
		case len(ofA) == 0 && len(ofB) == 0:
		case kind == matcher.SameSet && !slices.Equal(ofA, ofB),
			kind == matcher.SharedValue && !matcher.SetsMeet(ofA, ofB),
			kind == matcher.NoRepeat && matcher.SetsMeet(ofA, ofB):
			return false
		}
	}
	return true
}

// seat adds a ticket to a team with room, or to a new team, and reports whether there was one. It
// also removes every team without players and moves the last team to its position.
func (s *Search) seat(o *Open, row Row, sizes *matcher.TeamSizes) bool {
	order := make([]int, len(o.Teams))
	for i := range order {
		order[i] = i
	}
	if s.rules.Set.InTurn.SmallestFirst {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(o.Teams[a].Players, o.Teams[b].Players) })
	}
	size := int(s.rules.Rows.Players[row])
	s.Members, s.Teams = o.Joined, o.Teams
	at := slices.IndexFunc(order, func(team int) bool {
		return o.Teams[team].Players+size <= sizes.MaxPlayers && s.mayTeam(team, row)
	})
	team := -1
	if at >= 0 {
		team = order[at]
	} else if len(o.Teams) < sizes.MaxTeams && size <= sizes.MaxPlayers && !s.rules.blocksItself(row) {
		number := 0
		for slices.ContainsFunc(o.Teams, func(t Team) bool { return t.Number == number }) {
			number++
		}
		team = len(o.Teams)
		o.Teams = append(o.Teams, Team{Number: number})
	}
	if team >= 0 {
		o.Teams[team].Players += size
		o.Joined = append(o.Joined, Member{Row: row, Team: team, Players: size, At: -1})
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

// update merges the data of a ticket that has joined into that of the session. The changes remain
// in effect for later visits. The lists of blocked players are those of the session's members, if
// they have any, and of the tickets that have joined.
func (s *Search) update(o *Open, row Row) {
	r := s.rules
	a, b := &r.Traits[o.Row], &r.Traits[row]
	players := o.size()
	for i, number := range r.Numbers(row) {
		own := r.Numbers(o.Row)
		size := float64(r.Rows.Players[row])
		own[i] = (float64(own[i]*(float64(players)-size)) + float64(number*size)) / float64(players)
	}
	a.People = append(a.People, b.People...)
	slices.Sort(a.People)
	for i := range r.Set.Options {
		switch r.Set.Options[i].Kind {
		case matcher.SharedValue:
			a.Options[i] = matcher.IntersectSets(a.Options[i][:0], a.Options[i], b.Options[i])
		case matcher.NoRepeat:
			a.Options[i] = append(a.Options[i], b.Options[i]...)
			slices.Sort(a.Options[i])
		}
	}
	r.LoadValues(o.Row)
	r.count(o.Row, -1)
	a.Blocked = a.Blocked[:0]
	for i := range o.Session.Members {
		a.Blocked = append(a.Blocked, o.Session.Members[i].At(r.Set.Blocked).Set...)
	}
	for _, m := range o.Joined {
		a.Blocked = append(a.Blocked, r.Traits[m.Row].Blocked...)
	}
	slices.Sort(a.Blocked)
	a.Blocked = slices.Compact(a.Blocked)
	r.count(o.Row, 1)
}

// size returns the number of players of a session.
func (o *Open) size() (players int) {
	for i := range o.Teams {
		players += o.Teams[i].Players
	}
	return players
}

// Balance moves the tickets that joined so that the teams become more even. Players whom the
// session already had stay in their teams.
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
		settled[m.Team].Players -= m.Players
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
