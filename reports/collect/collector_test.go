package collect

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// randomRun is a random run with the Collector's result and the players of the twin (see
// twin_test.go).
type randomRun struct {
	facts
	*result.Result
	all twin
}

// randomRuns are made once, because all tests only read them.
var randomRuns = sync.OnceValue(func() (w []randomRun) {
	for seed := range uint64(40) {
		f := randomFacts(seed)
		w = append(w, randomRun{f, resultOf(f), f.twin()})
	}
	return w
})

// Every number of a Summary equals the twin's, for random runs. A new field makes the test fail
// until the twin has it.
func TestCollectorAgreesWithTwin(t *testing.T) {
	for seed, w := range randomRuns() {
		checkEqual(t, seed, "summary", w.Summary, w.twinSummary(&w.Summary))
		if w.Summary.Players.Balance() != 0 {
			t.Errorf("seed %d: conservation is off by %d: %+v", seed, w.Summary.Players.Balance(), w.Summary.Players)
		}
	}
}

// So do the numbers of each of two queues, and of a run that has them.
func TestQueuesAgreeWithTwin(t *testing.T) {
	for seed := range 20 {
		f := inTwoQueues(randomFacts(uint64(seed)))
		r := resultOf(f)
		checkEqual(t, seed, "summary", r.Summary, f.twinSummary(&r.Summary))
		for i, q := range r.Summary.Queues {
			checkEqual(t, seed, "queue "+q.Name, q, f.ofQueue(i).twinQueue(&q))
		}
		binsAddUp(t, seed, r)
	}
}

// twinSummary returns the numbers of a summary. Those that other tests compare, and those that a
// Collector does not count, are copied from got.
func (f facts) twinSummary(got *outcome.Summary) outcome.Summary {
	all := f.twin()
	s := outcome.Summary{
		Schema: got.Schema, Complete: got.Complete, Run: got.Run, Warnings: got.Warnings, Latency: got.Latency, Thresholds: got.Thresholds, CCU: got.CCU,
		ByDatacenter: got.ByDatacenter, ByContinent: got.ByContinent, ByHour: got.ByHour, ByPartySize: got.ByPartySize, ByAttributeDecile: got.ByAttributeDecile,
		Matchmaking: outcome.Matchmaking{Rules: got.Rules, QueueStatistics: got.QueueStatistics}, Queues: got.Queues, Acceptance: got.Acceptance,

		Players:    f.twinPlayers(all),
		Wait:       twinWait(all.waits()),
		WaitFirst:  twinWait(all.first().waits()),
		WaitRepeat: twinWait(all.repeat().waits()),
		FailedWait: twinWait(f.endedWaits(sim.StateFailed, sim.StateExpired, sim.StateDeclined, sim.StateCancelled)),
		BotsWait:   twinWait(f.endedWaits(sim.StateBots)),
		RTT:        twinRTT(all.rtts(), &f.Setup),
		Limits:     f.twinLimits(all),
		Matches:    f.twinMatches(all),
		States:     twinStates(all),
		Common:     f.twinCommon(),
	}
	d := twinRTT(all.sorted(func(p *twinPlayer) (int, bool) { return int(p.Estimate) - int(p.Best), true }), &f.Setup)
	s.DeltaRTT = outcome.DeltaStats{Mean: d.Mean, P50: d.P50, P90: d.P90, P95: d.P95, P99: d.P99}
	if f.Setup.Jitter {
		estimate := twinRTT(all.sorted(func(p *twinPlayer) (int, bool) { return int(p.Estimate), true }), &f.Setup)
		s.RTTEstimate = &estimate
	}
	s.Life = f.twinLife()
	return s
}

// twinQueue returns the numbers of a queue whose events are f. Its matchmaking is copied from got.
func (f facts) twinQueue(got *outcome.QueueStats) outcome.QueueStats {
	all := f.twin()
	p, m, first := f.twinPlayers(all), f.twinMatches(all), twinWait(all.first().waits())
	return outcome.QueueStats{
		Name: got.Name, Matchmaking: outcome.Matchmaking{Rules: got.Rules, QueueStatistics: got.QueueStatistics}, Acceptance: got.Acceptance,

		Players: outcome.QueuePlayers{Entries: p.Entries, Matched: p.Matched, Losses: outcome.Losses{Failed: p.Failed, Expired: p.Expired, Bots: p.Bots, Rejected: p.Rejected, Declined: p.Declined, Cancelled: p.Cancelled}, Ends: p.Ends},
		Wait:    twinWait(all.waits()), WaitFirst: first,
		RTT:     twinRTT(all.rtts(), &f.Setup),
		Matches: outcome.QueueMatches{Count: m.Count, Players: m.Players, Fill: m.Fill},
		Common:  f.twinCommon(),
	}
}

// twinCommon returns the numbers that a run and each of its queues have.
func (f facts) twinCommon() outcome.Common {
	return outcome.Common{Attributes: f.twinAttributes(), Overlaps: f.twinOverlaps()}
}

// checkEqual compares got with want. It calls cmp, which is slow, only if they differ.
func checkEqual(t *testing.T, seed int, name string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	if diff := cmp.Diff(want, got, resulttest.Unmeasured); diff != "" {
		t.Errorf("seed %d: %s (-twin +collector):\n%s", seed, name, diff)
	}
}

func (f facts) twinPlayers(all twin) outcome.Players {
	p := outcome.Players{Matched: outcome.Count(len(all)), SearchingAtStart: outcome.Count(f.Totals.SearchingAtStart), SearchingAtEnd: outcome.Count(f.Totals.SearchingAtEnd)}
	for _, s := range f.Entered {
		if s.Return {
			p.Returns += outcome.Count(len(s.Players))
		} else {
			p.Joins += outcome.Count(len(s.Players))
		}
	}
	p.Entries = p.Joins + p.Returns
	if f.Setup.Queues[0].Asks {
		p.Declined = new(outcome.Count)
	}
	if f.Setup.Patience {
		p.Cancelled = new(outcome.Count)
	}
	for _, e := range f.Ended {
		switch e.Into {
		case sim.StateFailed:
			p.Failed += outcome.Count(len(e.Players))
		case sim.StateExpired:
			p.Expired += outcome.Count(len(e.Players))
		case sim.StateBots:
			p.Bots += outcome.Count(len(e.Players))
		case sim.StateRejected:
			p.Rejected += outcome.Count(len(e.Players))
		case sim.StateDeclined:
			*p.Declined += outcome.Count(len(e.Players))
		case sim.StateCancelled:
			*p.Cancelled += outcome.Count(len(e.Players))
		}
	}
	p.Ends = f.twinEnds(all, func(sim.Instant, int, sim.Player) bool { return true })
	return p
}

// twinEnds counts the ended searches of the players in a group, by no counts but the events.
func (f facts) twinEnds(all twin, in func(began sim.Instant, size int, p sim.Player) bool) outcome.Ends {
	matched := len(all.where(func(p *twinPlayer) bool { return in(p.Began, int(p.PartySize), p.Player) }))
	without := 0
	for _, e := range f.Ended {
		for _, p := range e.Players {
			if in(e.Began, len(e.Players), p) {
				without++
			}
		}
	}
	return outcome.Ends{Ended: outcome.Count(matched + without), UnmatchedShare: twinShare(without, matched+without)}
}

// hourOfTwin returns the UTC hour of an instant.
func hourOfTwin(t sim.Instant) int { return int((t+10*sim.Instant(sim.Day))/3_600_000) % 24 }

// endedWaits returns the waits of players whose search ended in one of the given states.
func (f facts) endedWaits(into ...sim.State) (waits []int) {
	var ended twin
	for _, e := range f.Ended {
		for range e.Players {
			if slices.Contains(into, e.Into) {
				ended = append(ended, twinPlayer{Matched: sim.Matched{Began: e.Began}, at: e.At})
			}
		}
	}
	return ended.waits()
}

func (f facts) twinMatches(all twin) outcome.Matches {
	m := outcome.Matches{Count: outcome.Count(all.matches()), Players: outcome.Count(len(all))}
	seats := 0
	for _, match := range f.Matches {
		if !match.Backfill {
			seats += f.Setup.Queues[match.Queue].MatchSize
		}
		for _, p := range match.Players {
			if p.State == sim.StateWarmBody {
				m.WithWarmBody++
				break
			}
		}
	}
	m.Fill = twinShare(len(all), seats)
	back := all.repeat()
	m.RepeatShare = twinShare(len(back.where(func(p *twinPlayer) bool { return p.Repeat })), len(back))
	return m
}

func twinStates(all twin) outcome.States {
	of := func(state sim.State) outcome.StateStats {
		in := all.where(func(p *twinPlayer) bool { return p.State == state })
		return outcome.StateStats{Matched: outcome.Count(len(in)), Share: twinShare(len(in), len(all)), WaitMean: twinSeconds(mean(in.waits())), RTTMean: twinMillis(mean(in.rtts()))}
	}
	return outcome.States{Ideal: of(sim.StateIdeal), Expand: of(sim.StateExpand), WarmBody: of(sim.StateWarmBody)}
}

func TestGroupsAgreeWithTwin(t *testing.T) {
	for seed, w := range randomRuns() {
		f, s, all := w.facts, &w.Summary, w.all
		for i := range s.ByDatacenter {
			in := all.where(func(p *twinPlayer) bool { return p.datacenter == i })
			checkEqual(t, seed, "datacenter "+s.ByDatacenter[i].Name, s.ByDatacenter[i].Served, in.served())
		}
		for i, code := range f.Setup.Continents {
			of := func(p sim.Player) bool { return int(f.Setup.Places[p.Place].Continent) == i }
			checkEqual(t, seed, "continent "+code, groupNamed(s.ByContinent, code),
				f.twinGroup(all, code, func(_ sim.Instant, _ int, p sim.Player) bool { return of(p) }))
		}
		for i := range s.ByHour {
			checkEqual(t, seed, fmt.Sprintf("hour %d", i), s.ByHour[i],
				f.twinGroup(all, "", func(began sim.Instant, _ int, _ sim.Player) bool {
					return hourOfTwin(began) == i
				}))
		}
		for size := 1; size <= f.Setup.Queues[0].MatchSize; size++ {
			name := strconv.Itoa(size)
			checkEqual(t, seed, "party size "+name, groupNamed(s.ByPartySize, name),
				f.twinGroup(all, name, func(_ sim.Instant, n int, _ sim.Player) bool { return n == size }))
		}
	}
}

// groupNamed returns the group with this name, or an empty group if there is none.
func groupNamed(groups outcome.Groups, name string) outcome.Group {
	for _, g := range groups {
		if g.Name == name {
			return g
		}
	}
	none := outcome.Summary{ByContinent: outcome.Groups{{Name: name}}}
	none.MarkUnmeasured()
	return none.ByContinent[0]
}

func (f facts) twinGroup(all twin, name string, in func(began sim.Instant, size int, p sim.Player) bool) outcome.Group {
	g := outcome.Group{Name: name, Served: all.where(func(p *twinPlayer) bool {
		return in(p.Began, int(p.PartySize), p.Player)
	}).served()}
	for _, s := range f.Entered {
		for _, p := range s.Players {
			if in(s.Began, len(s.Players), p) {
				g.Entries++
			}
		}
	}
	for _, e := range f.Ended {
		for _, p := range e.Players {
			if !in(e.Began, len(e.Players), p) {
				continue
			}
			switch e.Into {
			case sim.StateFailed:
				g.Failed++
			case sim.StateExpired:
				g.Expired++
			case sim.StateBots:
				g.Bots++
			case sim.StateRejected:
				g.Rejected++
			case sim.StateDeclined:
				if g.Declined == nil {
					g.Declined = new(outcome.Count)
				}
				*g.Declined++
			case sim.StateCancelled:
				if g.Cancelled == nil {
					g.Cancelled = new(outcome.Count)
				}
				*g.Cancelled++
			}
		}
	}
	g.Ends = f.twinEnds(all, in)
	return g
}

func TestSeriesAgreesWithTwin(t *testing.T) {
	for seed, w := range randomRuns() {
		f, r, all := w.facts, w.Result, w.all
		want := make([]result.Minute, int(math.Ceil(float64(f.Setup.Duration)/60_000)))
		for i := range want {
			in := all.where(func(p *twinPlayer) bool { return int(p.at)/60_000 == i })
			want[i] = result.Minute{T: 60 * i, Matches: in.matches(), WaitMean: twinSeconds(mean(in.waits())),
				RTTMean: twinMillis(mean(in.rtts())), RTTP90: twinMillis(float64(rank(in.rtts(), 0.9)))}
		}
		for _, s := range f.Entered {
			if m := &want[s.Began/60_000]; s.Return {
				m.Returns += len(s.Players)
			} else {
				m.Joins += len(s.Players)
			}
		}
		for _, e := range f.Ended {
			if e.Into == sim.StateFailed || e.Into == sim.StateExpired || e.Into == sim.StateDeclined || e.Into == sim.StateCancelled {
				want[e.At/60_000].Failed += len(e.Players)
			}
		}
		for _, c := range f.Census {
			if i := int(c.At) / 60_000; c.At%60_000 == 0 && i < len(want) {
				m := &want[i]
				m.Playing, m.Between, m.Ideal, m.Expand, m.WarmBody, m.Bots = c.Playing, c.Between, c.Ideal, c.Expand, c.WarmBody, c.Bots
			}
		}
		checkEqual(t, seed, "timeseries", r.Series, want)
	}
}

func TestWindowsAgreeWithTwin(t *testing.T) {
	for seed, w := range randomRuns() {
		f, r, all := w.facts, w.Result, w.all
		want := make([]result.Window, int(math.Ceil(float64(f.Setup.Duration)/900_000)))
		for i := range want {
			in := all.where(func(p *twinPlayer) bool { return int(p.at)/900_000 == i })
			states, wait, rtt := twinStates(in), twinWait(in.waits()), twinRTT(in.rtts(), &f.Setup)
			first := twinWait(in.first().waits())
			want[i] = result.Window{T: 900 * i, Matched: len(in), Ideal: int(states.Ideal.Matched), Expand: int(states.Expand.Matched),
				WarmBody: int(states.WarmBody.Matched), Waiting: len(in.where(func(p *twinPlayer) bool { return p.State == sim.StateWaiting })), WaitP50: wait.P50, WaitP90: wait.P90, WaitP99: wait.P99,
				First: int(first.Count), WaitFirstP50: first.P50, WaitFirstP90: first.P90, WaitFirstP99: first.P99,
				RTTP50: rtt.P50, RTTP90: rtt.P90, RTTP99: rtt.P99}
		}
		checkEqual(t, seed, "percentiles", r.Windows, want)
	}
}

func TestMapAgreesWithTwin(t *testing.T) {
	for seed, w := range randomRuns() {
		f, r, all := w.facts, w.Result, w.all
		byCell := map[[2]int]twin{}
		for _, p := range all {
			place := f.Setup.Places[p.Place]
			lat, lon := math.Floor(float64(place.Latitude)/100), math.Floor(float64(place.Longitude)/100)
			if lon == 180 {
				lon = -180
			}
			cell := [2]int{int(min(lat, 89)), int(lon)}
			byCell[cell] = append(byCell[cell], p)
		}
		var want []result.Cell
		for lat := -90; lat < 90; lat++ {
			for lon := -180; lon < 180; lon++ {
				if in := byCell[[2]int{lat, lon}]; len(in) > 0 {
					want = append(want, result.Cell{Latitude: lat, Longitude: lon, Players: len(in), RTTMean: twinMillis(mean(in.rtts())), WaitMean: twinSeconds(mean(in.waits()))})
				}
			}
		}
		checkEqual(t, seed, "map", r.Map, want)
	}
}

// Groups add up to the totals, and so do the rows of the series.
func TestSumsAreTotals(t *testing.T) {
	for seed, w := range randomRuns() {
		r := w.Result
		s := &r.Summary
		p := &s.Players
		if want := p.Matched + p.Failed + p.Expired + p.Bots + p.Rejected + outcome.Given(p.Declined) + outcome.Given(p.Cancelled); p.Ended != want {
			t.Errorf("seed %d: got %v ended searches, want %v", seed, p.Ended, want)
		}
		want := [7]outcome.Count{p.Matched, s.Matches.Count, p.Entries, p.Failed + p.Expired + outcome.Given(p.Declined) + outcome.Given(p.Cancelled), p.Bots, p.Rejected, p.Ended}
		for _, groups := range [][]outcome.Group{s.ByContinent, s.ByHour, s.ByPartySize} {
			var sum [7]outcome.Count
			for _, g := range groups {
				sum[0] += g.Players
				sum[1] += g.Matches
				sum[2] += g.Entries
				sum[3] += g.Failed + g.Expired + outcome.Given(g.Declined) + outcome.Given(g.Cancelled)
				sum[4] += g.Bots
				sum[5] += g.Rejected
				sum[6] += g.Ended
			}
			checkEqual(t, seed, "groups", sum, want)
		}
		sum := [7]outcome.Count{4: p.Bots, 5: p.Rejected, 6: p.Ended} // the series does not have these
		for _, m := range r.Series {
			sum[1] += outcome.Count(m.Matches)
			sum[2] += outcome.Count(m.Joins + m.Returns)
			sum[3] += outcome.Count(m.Failed)
		}
		for _, w := range r.Windows {
			sum[0] += outcome.Count(w.Matched)
		}
		checkEqual(t, seed, "series", sum, want)
		binsAddUp(t, seed, r)
	}
}

// binsAddUp checks that the bins of every distribution are adjacent and have as many players as
// the statistics of its measure describe.
func binsAddUp(t *testing.T, seed int, r *result.Result) {
	t.Helper()
	values := map[string]float64{}
	for _, v := range r.Summary.MetricValues() {
		values[v.Name] = v.Value
	}
	for _, d := range r.Distributions {
		players := 0
		for i, b := range d.Bins {
			players += b.Players
			if i > 0 && d.Bins[i-1].To != b.From {
				t.Errorf("seed %d: %s: bin %d does not adjoin", seed, d.Name(), i)
			}
		}
		mean, is := outcome.Find(d.Name() + ".mean")
		if !is || mean.Unit != d.Measure.Unit() {
			t.Errorf("%s is in %s, and the summary has %+v", d.Name(), d.Measure.Unit(), mean)
		}
		checkEqual(t, seed, d.Name(), outcome.Count(players), outcome.Count(values[mean.Base]))
	}
}

// The first bin of the waits counts only the players who did not wait.
func TestWaitBinsStartWithNoWait(t *testing.T) {
	r := randomRuns()[5].Result
	zero := r.Distribution(result.MeasureWait).Bins[0]
	if want := (result.Bin{From: 0, To: 0, Players: below(randomRuns()[5].all.waits(), 0)}); zero != want {
		t.Errorf("first bin: got %+v, want %+v", zero, want)
	}
	if got := r.QueueDistribution("no such queue", result.MeasureWait).Bins; got != nil {
		t.Errorf("an unknown queue has bins %v", got)
	}
}

// An interrupted run has rows up to the time that it reached, and means over that time.
func TestInterruptedRun(t *testing.T) {
	c := NewCollector(setup.Run{Duration: sim.Day, Queues: []setup.Queue{{MatchSize: 4}}})
	r := c.Finish(sim.Totals{Reached: 20*60_000 + 1, PlayingTime: 2 * (20*60_000 + 1)}, Header{})
	if len(r.Series) != 21 || len(r.Windows) != 2 {
		t.Errorf("got %d minutes and %d windows, want 21 and 2", len(r.Series), len(r.Windows))
	}
	if r.Summary.CCU.PlayingMean != 2 || r.Summary.Complete {
		t.Errorf("got a mean of %v playing and complete %v; want 2, false", r.Summary.CCU.PlayingMean, r.Summary.Complete)
	}
	if never := NewCollector(setup.Run{Duration: sim.Day, Queues: []setup.Queue{{MatchSize: 4}}}).Finish(sim.Totals{}, Header{}); len(never.Series) != 0 {
		t.Errorf("a run that never began: got %d minutes, want none", len(never.Series))
	}
}

// On servers the players of a party are placed one by one. If only one player of a party of two
// is rejected, that player still counts as a member of a party of two.
func TestRejectedOfAParty(t *testing.T) {
	c := NewCollector(placementSetup())
	players := []sim.Player{{ID: 5}, {ID: 6}}
	c.Entered(&sim.Search{Party: 5, PartySize: 2, Players: players})
	c.Ended(&sim.Ended{Search: sim.Search{Party: 5, PartySize: 2, Players: players[1:]}, Into: sim.StateRejected})
	got := c.Finish(sim.Totals{}, Header{}).Summary.ByPartySize
	unknown := outcome.Served{WaitMean: outcome.Seconds(math.NaN()), WaitP95: outcome.Seconds(math.NaN()), RTTMean: outcome.Millis(math.NaN()), RTTP95: outcome.Millis(math.NaN())}
	want := outcome.Groups{{Name: "2", Served: unknown, Entries: 2, Losses: outcome.Losses{Rejected: 1}, Ends: outcome.Ends{Ended: 1, UnmatchedShare: 1}}}
	if diff := cmp.Diff(want, got, resulttest.Unmeasured); diff != "" {
		t.Errorf("by party size (-want +got):\n%s", diff)
	}
}
