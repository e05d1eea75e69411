package experiment

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mmsim/sim"
)

// abRuleset is the part of a ruleset that concerns matching.
type abRuleset struct {
	*checkContext `json:"-"`
	service       bool // follow the released service instead of its documentation
	lenient       int  // number of matches with a ticket that no region accepts; see TestRecheckAllowsRegionsThatNobodyAccepts

	AutoBackfill        bool         `json:"auto_backfill"`
	Alliance            abAlliance   `json:"alliance"`
	AllianceFlexingRule []abAlliance `json:"alliance_flexing_rule"`
	MatchingRule        []abRule     `json:"matching_rule"`
	FlexingRule         []abRule     `json:"flexing_rule"`
	MatchOptions        struct {
		Options []struct{ Name, Type string }
	} `json:"match_options"`
	Initial       float64  `json:"region_latency_initial_range_ms"`
	Range         float64  `json:"region_expansion_range_ms"`
	Rate          float64  `json:"region_expansion_rate_ms"`
	Max           float64  `json:"region_latency_max_ms"`
	OneWayAfterMS *float64 `json:"disable_bidirectional_latency_after_ms"`
}

type abAlliance struct {
	Duration   float64
	MinTeams   int `json:"min_number"`
	MaxTeams   int `json:"max_number"`
	MinPlayers int `json:"player_min_number"`
	MaxPlayers int `json:"player_max_number"`
}

type abRule struct {
	Duration  float64
	Attribute string
	Reference float64
}

// readAccelByte reads a ruleset.
func readAccelByte(text string) (*abRuleset, error) {
	s := &abRuleset{Range: 50, Rate: 5000}
	return s, json.Unmarshal([]byte(text), s)
}

// complete implements ruleChecker. The engine fills teams without backtracking, so it may miss
// possible matches except in duels.
func (s *abRuleset) complete(parties bool) bool {
	duel := func(a abAlliance) bool {
		return a.MinTeams == 2 && a.MaxTeams == 2 && a.MinPlayers == 1 && a.MaxPlayers == 1
	}
	flexed := slices.ContainsFunc(s.AllianceFlexingRule, func(a abAlliance) bool { return !duel(a) })
	return !parties && duel(s.Alliance) && !flexed && !(s.service && len(s.MatchOptions.Options) > 0)
}

// check implements ruleChecker. It compares every ticket with the pivot, which is the first
// ticket, or with the session that the tickets join.
func (s *abRuleset) check(m *checkedGroup) (wrong violations) {
	if m.session != nil {
		return s.checkJoining(m)
	}
	wrong = s.checkAround(m.tickets[0], m)
	for _, pivot := range m.remaining {
		if !s.service || len(wrong) == 0 {
			break
		}
		if pivot.order < m.tickets[0].order && len(s.checkAround(pivot, m)) == 0 {
			return nil // the pivot found no seat
		}
	}
	return wrong
}

// checkAround checks a new match around a pivot. In the service, the pivot may be missing from the
// match.
func (s *abRuleset) checkAround(pivot *checkedTicket, m *checkedGroup) (wrong violations) {
	age := s.age(pivot.began, m.at)
	teams := m.teams
	if teams == nil {
		for i := range m.tickets { // in a duel, every ticket is a team
			teams = append(teams, i)
		}
	}
	s.checkTeams(s.alliance(age), m.tickets, teams, &wrong)
	for _, h := range m.tickets {
		s.checkDistance(pivot.mean, age, h, s.age(h.began, m.at), &wrong)
	}
	s.checkOptions(pivot, m.tickets, &wrong)
	s.checkRegion(pivot, m, &wrong)
	return wrong
}

// checkJoining checks tickets that join a session. The session's age takes the place of the
// pivot's age.
func (s *abRuleset) checkJoining(m *checkedGroup) (wrong violations) {
	if !s.AutoBackfill {
		wrong.add("joins a session without auto_backfill")
	}
	all := slices.Concat(m.session.tickets, m.tickets)
	age := s.age(m.session.began, m.at)
	s.checkJoinedTeams(m, s.alliance(age), &wrong)
	for i, h := range m.tickets {
		s.checkJoinedDistance(m, i, age, h, &wrong)
	}
	s.checkOptions(all[0], all, &wrong)
	if m.session.region != "" && m.region != m.session.region {
		wrong.add("joins a session of %s in %s", m.session.region, m.region)
	}
	for _, h := range m.tickets {
		if m.session.region != "" && len(s.regions) > 0 && !(s.oneWay(age) && !s.service) && !s.reaches(h, s.age(h.began, m.at), m.session.region) {
			wrong.add("a ticket joins in %s, which is too far", m.session.region)
		}
	}
	return wrong
}

// checkJoinedDistance compares a ticket with the mean of a session. The service may visit a
// session twice in a pass. The second time, the mean includes the tickets that joined the
// first time.
func (s *abRuleset) checkJoinedDistance(m *checkedGroup, i int, age float64, h *checkedTicket, wrong *violations) {
	var first violations
	for others := range 1 << len(m.tickets) {
		if others>>i&1 != 0 || others > 0 && !s.service {
			continue
		}
		var now violations
		s.checkDistance(func(attribute string) float64 {
			there := slices.Clone(m.session.tickets)
			for k, other := range m.tickets {
				if others>>k&1 != 0 {
					there = append(there, other)
				}
			}
			total, n := 0.0, 0
			for _, h := range there {
				total += h.mean(attribute) * float64(len(h.players))
				n += len(h.players)
			}
			return total / float64(n)
		}, age, h, s.age(h.began, m.at), &now)
		if len(now) == 0 {
			return
		}
		if others == 0 {
			first = now
		}
	}
	*wrong = append(*wrong, first...)
}

// mean returns the mean of the players' numbers. A missing number counts as 0.
func (h *checkedTicket) mean(attribute string) float64 {
	total := 0.0
	for i := range h.players {
		x, _ := h.players[i].attributes[attribute].(float64)
		total += x
	}
	return total / float64(len(h.players))
}

// alliance returns the number and sizes of teams at an age.
func (s *abRuleset) alliance(age float64) abAlliance {
	a := s.Alliance
	a.Duration = -1
	for _, flexed := range s.AllianceFlexingRule {
		if s.past(flexed.Duration, age) && flexed.Duration >= a.Duration {
			a = flexed
		}
	}
	return a
}

// checkTeams checks the number of teams and of players in each.
func (s *abRuleset) checkTeams(a abAlliance, tickets []*checkedTicket, teams []int, wrong *violations) {
	if single := (abAlliance{a.Duration, 1, 1, 1, 1}); a == single && len(tickets) == 1 {
		return // any number of teams of any size
	}
	sizes := map[int]int{}
	for i, h := range tickets {
		sizes[teams[i]] += len(h.players)
	}
	if len(sizes) < a.MinTeams || len(sizes) > a.MaxTeams {
		wrong.add("%d teams, from %d to %d", len(sizes), a.MinTeams, a.MaxTeams)
	}
	for _, n := range sizes {
		if n < a.MinPlayers || n > a.MaxPlayers {
			wrong.add("a team of %d, from %d to %d", n, a.MinPlayers, a.MaxPlayers)
		}
	}
}

// checkJoinedTeams checks that no team is too large and that there are not too many teams. The
// session may have been made when other limits applied.
func (s *abRuleset) checkJoinedTeams(m *checkedGroup, a abAlliance, wrong *violations) {
	before, after := map[int]int{}, map[int]int{}
	for i, h := range m.session.tickets {
		before[m.session.teams[i]] += len(h.players)
		after[m.session.teams[i]] += len(h.players)
	}
	for i, h := range m.tickets {
		after[m.teams[i]] += len(h.players)
	}
	for team, n := range after {
		if n > a.MaxPlayers && n > before[team] {
			wrong.add("a team of %d grows to %d, at most %d", before[team], n, a.MaxPlayers)
		}
	}
	if len(after) > a.MaxTeams && len(after) > len(before) {
		wrong.add("%d teams become %d, at most %d", len(before), len(after), a.MaxTeams)
	}
}

// reference returns the maximum distance from another ticket after a wait.
func (s *abRuleset) reference(r *abRule, age float64) float64 {
	reference, since := r.Reference, -1.0
	for _, flexed := range s.FlexingRule {
		if flexed.Attribute == r.Attribute && s.past(flexed.Duration, age) && flexed.Duration >= since {
			reference, since = flexed.Reference, flexed.Duration
		}
	}
	return reference
}

// checkDistance compares a ticket with the pivot, with the thresholds after both waits.
func (s *abRuleset) checkDistance(pivot func(string) float64, pivotAge float64, h *checkedTicket, age float64, wrong *violations) {
	for i := range s.MatchingRule {
		r := &s.MatchingRule[i]
		most := min(s.reference(r, pivotAge), s.reference(r, age))
		if apart := math.Abs(pivot(r.Attribute) - h.mean(r.Attribute)); apart > most+1e-9 {
			wrong.add("%s: %v apart, at most %v", r.Attribute, apart, most)
		}
	}
}

// checkOptions compares the options of the tickets. The first player of each ticket has its
// options.
func (s *abRuleset) checkOptions(pivot *checkedTicket, tickets []*checkedTicket, wrong *violations) {
	for _, option := range s.MatchOptions.Options {
		var with, values int
		in := map[string]int{}
		for _, h := range tickets {
			chosen := optionValues(h.players[0].attributes[option.Name])
			for _, value := range chosen {
				in[value]++
			}
			with, values = with+min(1, len(chosen)), values+len(chosen)
		}
		shared := 0
		for _, n := range in {
			if n == len(tickets) {
				shared++
			}
		}
		switch option.Type {
		case "all":
			if with > 0 && (with < len(tickets) || shared < len(in)) {
				wrong.add("%s: not all the same: %v", option.Name, in)
			}
		case "any":
			if with > 0 && shared == 0 {
				wrong.add("%s: nothing in common: %v", option.Name, in)
			}
		case "unique":
			if first := optionValues(pivot.players[0].attributes[option.Name]); len(first) > 0 && with < len(tickets) {
				wrong.add("%s: the pivot has it, not all others", option.Name)
			}
			if values > len(in) {
				wrong.add("%s: twice the same: %v", option.Name, in)
			}
		}
	}
	version := func(h *checkedTicket) any { return h.players[0].attributes["client_version"] }
	for _, h := range tickets {
		if version(h) != version(pivot) && !(s.service && version(pivot) == nil) {
			wrong.add("client_version: %v and %v", version(h), version(pivot))
		}
	}
}

// optionValues returns the values of an option as texts.
func optionValues(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case []string:
		return v
	case nil:
		return nil
	}
	panic(fmt.Sprintf("an option of %T", v))
}

// checkRegion checks that the pivot's wait allows the region. The other tickets' waits must
// also allow it, unless the pivot has waited long enough.
func (s *abRuleset) checkRegion(pivot *checkedTicket, m *checkedGroup, wrong *violations) {
	if len(s.regions) == 0 {
		return
	}
	for i := range s.regions {
		name := s.regions[i].name
		if m.region != "" && name != m.region {
			continue
		}
		age := s.age(pivot.began, m.at)
		fits := s.reaches(pivot, age, name) || s.reachesNoRegion(pivot, age)
		for _, h := range m.tickets {
			if h == pivot {
				continue
			}
			reaches := s.reaches(h, s.age(h.began, m.at), name) || s.reachesNoRegion(pivot, age) || s.reachesNoRegion(h, s.age(h.began, m.at)) ||
				s.oneWay(age) && (s.service || s.Max == 0 || h.rttTo(s.region(name)) <= s.Max)
			fits = fits && reaches
		}
		if fits {
			if slices.ContainsFunc(m.tickets, func(h *checkedTicket) bool { return s.reachesNoRegion(h, s.age(h.began, m.at)) }) {
				s.lenient++
			}
			return
		}
	}
	wrong.add("%q is too far for somebody", m.region)
}

func (s *abRuleset) oneWay(age float64) bool {
	return s.OneWayAfterMS != nil && *s.OneWayAfterMS > 0 && age*1000 > *s.OneWayAfterMS
}

// age returns how long a ticket or a session has waited, in seconds. The service truncates
// times of creation to seconds.
func (s *abRuleset) age(began, at sim.Instant) float64 {
	if s.service {
		return float64(at)/1000 - math.Floor(float64(began)/1000)
	}
	return float64(at-began) / 1000
}

// past reports whether a value that takes effect after a duration is in effect at an age.
func (s *abRuleset) past(duration, age float64) bool {
	return duration < age || duration == age && !s.service
}

// reachesNoRegion reports whether the service accepts any region for a ticket, because no region accepts
// the ticket.
func (s *abRuleset) reachesNoRegion(h *checkedTicket, age float64) bool {
	return s.service && !slices.ContainsFunc(s.regions, func(c contextRegion) bool { return s.reaches(h, age, c.name) })
}

// rttTo returns the mean RTT of a ticket to a region.
func (h *checkedTicket) rttTo(region *contextRegion) float64 {
	total := 0.0
	for i := range h.players {
		total += region.rttTo(&h.players[i])
	}
	return total / float64(len(h.players))
}

// reaches reports whether a ticket may be matched in a region after its wait.
func (s *abRuleset) reaches(h *checkedTicket, age float64, name string) bool {
	steps := math.Floor(age * 1000 / s.Rate)
	if s.service {
		steps = max(0, math.Ceil(age*1000/s.Rate)-1)
	}
	limit := s.Initial + s.Range*steps
	if s.Initial == 0 || s.service {
		best := math.Inf(1)
		for i := range s.regions {
			best = min(best, h.rttTo(&s.regions[i]))
		}
		limit += best
	}
	if s.Max > 0 {
		limit = min(limit, s.Max)
	}
	return h.rttTo(s.region(name)) <= limit+1e-9
}
