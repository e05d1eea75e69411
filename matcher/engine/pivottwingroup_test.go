package engine

import (
	"math"
	"mmsim/matcher"
	"slices"
)

// setOf returns the set in a column, or nil if the attribute is missing.
func setOf(values []matcher.Value, c matcher.Column) []matcher.Text {
	if c == matcher.NoColumn || values[c].Kind != matcher.IsSet {
		return nil
	}
	return values[c].Set
}

func namesOf(players []matcher.Player) []matcher.Text {
	var names []matcher.Text
	for _, p := range players {
		names = append(names, p.Values[colName].Text)
	}
	return names
}

func overlap(a, b []matcher.Text) bool {
	return slices.ContainsFunc(a, func(x matcher.Text) bool { return slices.Contains(b, x) })
}

func holdsAll(set, part []matcher.Text) bool {
	return !slices.ContainsFunc(part, func(x matcher.Text) bool { return !slices.Contains(set, x) })
}

// part is one member of a group: a ticket or a session.
type part struct {
	values []matcher.Value
	names  []matcher.Text
}

// together reports whether all parts may be in one match whose seed was created at seedMS. It reuses
// no earlier results.
func (t *pivotTwin) together(seedMS int64, parts []part) bool {
	rules := t.rules.Pivot
	for i := range parts {
		for k := range i {
			a, b := &parts[i], &parts[k]
			if overlap(a.names, b.names) {
				return false
			}
			if rules.Blocking == matcher.KeepApart && (overlap(setOf(a.values, colBlocked), b.names) || overlap(setOf(b.values, colBlocked), a.names)) {
				return false
			}
		}
	}
	for _, o := range rules.Options {
		if enforced := true; len(o.Enforced) > 0 {
			for _, step := range o.Enforced {
				if step.AfterMS <= t.wait(seedMS) {
					enforced = step.Value
				}
			}
			if !enforced {
				continue
			}
		}
		var sets, owns [][]matcher.Text
		without, noOwn := 0, false
		for _, p := range parts {
			sets, owns = append(sets, setOf(p.values, o.Column)), append(owns, setOf(p.values, o.Own))
			if setOf(p.values, o.Column) == nil {
				without++
			}
			noOwn = noOwn || setOf(p.values, o.Own) == nil
		}
		if o.Kind == matcher.NoRepeat {
			for i := range sets {
				if sets[0] != nil && sets[i] == nil { // the first part is the seed
					return false
				}
				for k := range i {
					if overlap(sets[i], sets[k]) {
						return false
					}
				}
			}
			continue
		}
		if without == len(parts) {
			continue
		}
		if without > 0 {
			return false
		}
		if o.Kind == matcher.SameSet {
			for i := range sets {
				if !slices.Equal(sets[i], sets[0]) {
					return false
				}
			}
			continue
		}
		for i := range sets {
			for k := range sets {
				if i != k && !holdsAll(sets[i], owns[k]) {
					return false
				}
			}
		}
		shares := slices.ContainsFunc(sets[0], func(x matcher.Text) bool {
			return !slices.ContainsFunc(sets, func(set []matcher.Text) bool { return !slices.Contains(set, x) })
		})
		if noOwn && !shares {
			return false
		}
	}
	return true
}

// fits reports whether a ticket may join the twin's current group.
func (t *pivotTwin) fits(s *twinSeed, ticket int) bool {
	parts := []part{{s.values, namesOf(s.players)}}
	for _, i := range t.group {
		if s.session == nil && i == s.ticket {
			continue
		}
		if i == ticket {
			return false
		}
		parts = append(parts, part{t.tickets[i].Values, namesOf(t.tickets[i].Players)})
	}
	return t.together(s.createdMS, append(parts, part{t.tickets[ticket].Values, namesOf(t.tickets[ticket].Players)}))
}

// players counts the players in a team, including a session's members.
func (t *pivotTwin) players(s *twinSeed, team int) int {
	count := 0
	for k, i := range t.group {
		if t.team[k] == team {
			count += len(t.tickets[i].Players)
		}
	}
	if s.session != nil {
		for _, m := range s.session.Members {
			if m.Team == team {
				count++
			}
		}
	}
	return count
}

// shareTeam reports whether a ticket may join a team: no player there blocks a player of the ticket
// or is blocked by one.
func (t *pivotTwin) shareTeam(s *twinSeed, ticket, team int) bool {
	if t.rules.Pivot.Blocking != matcher.OtherTeams {
		return true
	}
	own := &t.tickets[ticket]
	for k, i := range t.group {
		other := &t.tickets[i]
		if t.team[k] == team && i != ticket && (overlap(setOf(own.Values, colBlocked), namesOf(other.Players)) || overlap(setOf(other.Values, colBlocked), namesOf(own.Players))) {
			return false
		}
	}
	if s.session != nil {
		for _, m := range s.session.Members {
			if m.Team == team && overlap(setOf(own.Values, colBlocked), namesOf([]matcher.Player{m.Player})) {
				return false
			}
		}
	}
	return true
}

func (t *pivotTwin) join(ticket, team int) {
	t.group, t.team = append(t.group, ticket), append(t.team, team)
}

func (t *pivotTwin) keep(n int) { t.group, t.team = t.group[:n], t.team[:n] }

// stack adds candidates to a team in order of rank. It stops when the number of players reaches the
// parameter until, and never exceeds the parameter limit.
func (t *pivotTwin) stack(s *twinSeed, list []int, team, until, limit int) {
	for _, c := range list {
		size := len(t.tickets[c].Players)
		if n := t.players(s, team); n < until && n+size <= limit && t.fits(s, c) && t.shareTeam(s, c, team) {
			t.join(c, team)
		}
	}
}

// fill forms the teams of a match around a seed, and reports whether there is a match.
func (t *pivotTwin) fill(s *twinSeed, list []int, sizes matcher.TeamSizes) bool {
	if sizes.MaxTeams == 1 && sizes.MaxPlayers == 1 {
		return true
	}
	if len(s.players) > sizes.MaxPlayers {
		return false
	}
	smallest := len(s.players)
	for _, c := range list {
		if t.fits(s, c) {
			smallest = min(smallest, len(t.tickets[c].Players))
		}
	}
	for team := range sizes.MinTeams {
		t.stack(s, list, team, sizes.MinPlayers, max(sizes.MinPlayers, smallest))
		if t.players(s, team) < sizes.MinPlayers {
			t.keep(1)
			if !t.pack(s, list, sizes) {
				return false
			}
			break
		}
	}
	for team := range sizes.MinTeams {
		t.stack(s, list, team, sizes.MaxPlayers, sizes.MaxPlayers)
	}
	for team := sizes.MinTeams; team < sizes.MaxTeams; team++ {
		before := len(t.group)
		if t.stack(s, list, team, sizes.MaxPlayers, sizes.MaxPlayers); t.players(s, team) < sizes.MinPlayers {
			t.keep(before)
			break
		}
	}
	if sizes.MinPlayers < sizes.MaxPlayers || sizes.MinTeams < sizes.MaxTeams {
		t.repack(s, list, sizes)
	}
	return true
}

// repack forms the group again. It takes each candidate, in order of rank, if the group can still
// be divided into teams. The result replaces the group if it has more players.
func (t *pivotTwin) repack(s *twinSeed, list []int, sizes matcher.TeamSizes) {
	count := func() (players int) {
		for _, i := range t.group {
			players += len(t.tickets[i].Players)
		}
		return players
	}
	if !slices.ContainsFunc(list, func(c int) bool { return t.fits(s, c) }) || count() == sizes.MaxTeams*sizes.MaxPlayers {
		return // no candidate remains, or no seat is free
	}
	group, team, seated := slices.Clone(t.group), slices.Clone(t.team), count()
	t.keep(1)
	t.team[0] = 0
	for _, c := range list {
		if !t.fits(s, c) {
			continue
		}
		if t.join(c, 0); !t.divide(0, 0, sizes.MaxTeams, sizes.MaxPlayers, 0, 0) {
			t.keep(len(t.group) - 1)
		}
	}
	if count() <= seated || !t.divide(0, 0, sizes.MaxTeams, sizes.MaxPlayers, sizes.MinTeams, sizes.MinPlayers) {
		t.group, t.team = group, team
	}
}

// divide assigns the tickets of the group to teams, starting with the ticket at index i. It puts
// each into the first team that still allows a division of the remaining tickets. It reports
// whether it has succeeded.
func (t *pivotTwin) divide(i, used, maxTeams, maxPlayers, minTeams, minPlayers int) bool {
	sizes := make([]int, used+1)
	for k := range i {
		sizes[t.team[k]] += len(t.tickets[t.group[k]].Players)
	}
	if i == len(t.group) {
		return used >= minTeams && (minPlayers == 0 || slices.Min(sizes[:used]) >= minPlayers)
	}
	own := &t.tickets[t.group[i]]
	for team := 0; team <= used && team < maxTeams; team++ {
		fits := sizes[team]+len(own.Players) <= maxPlayers
		for k := range i {
			other := &t.tickets[t.group[k]]
			if t.team[k] == team && t.rules.Pivot.Blocking == matcher.OtherTeams {
				fits = fits && !overlap(setOf(own.Values, colBlocked), namesOf(other.Players)) && !overlap(setOf(other.Values, colBlocked), namesOf(own.Players))
			}
		}
		if t.team[i] = team; fits && t.divide(i+1, max(used, team+1), maxTeams, maxPlayers, minTeams, minPlayers) {
			return true
		}
	}
	return false
}

// pack tries all ways to fill the teams up to their minimum, and takes the first that succeeds.
func (t *pivotTwin) pack(s *twinSeed, list []int, sizes matcher.TeamSizes) bool {
	full := true
	for team := range sizes.MinTeams {
		full = full && t.players(s, team) >= sizes.MinPlayers
	}
	if full {
		return true
	}
	for k, c := range list {
		for team := range sizes.MinTeams {
			n := t.players(s, team)
			if n >= sizes.MinPlayers || n+len(t.tickets[c].Players) > sizes.MaxPlayers || !t.fits(s, c) || !t.shareTeam(s, c, team) {
				continue
			}
			before := len(t.group)
			t.join(c, team)
			if t.pack(s, list[k+1:], sizes) {
				return true
			}
			t.keep(before)
		}
	}
	return false
}

// admit lets candidates join a session, in order of rank.
func (t *pivotTwin) admit(s *twinSeed, list []int, sizes matcher.TeamSizes) {
	teams, players := 0, len(s.session.Members)
	for _, m := range s.session.Members {
		teams = max(teams, m.Team+1)
	}
	for _, c := range list {
		size := len(t.tickets[c].Players)
		if players+size > s.session.Capacity || !t.fits(s, c) {
			continue
		}
		best := -1
		for team := range teams {
			n := t.players(s, team)
			if n+size <= sizes.MaxPlayers && t.shareTeam(s, c, team) && (best < 0 || n < t.players(s, best)) {
				best = team
			}
		}
		if best < 0 && teams < sizes.MaxTeams && size <= sizes.MaxPlayers {
			best = teams
			teams++
		}
		if best >= 0 {
			t.join(c, best)
			players += size
		}
	}
}

// evenness describes how evenly a group is divided. Smaller is better; sizeGap is compared first.
type evenness struct {
	sizeGap    int
	averageGap float64
}

func (e evenness) better(than evenness) bool {
	if e.sizeGap != than.sizeGap {
		return e.sizeGap < than.sizeGap
	}
	return e.averageGap < than.averageGap-1e-9
}

// evenest tries all divisions of the group into teams and returns the best evenness.
func (t *pivotTwin) evenest(s *twinSeed, sizes matcher.TeamSizes) evenness {
	best := evenness{math.MaxInt, math.Inf(1)}
	teams := sizes.MaxTeams
	given := slices.Clone(t.team)
	var try func(k int)
	try = func(k int) {
		if k < len(t.group) {
			for team := range teams {
				t.team[k] = team
				try(k + 1)
			}
			return
		}
		if e, valid := t.even(s, sizes); valid && e.better(best) {
			best = e
		}
	}
	try(0)
	copy(t.team, given)
	return best
}

// even returns the evenness of the current teams, and reports whether they are valid.
func (t *pivotTwin) even(s *twinSeed, sizes matcher.TeamSizes) (e evenness, valid bool) {
	least, most, filled := math.MaxInt, 0, 0
	lowest, highest := math.Inf(1), math.Inf(-1)
	for team := range sizes.MaxTeams {
		n, sum := t.players(s, team), 0.0
		least, most = min(least, n), max(most, n)
		if n == 0 {
			continue
		}
		filled++
		for k, i := range t.group {
			if t.team[k] == team {
				sum += t.strength(t.tickets[i].Players)
				if !t.shareTeam(s, i, team) {
					return e, false
				}
			}
		}
		if s.session != nil {
			for _, m := range s.session.Members {
				if m.Team == team {
					sum += t.strength([]matcher.Player{m.Player})
				}
			}
		}
		if n > sizes.MaxPlayers || n < sizes.MinPlayers {
			return e, false
		}
		lowest, highest = min(lowest, sum/float64(n)), max(highest, sum/float64(n))
	}
	return evenness{most - least, max(0, highest-lowest)}, filled >= sizes.MinTeams
}

// strength returns the value of players by which teams are balanced.
func (t *pivotTwin) strength(players []matcher.Player) float64 {
	sum := 0.0
	for _, d := range t.rules.Pivot.Distances {
		for _, p := range players {
			if d.Balanced && d.Scale > 0 {
				sum += p.Values[d.Column].Number / d.Scale
			} else if d.Balanced {
				sum += p.Values[d.Column].Number
			}
		}
	}
	return sum
}
