package engine

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/sim"
)

// crowd returns 4,000 joins at one instant, who make 1,000 matches at once.
func crowd(at float64) []sim.Arrival {
	seconds := make([]float64, 4000)
	for i := range seconds {
		seconds[i] = at
	}
	return solos(0, seconds...)
}

// outage returns a configuration in which the datacenters of a set are down from 2 to 3 minutes.
func outage(set uint64, kill bool) sim.Config {
	cfg := articleConfig()
	cfg.Between, cfg.InterruptedAgain, cfg.InterruptedAfter = 0, 1, 10*sim.Second
	cfg.Events = []sim.Event{{From: 120_000, Until: 180_000, Outage: set, Kill: kill}}
	return cfg
}

// Everywhere is down: all 4,000 players are interrupted at 2:00 and return 10 s later as warm bodies,
// because no datacenter admits them. They fail another 10 s later.
func TestKillEverywhere(t *testing.T) {
	cfg := outage(0b11, true)
	f, totals := simulate(t, cfg, placesOf(cfg, []int{20, 20}), crowd(0))
	if got := totals.Events[0]; got != (sim.EventTotals{Interrupted: 4000, SearchingPeak: 4000}) {
		t.Errorf("totals %+v, want 4000 players who are interrupted and then search", got)
	}
	returns, failed := 0, 0
	for _, s := range f.entered {
		if s.Return && s.Began == 130_000 {
			returns++
		}
	}
	for _, e := range f.ended {
		if e.At == 140_000 && e.Into == sim.StateFailed && e.State == sim.StateWarmBody {
			failed++
		}
	}
	if returns != 4000 || failed != 4000 || len(f.matched) != 1000 || totals.SearchingAtEnd != 0 {
		t.Errorf("%d returns at 2:10, %d fail at 2:20, %d matches, want 4000, 4000 and 1000", returns, failed, len(f.matched))
	}
}

// One of two datacenters is down: only the matches in it are cut short, and their players are matched
// in the other one at the instant of their return. With drain, nobody is interrupted.
func TestOutageOfOneDatacenter(t *testing.T) {
	for _, kill := range []bool{true, false} {
		cfg := outage(0b01, kill)
		var joins []sim.Arrival
		for second := range 100 { // in each pass, the datacenter that has the first turn makes all matches
			joins = append(joins, crowd(float64(second))[second*40:][:40]...)
		}
		f, totals := simulate(t, cfg, placesOf(cfg, []int{20, 20}), joins)
		hit, again := 0, 0
		for _, m := range f.matched {
			switch {
			case m.At < 100_000 && m.Datacenter == 0 && kill:
				hit += len(m.Players)
				if m.Ends != 120_000 || !m.Cut || m.Drawn != m.At.Add(300*sim.Second) {
					t.Fatalf("a match in the datacenter that is down ends at %d, cut %v, drawn %d", m.Ends, m.Cut, m.Drawn)
				}
			case m.At < 100_000:
				if m.Ends != m.At.Add(300*sim.Second) || m.Cut {
					t.Fatalf("another match ends %d ms after its start, cut %v, want 300000", m.Ends.Sub(m.At), m.Cut)
				}
			case m.At == 130_000 && m.Datacenter == 1:
				again += len(m.Players)
			default:
				t.Fatalf("a match at %d in %d", m.At, m.Datacenter)
			}
		}
		if hit != again || totals.Events[0].Interrupted != hit || kill != (hit > 0) {
			t.Errorf("kill %v: %d players were in the datacenter, %d are interrupted, %d play again", kill, hit, totals.Events[0].Interrupted, again)
		}
	}
}

// steady returns solo joins with exponential gaps at a place.
func steady(place uint32, perSecond, until float64) []sim.Arrival {
	r := rand.New(rand.NewPCG(1, uint64(place)))
	var seconds []float64
	for at := r.ExpFloat64() / perSecond; at < until; at += r.ExpFloat64() / perSecond {
		seconds = append(seconds, at)
	}
	return solos(place, seconds...)
}

// An outage adds rates. Two places of .5 joins a second each have a datacenter of their own, so the wait
// is (4-1)/(2*.5) + .5 = 3.5 s. While one datacenter is down, all meet in the other: (4-1)/(2*1) + .5 =
// 2 s, and one place has 80 ms more.
func TestOutageAddsRates(t *testing.T) {
	const half = 20_000 * sim.Second
	cfg := articleConfig()
	cfg.Duration, cfg.IdealFor = 2*half, sim.Day
	cfg.Events = []sim.Event{{From: sim.Instant(half), Until: sim.Instant(2 * half), Outage: 0b01}}
	joins := append(steady(0, .5, 2*half.Seconds()), steady(1, .5, 2*half.Seconds())...)
	slices.SortStableFunc(joins, func(a, b sim.Arrival) int { return cmp.Compare(a.At, b.At) })
	f, _ := simulate(t, cfg, placesOf(cfg, []int{10, 90}, []int{90, 10}), joins)
	type of struct{ waits, rtts, n float64 }
	sums := map[string]*of{}
	for _, m := range f.matched {
		for i, p := range m.Players {
			key := fmt.Sprintf("down %v, place %d", p.Began >= sim.Instant(half), p.Place)
			if sums[key] == nil {
				sums[key] = &of{}
			}
			s := sums[key]
			s.waits += m.Wait(i).Seconds()
			s.rtts += sim.RTTMillis(p.RTT)
			s.n++
		}
	}
	for key, want := range map[string][2]float64{
		"down false, place 0": {3.5, 10}, "down false, place 1": {3.5, 10}, "down true, place 0": {2, 90}, "down true, place 1": {2, 10},
	} {
		s := sums[key]
		if wait := s.waits / s.n; math.Abs(wait-want[0]) > 0.05*want[0] {
			t.Errorf("%s: mean wait %.3f s, want %.1f within 5 %%", key, wait, want[0])
		}
		// A few searches of place 0 begin before the outage and end in the other datacenter.
		if rtt := s.rtts / s.n; math.Abs(rtt-want[1]) > 0.05 {
			t.Errorf("%s: mean RTT %.3f ms, want %.0f", key, rtt, want[1])
		}
	}
}

// Two datacenters that everybody reaches: an outage of one changes no wait.
func TestOutageOfOneOfTwoReachedByAll(t *testing.T) {
	cfg := articleConfig()
	cfg.Duration, cfg.Queues[0].Order = sim.Hour, sim.OrderOldest // a shuffle depends on the datacenter
	joins := steady(0, .5, 3600)
	waits := func(cfg sim.Config) (list []sim.Duration) {
		f, _ := simulate(t, cfg, placesOf(cfg, []int{10, 10}), joins)
		for _, m := range f.matched {
			for i := range m.Players {
				list = append(list, m.Wait(i))
			}
		}
		return list
	}
	want := waits(cfg)
	cfg.Events = []sim.Event{{From: 600_000, Until: 1_200_000, Outage: 0b10}}
	if got := waits(cfg); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the waits differ")
	}
}

// Those who join during a maintenance come back after it, or are turned away. Together, they are as many
// as join without it, and the chance to come back is Back.
func TestMaintenanceTurnsAway(t *testing.T) {
	cfg := articleConfig()
	cfg.Duration = 2 * sim.Hour
	cfg.Events = []sim.Event{{From: 600_000, Until: 3_600_000, Maintenance: true, Back: 0.6, Within: 10 * sim.Minute}}
	joins := steady(0, 2, 7200)
	inside := 0
	for _, a := range joins {
		if a.At >= 600_000 && a.At < 3_600_000 {
			inside++
		}
	}
	f, totals := simulate(t, cfg, placesOf(cfg, []int{10}), joins)
	first, late := 0, 0
	for _, s := range f.entered {
		switch {
		case s.Began >= 600_000 && s.Began < 3_600_000:
			t.Fatalf("a search begins at %d, during the maintenance", s.Began)
		case !s.Return:
			first += len(s.Players)
		}
		if s.Began >= 3_600_000 && s.Began < 4_200_000 && !s.Return {
			late++
		}
	}
	if first+totals.TurnedAway != len(joins) {
		t.Errorf("%d joins and %d turned away, want %d", first, totals.TurnedAway, len(joins))
	}
	n := float64(inside)
	if got, want, sd := float64(totals.TurnedAway), 0.4*n, math.Sqrt(n*0.6*0.4); math.Abs(got-want) > 4*sd {
		t.Errorf("%v of %v are turned away, want %.0f ± %.0f", got, n, want, 4*sd)
	}
	if got, want := float64(late), 0.6*n+1200; math.Abs(got-want) > 0.05*want {
		t.Errorf("%v join within 10 minutes of the end, want %.0f ± 5 %%", got, want)
	}
}

// TestTwinMaintenance compares all kinds of queues that make matches with their twins if each
// configuration has a maintenance.
func TestTwinMaintenance(t *testing.T) {
	compareWithTwin(t, 90, []string{"CLOSED", " match ", "return true"}, func(seed uint64) (cfg sim.Config, places *sim.Places, joins []sim.Arrival) {
		switch seed % 3 {
		case 0:
			cfg, places, joins = randomSetup(seed)
		case 1:
			cfg, places, joins = acceptanceSetup(seed)
		default:
			cfg, places, joins = ruledSetup(seed, sim.PlacePool)
		}
		from := sim.Instant(cfg.Duration / 2)
		cfg.Events = append(slices.DeleteFunc(cfg.Events, func(e sim.Event) bool { return e.Maintenance }),
			sim.Event{From: from, Until: from + 60, Maintenance: true, Back: 0.7, Within: 50})
		return cfg, places, joins
	})
}

// A player who finds nobody plays against bots from 0:30 for five minutes. The maintenance at 2:00 cuts this
// match short, too, and the player comes back at its end, 3:00, or leaves. An outage with kill does not: bots
// play in no datacenter.
func TestMaintenanceEndsMatchesAgainstBots(t *testing.T) {
	for _, test := range []struct {
		event       sim.Event
		entered     []sim.Instant
		interrupted int
		bots        int64 // ms against bots, up to 4:00
	}{
		{sim.Event{Maintenance: true, Back: 1}, []sim.Instant{0, 180_000}, 1, 90_000 + 30_000},
		{sim.Event{Maintenance: true, Back: 0}, []sim.Instant{0}, 1, 90_000},
		{sim.Event{Outage: 1, Kill: true}, []sim.Instant{0}, 0, 210_000},
	} {
		cfg := articleConfig()
		cfg.Then, cfg.Duration, cfg.Queues[0].MatchLength = sim.StateBots, 4*sim.Minute, sim.Length{Mean: 5 * sim.Minute}
		test.event.From, test.event.Until = 120_000, 180_000
		cfg.Events = []sim.Event{test.event}
		f, totals := simulate(t, cfg, placesOf(cfg, []int{10}), solos(0, 0))
		var entered []sim.Instant
		for _, s := range f.entered {
			entered = append(entered, s.Began)
		}
		if !slices.Equal(entered, test.entered) || totals.Events[0].Interrupted != test.interrupted || totals.BotsTime != test.bots || len(f.matched) > 0 {
			t.Errorf("%+v: searches begin at %v, %d interrupted, %d ms against bots; want %v, %d and %d", test.event, entered, totals.Events[0].Interrupted, totals.BotsTime, test.entered, test.interrupted, test.bots)
		}
	}
}
