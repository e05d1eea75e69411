package engine

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"runtime"
	"syscall"
	"testing"

	"mmsim/matcher"
)

// benchRuleset is a ruleset like those of real games.
type benchRuleset struct {
	name    string
	rules   *matcher.Ruleset
	parties bool
	apart   matcher.Column // the attribute that keeps tickets apart under a load with benchLoad.stuck
}

// benchRulesets returns rulesets for 5v5 matches. PlayFab's rules compare every pair of tickets in
// a match. AccelByte's rules compare every candidate with the seed.
func benchRulesets() []benchRuleset {
	return []benchRuleset{
		{"playfab-skill+region", skillAndRegion(), false, skillColumn},
		{"playfab-text", skillAndRegion(sameBuild()), false, buildColumn},
		{"playfab-set", skillAndRegion(sharedMap()), false, mapsColumn},
		{"playfab-five", fiveRules(), true, mapsColumn},
		{"accelbyte-flexing", flexing(), false, skillColumn},
		{"accelbyte-options", flexingWithOptions(), false, modeColumn},
		{"accelbyte-flexing-service", scanned(flexing(), false), false, skillColumn},
		{"accelbyte-options-service", scanned(flexingWithOptions(), false), false, modeColumn},
		{"flexmatch-skill+region", seated(), false, skillColumn},
		{"flexmatch-fair", seated(fairTeams()), false, skillColumn},
		{"flexmatch-averages", seatedBy(fiveSeatRules()[1:]...), false, mapsColumn},
		{"flexmatch-five", seatedBy(fiveSeatRules()...), false, mapsColumn},
		{"flexmatch-compound", seatedBy(allOf(fiveSeatRules()...)...), false, mapsColumn},
		{"flexmatch-roles", seatedBy(roleRules()...), false, mapsColumn},
		{"flexmatch-roles-compound", seatedBy(allOf(roleRules()...)...), false, mapsColumn},
	}
}

func alwaysOn(name string) matcher.Common {
	return matcher.Common{Name: name, Weight: 1, OptionalAfterMS: matcher.Never}
}

// skillAndRegion requires skills within 100, plus 50 for every 5 s of wait, up to 500. It also
// requires a common region within 80 ms, plus 20 ms for every 5 s, up to 250 ms.
func skillAndRegion(more ...matcher.Rule) *matcher.Ruleset {
	rules := []matcher.Rule{
		&matcher.NumberDistance{Common: alwaysOn("skill"), Column: skillColumn, Max: matcher.Linear(100, 50, 500, 5000), Default: 1500},
		&matcher.ReachRegion{Common: alwaysOn("region"), MaxRTTMS: matcher.Linear(80, 20, 250, 5000)},
	}
	return &matcher.Ruleset{
		MinPlayers: 10, MaxPlayers: 10, Rules: append(rules, more...),
		Teams: []matcher.Team{{Name: "red", Min: 5, Max: 5}, {Name: "blue", Min: 5, Max: 5}},
	}
}

func sameBuild() matcher.Rule {
	return &matcher.EqualText{Common: alwaysOn("build"), Column: buildColumn, Enabled: matcher.Fixed(0), MissingAny: true}
}

func sharedMap() matcher.Rule {
	return &matcher.SetOverlap{Common: alwaysOn("maps"), Column: mapsColumn, MinShared: matcher.Fixed(1)}
}

// fiveRules returns a ruleset with five rules, for teams of four or five players. The teams must be
// of equal size during the first ten seconds.
func fiveRules() *matcher.Ruleset {
	balance := &matcher.TeamBalance{Common: alwaysOn("balance"), Max: matcher.Linear(0, 1, 1, 10_000)}
	rules := skillAndRegion(sameBuild(), sharedMap(), balance)
	rules.MinPlayers = 8
	for i := range rules.Teams {
		rules.Teams[i].Min = 4
	}
	return rules
}

// flexing returns pivot rules. They allow a skill distance of 200 from the seed, then 300, 400 and
// 500 after 15, 30 and 45 s. They allow regions within 50 ms, plus 50 ms for every 10 s, up to 350
// ms.
func flexing() *matcher.Ruleset {
	return &matcher.Ruleset{MinPlayers: 10, MaxPlayers: 10, Pivot: &matcher.PivotRules{
		Sizes: []matcher.TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 5, MaxPlayers: 5}},
		Distances: []matcher.PivotDistance{{Name: "skill", Column: skillColumn, Scale: 500, Weight: 1, Balanced: true,
			Max: matcher.Steps[float64]{{Value: 200}, {AfterMS: 15_000, Value: 300}, {AfterMS: 30_000, Value: 400}, {AfterMS: 45_000, Value: 500}}}},
		Region: matcher.PivotRegion{Name: "region", ReachMS: matcher.Linear(50, 50, math.Inf(1), 10_000), MaxMS: 350, Weight: 1, OneWayAfterMS: matcher.Never},
		Same:   matcher.NoColumn, People: nameColumn, Blocked: matcher.NoColumn, NewOnly: matcher.NoColumn, Balance: true,
	}}
}

// flexingWithOptions returns flexing with two options: all tickets of a match must have the same
// mode and share a map.
func flexingWithOptions() *matcher.Ruleset {
	rules := flexing()
	rules.Pivot.Options = []matcher.PivotOption{
		{Name: "mode", Column: modeColumn, Kind: matcher.SameSet, Own: matcher.NoColumn},
		{Name: "maps", Column: mapsColumn, Kind: matcher.SharedValue, Own: matcher.NoColumn},
	}
	return rules
}

// seated returns the rules of skillAndRegion for named teams. The wait of the newest ticket sets
// the limits.
func seated(more ...matcher.SeatRule) *matcher.Ruleset {
	skill := &matcher.BatchDistance{SeatCommon: matcher.SeatCommon{Name: "skill"}, Column: skillColumn, Max: seatSteps(100, 50, 500)}
	return seatedBy(append([]matcher.SeatRule{skill, seatRegion()}, more...)...)
}

// seatedBy returns a ruleset of two teams of five with the given rules.
func seatedBy(rules ...matcher.SeatRule) *matcher.Ruleset {
	five := matcher.Steps[float64]{{Value: 5}}
	return &matcher.Ruleset{MinPlayers: 10, MaxPlayers: 10, Seats: &matcher.SeatRules{
		Teams: []matcher.SeatTeam{{Name: "red", Min: five, Max: five}, {Name: "blue", Min: five, Max: five}},
		Rules: rules, Priority: matcher.Steps[matcher.Priority]{{}},
	}}
}

// seatSteps returns a number that grows every 5 s. The parameters are its first value, the
// increase, and its largest value.
func seatSteps(from, more, most float64) matcher.Steps[float64] {
	steps := matcher.Steps[float64]{{Value: from}}
	for k := range 9 {
		steps = append(steps, matcher.Step[float64]{AfterMS: int64(k+1) * 5000, Value: min(most, from+more*float64(k+1))})
	}
	return steps
}

func seatRegion() matcher.SeatRule {
	return &matcher.Latency{SeatCommon: matcher.SeatCommon{Name: "region"}, Max: seatSteps(80, 20, 250)}
}

// allOf returns the rules and a compound rule "and" that contains them. They then apply only as
// part of the compound rule.
func allOf(rules ...matcher.SeatRule) []matcher.SeatRule {
	s := &matcher.Statement{Operator: "and"}
	for _, rule := range rules {
		rule.Common().Named = true
		s.Parts = append(s.Parts, &matcher.Statement{Rule: rule})
	}
	return append(rules, &matcher.Compound{SeatCommon: matcher.SeatCommon{Name: "all"}, Statement: s})
}

// fiveSeatRules requires that skills and team averages are near the average skill of the match, and
// that all players have the same build, a map in common and a region in common.
func fiveSeatRules() []matcher.SeatRule {
	skills := seatPath(skillColumn, matcher.Numbers, 0, 1)
	overall := []matcher.Step[matcher.Reference]{{Value: matcher.Reference{Expression: seatFunction(matcher.Avg, seatFunction(matcher.Flatten, skills))}}}
	return []matcher.SeatRule{
		&matcher.Distance{SeatCommon: matcher.SeatCommon{Name: "skill"}, Measured: []*matcher.Expression{seatFunction(matcher.Flatten, skills)}, Reference: overall, Max: seatSteps(100, 50, 500)},
		&matcher.Distance{SeatCommon: matcher.SeatCommon{Name: "fair"}, Measured: []*matcher.Expression{seatFunction(matcher.Avg, skills)}, Reference: overall, Max: matcher.Steps[float64]{{Value: 25}}},
		&matcher.Comparison{SeatCommon: matcher.SeatCommon{Name: "build"}, Measured: []*matcher.Expression{seatFunction(matcher.Flatten, seatPath(buildColumn, matcher.Texts, 0, 1))}, Operation: "="},
		&matcher.Collection{SeatCommon: matcher.SeatCommon{Name: "maps", Party: matcher.PartyUnion}, Measured: []*matcher.Expression{seatFunction(matcher.Flatten, seatLists(mapsColumn, 0, 1))},
			Operation: "intersection", Min: matcher.Steps[float64]{{Value: 1}}},
		seatRegion(),
	}
}

// roleRules requires skills within 100 of each other, plus 50 for every 5 s of wait, up to 500. All
// players of the first team must have the same build. Each team needs two or three players who can
// play a role. All players of both teams must share a map and a region.
func roleRules() []matcher.SeatRule {
	team := func(team int) *matcher.Expression { return seatLists(mapsColumn, team) }
	common := func(team int) *matcher.Expression {
		return seatFunction(matcher.SetIntersection, seatLists(mapsColumn, team))
	}
	return []matcher.SeatRule{
		&matcher.Distance{SeatCommon: matcher.SeatCommon{Name: "skill"}, Measured: []*matcher.Expression{seatFunction(matcher.Max, seatFunction(matcher.Flatten, seatPath(skillColumn, matcher.Numbers, 0, 1)))},
			Reference: []matcher.Step[matcher.Reference]{{Value: matcher.Reference{Expression: seatFunction(matcher.Min, seatFunction(matcher.Flatten, seatPath(skillColumn, matcher.Numbers, 0, 1)))}}}, Max: seatSteps(100, 50, 500)},
		&matcher.Comparison{SeatCommon: matcher.SeatCommon{Name: "build"}, Measured: []*matcher.Expression{seatPath(buildColumn, matcher.Texts, 0)}, Operation: "="},
		&matcher.Collection{SeatCommon: matcher.SeatCommon{Name: "roles", Party: matcher.PartyUnion}, Measured: []*matcher.Expression{team(0), team(1)},
			Operation: "contains", Reference: []matcher.Step[matcher.Reference]{{Value: matcher.Reference{Type: matcher.Type{Base: matcher.Texts}, Text: 0}}}, Min: matcher.Steps[float64]{{Value: 2}}, Max: matcher.Steps[float64]{{Value: 3}}},
		&matcher.Collection{SeatCommon: matcher.SeatCommon{Name: "maps", Party: matcher.PartyUnion}, Measured: []*matcher.Expression{common(0)},
			Operation: "reference_intersection_count", Reference: []matcher.Step[matcher.Reference]{{Value: matcher.Reference{Expression: common(1), Type: common(1).Type}}}, Min: matcher.Steps[float64]{{Value: 1}}},
		seatRegion(),
	}
}

// seatPath returns an expression that reads a column of the players in some teams.
func seatPath(column matcher.Column, base matcher.Base, teams ...int) *matcher.Expression {
	x := &matcher.Expression{Type: matcher.Type{Base: base, Depth: 1}, Teams: teams, Field: matcher.InColumn, Column: column, PerTeam: len(teams) > 1}
	if x.PerTeam {
		x.Depth++
	}
	return x
}

// seatLists returns a seatPath for a column that contains lists of texts.
func seatLists(column matcher.Column, teams ...int) *matcher.Expression {
	x := seatPath(column, matcher.Texts, teams...)
	x.Depth++
	return x
}

// seatFunction returns an expression with a function that reduces the nesting of lists by one
// level.
func seatFunction(f matcher.Function, of *matcher.Expression) *matcher.Expression {
	return &matcher.Expression{Type: matcher.Type{Base: of.Base, Depth: of.Depth - 1}, Function: f, Argument: of}
}

// largeMatch returns a ruleset for two teams of 45 to 50 players, with balanced skills and a common
// region.
func largeMatch() *matcher.Ruleset {
	rules := seated()
	least, most := matcher.Steps[float64]{{Value: 45}}, matcher.Steps[float64]{{Value: 50}}
	rules.MinPlayers, rules.MaxPlayers = 90, 100
	rules.Seats.Teams = []matcher.SeatTeam{{Name: "red", Min: least, Max: most}, {Name: "blue", Min: least, Max: most}}
	rules.Seats.Large = &matcher.LargeMatches{Balance: skillColumn}
	return rules
}

// fairTeams returns a rule that requires the average skills of the teams to be within 50.
func fairTeams() matcher.SeatRule {
	average := func(team int) *matcher.Expression {
		path := &matcher.Expression{Type: matcher.Type{Base: matcher.Numbers, Depth: 1}, Teams: []int{team}, Field: matcher.InColumn, Column: skillColumn}
		return &matcher.Expression{Function: matcher.Avg, Argument: path}
	}
	return &matcher.Distance{
		SeatCommon: matcher.SeatCommon{Name: "fair"}, Measured: []*matcher.Expression{average(0)},
		Reference: matcher.Steps[matcher.Reference]{{Value: matcher.Reference{Expression: average(1)}}},
		Max:       matcher.Steps[float64]{{Value: 50}},
	}
}

// benchLoad describes the tickets that wait at the start and those that arrive later. There is one
// pass per second.
type benchLoad struct {
	name     string
	waiting  int // number of tickets at the start; each has waited for up to giveUpMS, or up to a minute if giveUpMS is 0
	seconds  int
	rate     func(second int) int // number of tickets that arrive in a second
	giveUpMS int64
	stuck    bool // no match is possible, because too few tickets share a value of benchRuleset.apart
	queues   bool // each datacenter has a queue, see benchRun.passInQueues
}

func benchLoads() []benchLoad {
	var loads []benchLoad
	for _, n := range []int{100, 1000, 10_000, 50_000} {
		loads = append(loads, benchLoad{name: fmt.Sprint("waiting=", n), waiting: n, seconds: 1, rate: noArrivals})
	}
	return append(loads,
		benchLoad{name: "day", seconds: 7200, rate: dayRate, giveUpMS: 120_000},
		benchLoad{name: "queues", seconds: 1800, rate: dayRate, giveUpMS: 120_000, queues: true},
		benchLoad{name: "stuck", waiting: 10_000, seconds: 30, rate: constantArrivals, giveUpMS: 100_000, stuck: true})
}

func noArrivals(int) int       { return 0 }
func constantArrivals(int) int { return 100 }

// dayRate compresses a day into two hours. The rate rises from 4 tickets per second to 36 and falls
// again, for a total of 144,000 tickets. The load "queues" lasts only half an hour.
func dayRate(second int) int { return 4 + 32*min(second, 7200-second)/3600 }

// benchResult has totals over all passes of a load.
type benchResult struct {
	tickets, matches, expired, hits, left int
	hash                                  uint32 // hash of all matches, which reveals any change of a decision
}

// benchRun is the state of a load while a pool processes it.
type benchRun struct {
	*Pool
	benchResult
	crowd    *benchCrowd
	giveUpMS int64
	places   []matcher.Place
	numbers  []uint32  // indexed by row: the number of the ticket in the crowd
	queues   []*Subset // indexed by Region, or nil if the whole pool is one queue
	reserve  *Subset
	hasher   hash.Hash32
}

// run processes a load in a new pool and returns the totals.
func (l *benchLoad) run(tb testing.TB, rules *matcher.Ruleset, crowd *benchCrowd) benchResult {
	if l.queues {
		rules = rules.WithoutRegion()
	}
	pool, err := NewPool(rules, crowd.schema)
	if err != nil {
		tb.Fatal(err)
	}
	r := benchRun{Pool: pool, crowd: crowd, giveUpMS: l.giveUpMS, places: crowd.places(tb, pool), hasher: fnv.New32a()}
	if l.queues {
		for range benchDatacenters {
			r.queues = append(r.queues, pool.NewSubset())
		}
		r.reserve = pool.NewSubset()
	}
	oldestMS := cmp.Or(l.giveUpMS, 60_000)
	for i := range l.waiting {
		r.add(tb, int64(i)*oldestMS/int64(l.waiting)-oldestMS)
	}
	for second := range l.seconds {
		nowMS, count := int64(second+1)*1000, l.rate(second)
		for i := range count {
			r.add(tb, nowMS-1000+int64(i)*1000/int64(count))
		}
		if l.queues {
			r.passInQueues(nowMS)
		} else {
			r.note(r.Pass(nowMS))
		}
	}
	r.left, r.hash = r.Waiting(), r.hasher.Sum32()
	return r.benchResult
}

// add adds the next ticket of the crowd to the pool. If there are queues, it also adds the ticket
// to the queue of each datacenter within 60 ms.
func (r *benchRun) add(tb testing.TB, createdMS int64) {
	ticket := r.crowd.tickets[r.tickets%len(r.crowd.tickets)]
	ticket.CreatedMS, ticket.GiveUpMS = createdMS, r.giveUpMS
	if len(ticket.Players) == 1 {
		ticket.From = r.places[ticket.place]
	}
	row, err := r.Add(ticket.Ticket)
	if err != nil {
		tb.Fatal(err)
	}
	for int(row) >= len(r.numbers) {
		r.numbers = append(r.numbers, 0)
	}
	r.numbers[row] = uint32(r.tickets)
	r.tickets++
	for region, queue := range r.queues {
		if r.crowd.rttMS[ticket.place][region] <= 60 {
			queue.Add(row)
		}
	}
}

// passInQueues makes a pass in each datacenter's queue. A ticket that has waited for 20 s moves to
// the reserve, from which each queue may complete one match.
func (r *benchRun) passInQueues(nowMS int64) {
	for _, row := range r.AppendOldest(nil, nowMS-r.giveUpMS) {
		r.Remove(row)
		r.expired++
	}
	for _, row := range r.AppendOldest(nil, nowMS-20_000) {
		for _, queue := range r.queues {
			queue.Remove(row)
		}
		r.reserve.Add(row)
	}
	for _, queue := range r.queues {
		if r.note(queue.Match(nowMS, 0)); queue.Len() > 0 {
			r.note(queue.MatchWith(nowMS, r.reserve, 1))
		}
	}
	r.note(r.reserve.Match(nowMS, 0))
}

// note adds the decisions of a pass to the totals and its matches to the hash.
func (r *benchRun) note(out matcher.Outcome) {
	r.matches, r.expired, r.hits = r.matches+len(out.Matches), r.expired+len(out.Expired), r.hits+len(out.BudgetHits)
	var words []byte
	for _, match := range out.Matches {
		words = r.appendNumbers(words[:0], match.Tickets)
		for _, team := range match.Teams {
			words = r.appendNumbers(words, team.Tickets)
		}
		r.hasher.Write(append(words, byte(match.Region)))
	}
}

func (r *benchRun) appendNumbers(dst []byte, rows []Row) []byte {
	for _, row := range rows {
		dst = binary.LittleEndian.AppendUint32(dst, r.numbers[row])
	}
	return dst
}

// cpuSeconds returns the processor time that this process has used.
func cpuSeconds(tb testing.TB) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

// BenchmarkRules measures whole loads. Every operation processes a load in a new pool from its
// first ticket to its last pass, so the matches and their hash do not depend on the number of
// operations.
func BenchmarkRules(b *testing.B) {
	for _, set := range benchRulesets() {
		for _, load := range benchLoads() {
			b.Run(set.name+"/"+load.name, func(b *testing.B) {
				crowd := newBenchCrowd(&set, load.stuck, 50_000)
				var r benchResult
				b.ReportAllocs()
				start := cpuSeconds(b)
				for b.Loop() {
					r = load.run(b, set.rules, crowd)
				}
				b.ReportMetric(float64(r.tickets)*float64(b.N)/(cpuSeconds(b)-start), "tickets/cpu-s")
				b.ReportMetric(float64(r.matches), "matches")
				b.ReportMetric(float64(r.hits), "budget-hits")
				b.ReportMetric(float64(r.hash), "hash")
			})
		}
	}
}

// BenchmarkLargeMatches makes matches of up to 100 players from 10,000 waiting tickets, a
// quarter of which are parties.
func BenchmarkLargeMatches(b *testing.B) {
	set := benchRuleset{"flexmatch-large", largeMatch(), true, skillColumn}
	load := benchLoad{waiting: 10_000, seconds: 1, rate: noArrivals}
	crowd := newBenchCrowd(&set, false, load.waiting)
	var r benchResult
	start := cpuSeconds(b)
	for b.Loop() {
		r = load.run(b, set.rules, crowd)
	}
	b.ReportMetric(1000*(cpuSeconds(b)-start)/float64(b.N)/float64(r.matches), "cpu-ms/match")
	b.ReportMetric(float64(r.matches), "matches")
	b.ReportMetric(float64(r.hash), "hash")
}

// Decisions in a benchmark are the same in every run and with any number of processors. If
// benchLoad.stuck is set, there are no matches.
func TestBenchmarksDecideAlike(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, set := range benchRulesets() {
		for _, load := range []benchLoad{
			{name: "waiting", waiting: 500, seconds: 1, rate: noArrivals},
			{name: "day", seconds: 90, rate: dayRate, giveUpMS: 60_000},
			{name: "queues", seconds: 90, rate: dayRate, giveUpMS: 60_000, queues: true},
			{name: "stuck", waiting: 300, seconds: 5, rate: constantArrivals, giveUpMS: 100_000, stuck: true},
		} {
			var first benchResult
			for i, processors := range []int{1, 4, 1} {
				runtime.GOMAXPROCS(processors)
				r := load.run(t, set.rules, newBenchCrowd(&set, load.stuck, 1000))
				if i == 0 {
					first = r
				}
				if r != first {
					t.Errorf("%s/%s: got %+v on one processor and %+v on %d, want equal results", set.name, load.name, first, r, processors)
				}
			}
			if (first.matches == 0) != load.stuck {
				t.Errorf("%s/%s: got %d matches, want none: %v", set.name, load.name, first.matches, load.stuck)
			}
		}
	}
}
