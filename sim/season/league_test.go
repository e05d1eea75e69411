package season_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/sim"
	"mmsim/sim/season"
)

// league plays a season without the engine: every person plays one match a day.
type league struct {
	seed     uint64
	skills   []float64 // by person
	k        float64   // of Elo
	teamSize int       // 0 for 1

	// noise is the standard deviation of the normal noise that is added to ratings before neighbours in
	// their order are paired, or one of the constants. Equal ratings stay in the order of joining.
	noise float64

	season  *season.Season
	random  *rand.Rand
	persons []sim.Person
	keys    []float64 // by person
	order   []int
	days    int // days played so far
}

const (
	nearest = 0  // the nearest ratings meet
	anybody = -1 // pairs are random
)

// begin begins a season of some days.
func (l *league) begin(days int) {
	n := len(l.skills)
	l.season = season.New(season.Config{
		Seed: l.seed, Days: days, Visit: 1, System: &season.Elo{K: l.k}, First: season.Rating{Value: 1500}, Contest: season.Contest{Scale: 400},
		Day: func(day int32) sim.Arrivals { return &noon{day: day, rows: n} }, CopyOf: noCopies,
		Skill: func(p *sim.Person) float64 { return l.skills[p.Row] },
	})
	l.random, l.persons, l.keys, l.order, l.days = rand.New(rand.NewPCG(1, l.seed)), make([]sim.Person, n), make([]float64, n), make([]int, n), 0
}

// playUntil plays until each person has played a number of matches, and returns the results so far.
func (l *league) playUntil(matches int) season.Facts {
	for ; l.days < matches; l.days++ {
		l.playDay()
	}
	return l.season.Finish(sim.Instant(l.days) * sim.Instant(sim.Day))
}

func (l *league) playDay() {
	var a sim.Arrival
	for i := range l.persons {
		if !l.season.Next(&a) || !l.season.Arrives(&a) {
			panic("a person does not come")
		}
		p := &l.persons[i]
		*p = a.Members[0]
		p.Slot = p.Number
		l.season.Searches(p)
		l.order[i] = i
		if l.noise == anybody {
			l.keys[i] = l.random.Float64()
		} else {
			l.keys[i] = l.season.Rating(p.Number) + float64(l.noise*l.random.NormFloat64())
		}
	}
	slices.SortStableFunc(l.order, func(a, b int) int { return cmp.Compare(l.keys[a], l.keys[b]) })
	at, size := a.At.Add(5*sim.Minute), max(l.teamSize, 1)
	for match := range slices.Chunk(l.order, 2*size) {
		finished := sim.Finished{At: at}
		for k, i := range match {
			finished.Players = append(finished.Players, sim.Finisher{Person: l.persons[i], Ticket: l.persons[i].Number, Team: int16(k / size)})
		}
		l.season.Finished(&finished)
	}
	for i := range l.persons {
		l.season.Left(&sim.Left{At: at, Players: []sim.Player{{Person: l.persons[i]}}})
	}
}

// normal returns n skills with the distribution of a normal one, in random order.
func normal(n int, sd float64) []float64 {
	skills := equal(n)
	for i := range skills {
		skills[i] = distuv.Normal{Sigma: sd}.Quantile((float64(i) + .5) / float64(n))
	}
	rand.New(rand.NewPCG(3, 4)).Shuffle(n, func(i, j int) { skills[i], skills[j] = skills[j], skills[i] })
	return skills
}

// The ratings of persons of equal skill who meet at random differ only by luck. The standard deviations
// come from a Monte Carlo computation of Elo's formula.
func TestEloSpread(t *testing.T) {
	for k, sd := range map[float64]float64{8: 26.70, 16: 38.14, 32: 55.18, 64: 81.54} {
		if testing.Short() && k < 32 {
			continue
		}
		// A match moves a rating back to the mean by the share b*K. After 4/(b*K) matches, the standard
		// deviation has reached its limit up to 0.1 %. The mean over as many days again is as exact as
		// five times the persons on one day.
		const n = 4000
		from := int(4 / (math.Ln10 / 1600 * k))
		l := league{skills: equal(n), k: k, noise: anybody}
		l.begin(2 * from)
		mean := 0.0
		for _, day := range l.playUntil(2 * from).ByDay[from:] {
			mean += day.RatingSD / float64(from)
		}
		within(t, "sd", mean, sd, sd*(.005+3/math.Sqrt(2*5*n)))
	}
	// From a cold start. A single day is as exact as the number of persons allows.
	const n = 20_000
	l := league{skills: equal(n), k: 32, noise: anybody}
	l.begin(50)
	f := l.playUntil(50)
	for matches, sd := range map[int]float64{10: 41.8, 25: 51.3, 50: 54.7} {
		within(t, "sd from a cold start", f.ByDay[matches-1].RatingSD, sd, sd*(.005+3/math.Sqrt(2*n)))
	}
}

// With equal skills, nothing holds the ratings of those together who always meet the nearest rating:
// their standard deviation is K/2 times the root of the number of matches. A little noise holds them.
func TestNearestRatingsOfEquals(t *testing.T) {
	for _, c := range []struct {
		noise float64
		sd    map[int]float64 // by matches
	}{
		{nearest, map[int]float64{25: 80, 100: 160, 400: 320, 1000: 506}},
		{25, map[int]float64{100: 144, 1000: 450}},
		{50, map[int]float64{100: 107, 1000: 252}},
		{100, map[int]float64{100: 66, 1000: 67}},
		{200, map[int]float64{100: 57, 1000: 58}},
	} {
		days := 1000
		if testing.Short() {
			days = 100
		}
		l := league{skills: equal(2000), k: 32, noise: c.noise}
		l.begin(days)
		f := l.playUntil(days)
		for matches, sd := range c.sd {
			if matches <= days {
				within(t, "sd", f.ByDay[matches-1].RatingSD, sd, .04*sd)
			}
		}
	}
}

// With real differences in skill, strict pairing stretches the scale and, at the extreme, loses the order.
// The expected numbers come from a Monte Carlo computation of Elo's formula with 4,000 persons.
func TestNearestRatings(t *testing.T) {
	for _, c := range []struct {
		noise   float64
		persons int      // without noise, the result depends on their number
		seeds   uint64   // without noise, the correlation of a season has a standard deviation of 0.002
		states  [3]state // after 100, 400 and 1000 matches
	}{
		{anybody, 2000, 1, [3]state{{236, .973, 70, 0}, {309, .984, 54, 0}, {321, .985, 52, .810}}},
		{100, 2000, 1, [3]state{{216, .976, 65, 0}, {334, .986, 50, 0}, {402, .988, 46, .629}}},
		{50, 2000, 1, [3]state{{194, .974, 68, 0}, {338, .986, 50, 0}, {477, .990, 42, .584}}},
		{nearest, 4000, 3, [3]state{{160, .948, 96, 0}, {320, .926, 113, 0}, {506, .912, 123, .559}}},
	} {
		var mean [3]state
		for seed := range c.seeds {
			l := league{seed: seed, skills: normal(c.persons, 300), k: 32, noise: c.noise}
			for i, s := range l.states() {
				mean[i].sd += s.sd / float64(c.seeds)
				mean[i].correlation += s.correlation / float64(c.seeds)
				mean[i].err += s.err / float64(c.seeds)
				mean[i].chance += s.chance / float64(c.seeds)
			}
		}
		for i, want := range c.states {
			if testing.Short() && i > 0 {
				break
			}
			within(t, "sd", mean[i].sd, want.sd, .03*want.sd)
			within(t, "correlation", mean[i].correlation, want.correlation, .004)
			within(t, "error", mean[i].err, want.err, .05*want.err)
			within(t, "chance of the better player", mean[i].chance, want.chance, .004)
		}
	}
}

// state has the results of a season after a number of matches.
type state struct {
	sd, correlation, err float64
	chance               float64 // of the better player to win, in the last 100 of 1000 matches
}

// states plays a season and returns its states after 100, 400 and 1000 matches, or only the first.
func (l *league) states() (states [3]state) {
	l.begin(1000)
	before := 0.0
	for i, matches := range []int{100, 400, 900, 1000} {
		if testing.Short() && i > 0 {
			break
		}
		f := l.playUntil(matches)
		s := state{sd: f.RatingSD, correlation: f.Correlation, err: f.Error}
		switch matches {
		case 900:
			before = f.FavouriteChance
			continue
		case 1000:
			s.chance = 10*f.FavouriteChance - 9*before
		}
		states[min(i, 2)] = s
	}
	return states
}

// Random teams of normal skills: the true chances of the better team are integrals over the normal
// distribution.
func TestFairness(t *testing.T) {
	for _, c := range []struct {
		sd                         float64
		teamSize                   int
		chance, within45, beyond40 float64
	}{
		{100, 1, .6479, .1947, .6184},
		{200, 1, .7467, .0981, .8033},
		{300, 1, .8075, .0655, .8681},
		{300, 5, .6872, .1458, .7105},
	} {
		l := league{skills: normal(4000, c.sd), k: 32, noise: anybody, teamSize: c.teamSize}
		const days = 20
		l.begin(days)
		f := l.playUntil(days)
		matches := float64(f.TwoTeamMatches)
		if want := 4000 * days / 2 / c.teamSize; f.TwoTeamMatches != want {
			t.Errorf("got %d matches, want %d", f.TwoTeamMatches, want)
		}
		within(t, "favourite_chance", f.FavouriteChance, c.chance, 4*.15/math.Sqrt(matches))
		within(t, "share_45_55", f.EvenShare, c.within45, 4*math.Sqrt(c.within45*(1-c.within45)/matches))
		within(t, "share_below_40", f.LopsidedShare, c.beyond40, 4*math.Sqrt(c.beyond40*(1-c.beyond40)/matches))
		// Elo keeps the mean of a fixed population.
		for _, day := range f.ByDay {
			within(t, "rating_mean", day.RatingMean, 1500, 1e-6)
		}
	}
}
