package season_test

import (
	"cmp"
	"math"
	"testing"

	"mmsim/sim"
	"mmsim/sim/engine"
	"mmsim/sim/season"
)

// noon yields one row per skill, all at 12:00:00 of a day.
type noon struct {
	day    int32
	rows   int
	next   int
	person [1]sim.Person
}

func (a *noon) Next(to *sim.Arrival) bool {
	if a.next == a.rows {
		return false
	}
	row := uint32(a.next)
	a.next++
	entity := sim.Entity(row, 0, a.day, 0)
	a.person[0] = sim.Person{Entity: entity, Row: row, Party: entity}
	to.At, to.Members = sim.Instant(a.day)*sim.Instant(sim.Day)+sim.Instant(12*sim.Hour), a.person[:]
	return true
}

// noCopies is the copy of the persons of noon.
func noCopies(uint32, int32) uint32 { return 0 }

// world describes a season in which everybody joins at noon.
type world struct {
	season.Config
	skills    []float64
	matchSize int
	length    sim.Duration // of a match; 0 for 5 minutes
	leave     *sim.Leave
	until     sim.Duration // when the run is interrupted; 0 if it is not

	events           []sim.Event
	interruptedAgain float64

	watch func(*season.Season) sim.Season // wraps the season; may be nil
}

// run simulates a world with the article's states, one place and one datacenter.
func (w world) run(t *testing.T) season.Facts {
	t.Helper()
	w.Day = func(day int32) sim.Arrivals { return &noon{day: day, rows: len(w.skills)} }
	w.CopyOf = noCopies
	w.Skill = func(p *sim.Person) float64 { return w.skills[p.Row] }
	if w.Visit == 0 {
		w.Visit = 1
	}
	s := season.New(w.Config)
	watched := sim.Season(s)
	if w.watch != nil {
		watched = w.watch(s)
	}
	e, err := engine.New(sim.Config{
		Seed: w.Seed, Tick: sim.Second, WarmUp: w.WarmUp, Duration: sim.Duration(w.Days) * sim.Day, Sample: sim.Hour,
		IdealFor: 10 * sim.Second, ExpandFor: 10 * sim.Second, Then: sim.StateFailed, IdealRTT: 50 * sim.RTTUnit, ExpandRTT: 100 * sim.RTTUnit,
		PlayAgain: w.PlayAgain, Between: 30 * sim.Second, Season: watched,
		Events: w.events, InterruptedAgain: w.interruptedAgain, InterruptedAfter: 10 * sim.Second,
		Queues: []sim.Queue{{MatchSize: w.matchSize, MatchLength: sim.Length{Mean: cmp.Or(w.length, 5*sim.Minute)}, WarmBodyFor: 10 * sim.Second, Leave: w.leave}},
	}, &sim.Places{Datacenters: 1, RTT: []sim.RTT{160}, Best: []sim.RTT{160}, Reach: []sim.Reach{{Ideal: 1, Expand: 1}}}, s)
	if err != nil {
		t.Fatal(err)
	}
	end := sim.Instant(cmp.Or(w.until, sim.Duration(w.Days)*sim.Day))
	for at := sim.Instant(0); at < end; at += sim.Instant(6 * sim.Hour) {
		if err := e.RunUntil(at + sim.Instant(6*sim.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := e.Verify(); err != nil {
			t.Fatal(err)
		}
	}
	e.Finish()
	return s.Finish(end)
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// TestTwoPersons plays the first world of testdata/updates.json: two persons meet three times, and
// the better one always wins.
func TestTwoPersons(t *testing.T) {
	f := world{
		Config: season.Config{Days: 3, System: &season.Elo{K: 32}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400}},
		skills: []float64{4000, 0}, matchSize: 2,
	}.run(t)
	if f.Start != 2 || f.New != 0 || f.Quit != 0 || f.End != 2 || f.Skipped != 0 || f.Visits != 6 || f.TwoTeamMatches != 3 || f.Days != 3 {
		t.Errorf("counts: %+v", f)
	}
	for day, sd := range []float64{16, 30.53, 43.75} {
		within(t, "mean", f.ByDay[day].RatingMean, 1500, 1e-6)
		within(t, "sd", f.ByDay[day].RatingSD, sd, 0.005)
	}
	within(t, "favourite_predicted", f.FavouritePredicted, .5443, 5e-5)
	within(t, "favourite_wins", f.FavouriteWins, .83333, 5e-6)
	within(t, "log_loss", f.LogLoss, .61040, 5e-6)
	within(t, "calibration_error", f.Calibration, .28903, 5e-6)
	within(t, "correlation", f.Correlation, 1, 1e-12)
	within(t, "error", f.Error, 0, 1e-3)
	within(t, "slope", f.Slope, .02187, 5e-6)
	within(t, "matches per visit", f.MatchesPerVisit, 1, 0)
}

// TestLeavers plays the world of two persons with persons who are missing from matches. Whoever leaves a
// match gets the result of its team, and a match that is cut short has none.
func TestLeavers(t *testing.T) {
	w := world{
		Config: season.Config{Days: 3, System: &season.Elo{K: 32}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400}, Quit: 1, Newcomers: 1},
		skills: []float64{4000, 0}, matchSize: 2,
	}
	counts := func(f season.Facts, matches int) {
		t.Helper()
		if f.Start != 2 || f.New != 4 || f.Quit != 6 || f.End != 0 || f.Visits != 6 || f.TwoTeamMatches != matches {
			t.Errorf("counts: %+v", f)
		}
	}
	w.leave = &sim.Leave{PerMinute: .999, Then: sim.MatchEnds, EndWithin: sim.Day} // the first leaves, and the other is interrupted
	counts(w.run(t), 0)
	w.leave = &sim.Leave{PerMinute: .5}
	counts(w.run(t), 3)
	w.leave = &sim.Leave{NoShow: 1} // nobody is left
	counts(w.run(t), 3)
	w.Quit, w.Newcomers = 0, 0
	f := w.run(t)
	for day, sd := range []float64{16, 30.53, 43.75} {
		within(t, "sd", f.ByDay[day].RatingSD, sd, 0.005)
	}
}

// TestOutage lets the only datacenter fail during the match of the second day. A match that is cut short
// has no result, also not for persons who left it before.
func TestOutage(t *testing.T) {
	noon := sim.Instant(sim.Day + 12*sim.Hour)
	w := world{
		Config: season.Config{Days: 3, System: &season.Elo{K: 32}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400}},
		skills: []float64{4000, 0}, matchSize: 2,
		events: []sim.Event{{From: noon.Add(2 * sim.Minute), Until: noon.Add(2*sim.Minute + sim.Second), Outage: 1, Kill: true}},
	}
	check := func(matches int, sds ...float64) {
		t.Helper()
		f := w.run(t)
		if f.Visits != 6 || f.TwoTeamMatches != matches || f.End != 2 {
			t.Errorf("counts: %+v", f)
		}
		for day, sd := range sds {
			within(t, "sd", f.ByDay[day].RatingSD, sd, 0.005)
		}
	}
	check(2, 16, 16, 30.53)
	w.interruptedAgain = 1 // they return 10 s later and find another match
	check(3, 16, 30.53, 43.75)
	leavers := &cutLeavers{}
	w.watch = func(s *season.Season) sim.Season {
		*leavers = cutLeavers{Season: s}
		return leavers
	}
	w.interruptedAgain, w.leave = 0, &sim.Leave{PerMinute: .2}
	check(2, 16, 16, 30.53)
	if leavers.n != 1 {
		t.Errorf("%d persons left the match that was cut short, want 1", leavers.n)
	}
	w.events[0].Kill = false // the match goes on although the datacenter has failed
	check(3, 16, 30.53, 43.75)
}

// TestMaintenance has a maintenance during the match of the second day, which is cut short and has no
// result. Two who come back at the end of the maintenance find another match on that day.
func TestMaintenance(t *testing.T) {
	noon := sim.Instant(sim.Day + 12*sim.Hour)
	for _, test := range []struct {
		from    sim.Duration // after noon
		back    float64
		matches int
		sds     [3]float64
	}{
		{2 * sim.Minute, 0, 2, [3]float64{16, 16, 30.53}},
		{2 * sim.Minute, 1, 3, [3]float64{16, 30.53, 43.75}},
		{6 * sim.Minute, 0, 3, [3]float64{16, 30.53, 43.75}}, // the match is over
	} {
		f := world{
			Config: season.Config{Days: 3, System: &season.Elo{K: 32}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400}},
			skills: []float64{4000, 0}, matchSize: 2,
			events: []sim.Event{{From: noon.Add(test.from), Until: noon.Add(test.from + sim.Hour), Maintenance: true, Back: test.back}},
		}.run(t)
		if f.Visits != 6 || f.TwoTeamMatches != test.matches || f.End != 2 {
			t.Errorf("%+v: counts: %+v", test, f)
		}
		for day, sd := range test.sds {
			within(t, "sd", f.ByDay[day].RatingSD, sd, 0.005)
		}
	}
}

// cutLeavers counts the persons who leave a match that is cut short.
type cutLeavers struct {
	*season.Season
	n int
}

func (c *cutLeavers) Started(m *sim.Match) {
	c.Season.Started(m)
	for _, seat := range m.Seats {
		if m.Cut && seat.Leaves {
			c.n++
		}
	}
}

// freezer checks that the rating of a person who searches does not change.
type freezer struct {
	*season.Season
	t       *testing.T
	frozen  map[uint32]float64 // by person who searches
	changed int                // matches that ended while a person who had left them searched
}

func (f *freezer) Searches(first *sim.Person) {
	f.Season.Searches(first)
	f.frozen[first.Number] = f.Rating(first.Number)
}

func (f *freezer) check(number uint32) {
	if was, is := f.frozen[number]; is && f.Rating(number) != was {
		f.t.Errorf("the rating of person %d changed from %v to %v during its search", number, was, f.Rating(number))
	}
}

func (f *freezer) Started(m *sim.Match) {
	f.Season.Started(m)
	for i := range m.Players {
		f.check(m.Players[i].Number)
		delete(f.frozen, m.Players[i].Number)
	}
}

func (f *freezer) Finished(m *sim.Finished) {
	f.Season.Finished(m)
	for i := range m.Players {
		f.check(m.Players[i].Number)
		if _, searches := f.frozen[m.Players[i].Number]; searches {
			f.changed++
		}
	}
}

func (f *freezer) Left(l *sim.Left) {
	f.check(l.Players[0].Number)
	delete(f.frozen, l.Players[0].Number)
	f.Season.Left(l)
}

// TestFrozenRatings lets persons leave matches and search again before these matches end, in teams that
// fill slowly, so that their results arrive during searches.
func TestFrozenRatings(t *testing.T) {
	var f *freezer
	world{
		Config: season.Config{Days: 2, PlayAgain: .95, System: &season.Elo{K: 32}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400}},
		skills: equal(41), matchSize: 5, leave: &sim.Leave{PerMinute: .3},
		watch: func(s *season.Season) sim.Season {
			f = &freezer{Season: s, t: t, frozen: map[uint32]float64{}}
			return f
		},
	}.run(t)
	if f.changed < 10 {
		t.Errorf("%d results arrived during searches, want 10 or more", f.changed)
	}
}

// TestSkippedVisits plays matches of 30 hours, so that nobody can join on the second day.
func TestSkippedVisits(t *testing.T) {
	f := world{
		Config: season.Config{Days: 3, System: &season.Elo{K: 32}, Contest: season.Contest{Scale: 400}},
		skills: equal(2), matchSize: 2, length: 30 * sim.Hour,
	}.run(t)
	if f.Skipped != 2 || f.Visits != 4 || f.TwoTeamMatches != 1 || f.ByDay[1].Visits != 0 {
		t.Errorf("counts: %+v", f)
	}
}

// TestInterrupted interrupts a season on its second evening. Only the whole day counts as a day.
func TestInterrupted(t *testing.T) {
	f := world{
		Config: season.Config{Days: 3, System: &season.Elo{K: 32}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400}},
		skills: []float64{4000, 0}, matchSize: 2, until: 42 * sim.Hour,
	}.run(t)
	if f.Days != 1 || len(f.ByDay) != 1 || f.ByDay[0].Visits != 2 || f.Start+f.New != f.Quit+f.End {
		t.Errorf("got %+v", f)
	}
	within(t, "sd", f.ByDay[0].RatingSD, 16, 1e-9)
}

// TestFourPersons plays the second world of testdata/updates.json.
func TestFourPersons(t *testing.T) {
	f := world{
		Config: season.Config{Days: 2, System: &season.OpenSkill{Tau: 25.0 / 300}, First: season.Rating{Value: 25, Deviation: 25.0 / 3}, Contest: season.Contest{Scale: 400}},
		skills: []float64{12000, 8000, 4000, 0}, matchSize: 4,
	}.run(t)
	want := []float64{30.448834, 27.838047, 24.203098, 17.653830}
	mean, sd := 0.0, 0.0
	for _, r := range want {
		mean += r / 4
	}
	for _, r := range want {
		sd += (r - mean) * (r - mean) / 4
	}
	within(t, "mean", f.RatingMean, mean, 1e-6)
	within(t, "sd", f.RatingSD, math.Sqrt(sd), 1e-6)
}

// equal returns n equal skills.
func equal(n int) []float64 { return make([]float64, n) }

// TestEverybodyQuits lets all persons quit after their first day.
func TestEverybodyQuits(t *testing.T) {
	f := world{
		Config: season.Config{Days: 4, Quit: 1, Newcomers: 1, System: &season.Elo{K: 32}, Contest: season.Contest{Scale: 400}},
		skills: equal(100), matchSize: 2,
	}.run(t)
	if f.Start != 100 || f.New != 300 || f.Quit != 400 || f.End != 0 || f.Visits != 400 {
		t.Errorf("counts: %+v", f)
	}
	within(t, "stay.d1", f.Stay[0], 0, 0)
}

// TestStay compares the shares of persons who stay with (1-q)(1-vq)^(N-1).
func TestStay(t *testing.T) {
	for _, c := range []struct {
		quit, visit float64
		d1, d7, d14 float64
		effect      float64 // of a win on the log-odds to quit
	}{
		{quit: .03, visit: 1, d1: .97, d7: .80798, d14: .65284},
		{quit: .10, visit: .5, d1: .9, d7: .66158, d14: .9 * math.Pow(.95, 13)},
		{quit: .03, visit: 1, d1: .97938, d7: .86426, d14: .74694, effect: -1},
	} {
		f := world{
			Config: season.Config{
				Days: 15, Quit: c.quit, Visit: c.visit, QuitBy: season.Effects{season.Win: c.effect}, System: &season.Elo{K: 32}, Contest: season.Contest{Scale: 400},
				Newcomers: c.quit,
			},
			skills: equal(4_000), matchSize: 2,
		}.run(t)
		for i, want := range []float64{c.d1, c.d7, c.d14} {
			n := float64(f.Start)
			within(t, "stay", f.Stay[i], want, 4*math.Sqrt(want*(1-want)/n))
		}
		if f.Start+f.New != f.Quit+f.End {
			t.Errorf("persons: %d + %d = %d + %d", f.Start, f.New, f.Quit, f.End)
		}
	}
}

// TestMatchesPerVisit compares the matches of a visit with 1/(1-p), where p is the chance to play again.
func TestMatchesPerVisit(t *testing.T) {
	const n, days, p = 4_000, 3, .5
	f := world{
		Config: season.Config{Days: days, PlayAgain: p, System: &season.Elo{K: 32}, Contest: season.Contest{Scale: 400}},
		skills: equal(n), matchSize: 2,
	}.run(t)
	sd := math.Sqrt(p) / (1 - p) // of the geometric distribution
	within(t, "matches per visit", f.MatchesPerVisit, 1/(1-p), 4*sd/math.Sqrt(n*days)+.005 /* the odd one finds no match */)
}

// TestWinShares lets persons of normal skill meet at random. The expected shares of wins by tenth of skill
// are integrals over the normal distribution.
func TestWinShares(t *testing.T) {
	const n, days = 4_000, 25
	f := world{
		Config: season.Config{Days: days, System: &season.Elo{K: 32}, Contest: season.Contest{Scale: 400}},
		skills: normal(n, 300), matchSize: 2,
	}.run(t)
	for i, want := range []float64{.1176, .2304, .3154, .3918, .4643, .5357, .6082, .6846, .7696, .8824} {
		within(t, "win_share", f.BySkill[i].WinShare, want, 4*math.Sqrt(want*(1-want)/(n/10*days)))
	}
}

// TestJoinsStayLevel lets as many persons begin as quit on average.
func TestJoinsStayLevel(t *testing.T) {
	const n, days, quit = 4_000, 20, .03
	f := world{
		Config: season.Config{Days: days, Quit: quit, Newcomers: quit, System: &season.Elo{K: 32}, Contest: season.Contest{Scale: 400}},
		skills: equal(n), matchSize: 2,
	}.run(t)
	// On a day, the number of persons changes by the difference of two binomial numbers, so the mean of
	// all days has the variance of the mean of a random walk.
	step := 2 * n * quit * (1 - quit)
	within(t, "mean visits", float64(f.Visits)/days, n, 3*math.Sqrt(step*days/3))
}
