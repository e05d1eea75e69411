package engine

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"mmsim/matcher"
	"mmsim/matcher/engine/internal/criterion"
	"slices"
)

// pivotCase is a small random case for comparing the engine with pivotTwin.
type pivotCase struct {
	rules    *matcher.Ruleset
	schema   *matcher.Schema
	nowMS    int64
	tickets  []matcher.Ticket
	sessions []matcher.Session
}

// The columns of a pivotCase.
const (
	colSkill matcher.Column = iota
	colLevel
	colName
	colSame
	colBlocked
	colNewOnly
	colModes
	colMaps
	colOwn
	colRole
	pivotColumns
)

// drawPivotCase draws a case of a few tickets, or a crowd. Matches in a crowd need few players,
// because the twin tries all ways to form teams.
func drawPivotCase(r *rand.Rand, crowd bool) *pivotCase {
	w := &pivotCase{schema: new(matcher.Schema), nowMS: 100_000}
	for c := range pivotColumns {
		w.schema.Column(fmt.Sprint("c", c))
	}
	for _, region := range []string{"b", "a", "c"} {
		w.schema.Region(region)
	}
	s := &matcher.PivotRules{Same: colSame, People: colName, Blocked: colBlocked, NewOnly: colNewOnly,
		Blocking: matcher.Blocking(r.IntN(3)), Balance: r.IntN(2) == 0, Backfill: r.IntN(4) > 0}
	for i := range 1 + r.IntN(2) {
		size := matcher.TeamSizes{AfterMS: int64(i) * 5000, MinTeams: 1 + r.IntN(3), MinPlayers: 1 + r.IntN(3)}
		if crowd {
			size.MinTeams, size.MinPlayers = min(2, size.MinTeams), 1
		}
		size.MaxTeams, size.MaxPlayers = size.MinTeams+r.IntN(2), size.MinPlayers+r.IntN(3)
		s.Sizes = append(s.Sizes, size)
	}
	for i := range r.IntN(3) {
		d := matcher.PivotDistance{Name: "d", Column: colSkill + matcher.Column(i), Scale: 10 * float64(r.IntN(2)), Weight: float64(r.IntN(3)), Balanced: r.IntN(2) == 0}
		for stage := range 1 + r.IntN(3) {
			most := float64(1 + r.IntN(6))
			if r.IntN(8) == 0 {
				most = math.Inf(1) // the rule is not enforced
			}
			d.Max = append(d.Max, matcher.Step[float64]{AfterMS: int64(stage) * 4000, Value: most})
		}
		if r.IntN(3) == 0 {
			d.Basis = new(matcher.ExpansionBasis(r.IntN(3)))
		}
		s.Distances = append(s.Distances, d)
	}
	for _, o := range []matcher.PivotOption{{Column: colModes, Kind: matcher.SameSet, Own: matcher.NoColumn}, {Column: colMaps, Kind: matcher.SharedValue, Own: colOwn},
		{Column: colMaps, Kind: matcher.SharedValue, Own: matcher.NoColumn}, {Column: colRole, Kind: matcher.NoRepeat, Own: matcher.NoColumn}} {
		if r.IntN(3) == 0 {
			o.Enforced = matcher.Steps[bool]{{Value: r.IntN(3) > 0}, {AfterMS: int64(1+r.IntN(8)) * 1000, Value: r.IntN(3) == 0}}
		}
		if r.IntN(4) == 0 {
			s.Options = append(s.Options, o)
		}
	}
	s.Region = matcher.PivotRegion{Name: "region", ReachMS: matcher.Linear(float64(r.IntN(3)*20), 20, math.Inf(1), 5000), MaxMS: 80, Weight: float64(r.IntN(3)), OneWayAfterMS: matcher.Never}
	s.Region.Relative = s.Region.ReachMS.Base == 0
	if r.IntN(3) == 0 {
		s.Region.MaxMS = math.Inf(1)
	}
	if r.IntN(3) == 0 {
		s.Region.OneWayAfterMS = 6000
	}
	w.rules = &matcher.Ruleset{MinPlayers: 1, MaxPlayers: matcher.MaxGroupPlayers, Pivot: s, Budget: 1_000_000}
	tickets := r.IntN(10)
	if crowd {
		tickets = 150
	}
	for i := range tickets {
		t := matcher.Ticket{CreatedMS: w.nowMS - int64(r.IntN(12))*1000, Values: w.values(r)}
		for range 1 + max(0, r.IntN(5)-2) {
			t.Players = append(t.Players, w.player(r, i))
		}
		w.tickets = append(w.tickets, t)
	}
	for range max(0, r.IntN(4)-1) {
		session := matcher.Session{CreatedMS: w.nowMS - int64(r.IntN(12))*1000, Values: w.values(r), Region: matcher.Region(r.IntN(3)) - 1, Capacity: r.IntN(8)}
		if session.Capacity == 0 {
			session.Capacity = matcher.MaxGroupPlayers
		}
		for range min(session.Capacity, 1+r.IntN(3)) {
			session.Members = append(session.Members, matcher.Member{Player: w.player(r, 50), Team: r.IntN(s.Sizes[0].MaxTeams)})
		}
		w.sessions = append(w.sessions, session)
	}
	return w
}

func (w *pivotCase) player(r *rand.Rand, i int) matcher.Player {
	p := matcher.Player{Values: make([]matcher.Value, pivotColumns)}
	p.Values[colName] = matcher.TextValue(w.schema.Intern(fmt.Sprint("p", i*4+r.IntN(5))))
	if r.IntN(6) > 0 {
		p.Values[colSkill], p.Values[colLevel] = matcher.NumberValue(float64(r.IntN(8))), matcher.NumberValue(float64(r.IntN(8)))
	}
	if r.IntN(4) > 0 {
		for range 3 {
			rtt := float64(10 * r.IntN(10))
			if r.IntN(6) == 0 {
				rtt = math.NaN()
			}
			p.RTTMS = append(p.RTTMS, rtt)
		}
	}
	return p
}

// values draws the attributes of a ticket or of a session.
func (w *pivotCase) values(r *rand.Rand) []matcher.Value {
	set := func(chance int, prefix string, n int) matcher.Value {
		if r.IntN(chance) > 0 {
			return matcher.Value{}
		}
		var texts []string
		for range 1 + r.IntN(2) {
			texts = append(texts, fmt.Sprint(prefix, r.IntN(n)))
		}
		return matcher.SetValue(w.schema.Set(texts))
	}
	v := make([]matcher.Value, pivotColumns)
	v[colBlocked], v[colModes], v[colOwn] = set(3, "p", 40), set(2, "m", 2), set(2, "x", 3)
	v[colRole] = set(2, "r", 5)
	if v[colMaps] = set(1, "x", 3); r.IntN(8) == 0 {
		v[colMaps] = matcher.Value{}
	}
	if r.IntN(6) == 0 {
		v[colSame] = matcher.TextValue(w.schema.Intern(fmt.Sprint("s", r.IntN(2))))
	}
	if r.IntN(8) == 0 {
		v[colNewOnly] = matcher.NumberValue(1)
	}
	return v
}

// pivotTwin is a simple second implementation of the pivot search. It tries every ticket every
// time.
type pivotTwin struct {
	*pivotCase
	gone   []bool
	failed []bool
	group  []int // tickets in the order in which they joined
	team   []int // the team of each ticket in group
}

// twinSeed is a seed, which is either a ticket or a session.
type twinSeed struct {
	createdMS int64
	values    []matcher.Value
	players   []matcher.Player
	session   *matcher.Session
	ticket    int
}

func (t *pivotTwin) wait(createdMS int64) int64 { return t.nowMS - createdMS }

func (t *pivotTwin) older(a, b int) bool {
	x, y := &t.tickets[a], &t.tickets[b]
	return x.CreatedMS < y.CreatedMS || x.CreatedMS == y.CreatedMS && a < b
}

// rtts returns the mean round-trip times of players, and reports whether any player measured a
// region.
func (t *pivotTwin) rtts(players []matcher.Player) (rtts []float64, measured bool) {
	rtts = []float64{0, 0, 0}
	count := 0.0
	for _, p := range players {
		if !slices.ContainsFunc(p.RTTMS, func(x float64) bool { return !math.IsNaN(x) }) {
			continue
		}
		count++
		for i := range rtts {
			if math.IsNaN(p.RTTMS[i]) {
				rtts[i] = math.Inf(1)
			}
			rtts[i] += p.RTTMS[i]
			if math.IsNaN(rtts[i]) {
				rtts[i] = math.Inf(1)
			}
		}
	}
	for i := range rtts {
		rtts[i] /= count
	}
	return rtts, count > 0
}

// reach returns the largest round-trip time that players accept after the wait since createdMS.
func (t *pivotTwin) reach(players []matcher.Player, createdMS int64) float64 {
	rule := t.rules.Pivot.Region
	rtts, _ := t.rtts(players)
	reach := rule.ReachMS.Base + 20*math.Floor(float64(t.wait(createdMS))/5000)
	if rule.Relative {
		reach += slices.Min(rtts)
	}
	return min(reach, rule.MaxMS)
}

func mean(players []matcher.Player, c matcher.Column) float64 {
	sum := 0.0
	for _, p := range players {
		sum += p.Values[c].Number
	}
	return sum / float64(len(players))
}

// stageAt returns the threshold after a wait. It is +Inf if the rule is not enforced.
func stageAt(steps matcher.Steps[float64], wait int64) float64 {
	threshold := 0.0
	for _, s := range steps {
		if s.AfterMS <= wait {
			threshold = s.Value
		}
	}
	return threshold
}

// threshold returns the largest difference that a rule allows between a seed and a candidate.
func (t *pivotTwin) threshold(d matcher.PivotDistance, seedMS, candidateMS int64) float64 {
	mine, other := t.wait(seedMS), t.wait(candidateMS)
	if d.Basis == nil {
		return min(stageAt(d.Max, mine), stageAt(d.Max, other))
	}
	return stageAt(d.Max, [...]int64{max(mine, other), min(mine, other), (mine + other) / 2}[*d.Basis])
}

func (t *pivotTwin) sizes(createdMS int64) matcher.TeamSizes {
	size := t.rules.Pivot.Sizes[0]
	for _, s := range t.rules.Pivot.Sizes {
		if s.AfterMS <= t.wait(createdMS) {
			size = s
		}
	}
	return size
}

// twinCandidate is a ticket with the values by which it is ranked.
type twinCandidate struct {
	ticket     int
	score, tie float64
}

// candidates returns the tickets that a seed may meet in a region, in the order of their rank.
func (t *pivotTwin) candidates(s *twinSeed, region matcher.Region, room int) []int {
	rules := t.rules.Pivot
	var list []twinCandidate
	for i := range t.tickets {
		c := &t.tickets[i]
		if t.gone[i] || t.failed[i] || s.session == nil && i == s.ticket || len(c.Players) > room || c.Values[colSame].Kind != s.values[colSame].Kind || c.Values[colSame].Text != s.values[colSame].Text {
			continue
		}
		if s.session != nil && c.Values[colNewOnly].Kind != matcher.Missing {
			continue
		}
		score, tie, ok := 0.0, 0.0, true
		for _, d := range rules.Distances {
			difference := math.Abs(mean(c.Players, d.Column) - mean(s.players, d.Column))
			mine := stageAt(d.Max, t.wait(s.createdMS))
			ok = ok && difference <= t.threshold(d, s.createdMS, c.CreatedMS)+criterion.Tolerance
			if !math.IsInf(mine, 1) && d.Scale > 0 {
				score += difference / d.Scale * d.Weight
			} else if !math.IsInf(mine, 1) {
				score += difference
			}
		}
		rtts, measured := t.rtts(c.Players)
		limit := t.reach(c.Players, c.CreatedMS)
		if s.session == nil && t.wait(s.createdMS) > rules.Region.OneWayAfterMS {
			limit = rules.Region.MaxMS
		}
		if region == matcher.NoRegion && s.session == nil && measured {
			ok = ok && slices.Min(rtts) <= limit+criterion.Tolerance && slices.Min(rtts) < math.Inf(1)
		}
		if region != matcher.NoRegion && (measured || s.session != nil) {
			ok = ok && measured && rtts[region] <= limit+criterion.Tolerance && rtts[region] < math.Inf(1)
			if s.session != nil {
				tie = rtts[region]
			} else if rules.Region.MaxMS < math.Inf(1) {
				score += (rtts[region] - slices.Min(rtts)) / rules.Region.MaxMS * rules.Region.Weight
			}
		}
		if ok {
			list = append(list, twinCandidate{i, score, tie})
		}
	}
	slices.SortFunc(list, func(a, b twinCandidate) int {
		older := -1
		if t.older(b.ticket, a.ticket) {
			older = 1
		}
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.tie, b.tie), older)
	})
	tickets := make([]int, len(list))
	for i := range list {
		tickets[i] = list[i].ticket
	}
	return tickets
}
