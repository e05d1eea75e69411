package season

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// vectors are the cases of testdata/updates.json.
type vectors struct {
	Rating []struct {
		Name     string
		System   string
		Settings struct {
			K, Tau, Draw float64
			Model        string
		}
		Teams, Expect [][]vectorRating
		Ranks         []int
	}
	Period struct {
		Player [3]float64
		Games  [][3]float64
		Tau    float64
		Expect [3]float64
	} `json:"glicko2_period"`
	Retention []struct {
		Name    string
		Base    float64
		Effects map[string]float64
		Of      map[string]float64
		Expect  float64
	}
}

type vectorRating struct {
	Rating, RD, Volatility float64
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	text, err := os.ReadFile("testdata/updates.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestUpdateVectors(t *testing.T) {
	list := readVectors(t).Rating
	if len(list) != 15 {
		t.Fatalf("%d cases, want 15", len(list))
	}
	for _, c := range list {
		var s System
		switch c.System {
		case "elo":
			s = &Elo{K: c.Settings.K}
		case "glicko2":
			s = &Glicko2{Tau: c.Settings.Tau}
		case "openskill":
			s = &OpenSkill{BradleyTerry: c.Settings.Model == "bradley-terry", Tau: c.Settings.Tau}
		case "trueskill":
			s = NewTrueSkill(c.Settings.Tau, c.Settings.Draw)
		default:
			t.Fatalf("%s: unknown system %q", c.Name, c.System)
		}
		teams, order := make([][]Rating, len(c.Teams)), make([]int, len(c.Teams))
		for i, team := range c.Teams {
			place := c.Ranks[i] - 1
			order[place] = i
			for _, r := range team {
				teams[place] = append(teams[place], Rating{r.Rating, r.RD, r.Volatility})
			}
		}
		s.Update(teams)
		for place, i := range order {
			for k, want := range c.Expect[i] {
				got := teams[place][k]
				near(t, c.Name, got.Value, want.Rating, 1e-9)
				if c.System != "elo" {
					near(t, c.Name+", deviation", got.Deviation, want.RD, 1e-9)
				}
				if c.System == "glicko2" {
					near(t, c.Name+", volatility", got.Volatility, want.Volatility, 1e-6)
				}
			}
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: got %.13g, want %.13g", what, got, want)
	}
}

// TestGlickoTextbook computes the example of Glickman's paper: three games in one period.
func TestGlickoTextbook(t *testing.T) {
	c := readVectors(t).Period
	var winners, losers [][]Rating
	for _, g := range c.Games {
		opponent := []Rating{{Value: g[0], Deviation: g[1]}}
		if g[2] == 0 {
			winners = append(winners, opponent)
		} else {
			losers = append(losers, opponent)
		}
	}
	teams := slices.Concat(winners, [][]Rating{{{c.Player[0], c.Player[1], c.Player[2]}}}, losers)
	(&Glicko2{Tau: c.Tau}).Update(teams)
	r := teams[len(winners)][0]
	near(t, "rating", r.Value, c.Expect[0], 1e-9)
	near(t, "deviation", r.Deviation, c.Expect[1], 1e-9)
	near(t, "volatility", r.Volatility, c.Expect[2], 1e-6)
}

// TestTrueSkillTeams compares the winners of matches between new players with published results for
// a draw share of 10 %.
func TestTrueSkillTeams(t *testing.T) {
	for _, c := range []struct {
		winners, losers  int
		value, deviation float64
	}{
		{1, 1, 29.395831692992, 7.171475807009},
		{2, 2, 28.108322399069, 7.774363451094},
		{4, 4, 27.197915846496, 8.058911711844},
		{1, 2, 33.730671148996, 7.317365362867},
	} {
		of := func(n int) []Rating { return slices.Repeat([]Rating{{Value: 25, Deviation: 25.0 / 3}}, n) }
		teams := [][]Rating{of(c.winners), of(c.losers)}
		NewTrueSkill(25.0/300, 0.1).Update(teams)
		near(t, "value", teams[0][0].Value, c.value, 1e-9)
		near(t, "deviation", teams[0][0].Deviation, c.deviation, 1e-9)
	}
}

func TestPredict(t *testing.T) {
	for gap, want := range map[float64]float64{50: .5715, 100: .6401, 200: .7597, 400: .9091} {
		if got := new(Elo).Predict([]Rating{{Value: 1500 + gap}}, []Rating{{Value: 1500}}); math.Abs(got-want) > 5e-5 {
			t.Errorf("a gap of %v: %v, want %v", gap, got, want)
		}
	}
	one := []Rating{{Value: 25, Deviation: 25.0 / 3}, {Value: 32.444, Deviation: 5.123}}
	other := []Rating{{Value: 73.381, Deviation: 1.421}, {Value: 25.188, Deviation: 6.211}}
	near(t, "openskill", new(OpenSkill).Predict(one, other), 0.00083089452446, 1e-9)
	// With four players, the noise of TrueSkill is twice that of OpenSkill.
	variance := 0.0
	for _, r := range slices.Concat(one, other) {
		variance += r.Deviation * r.Deviation
	}
	want := math.Erfc((98.569-57.444)/math.Sqrt(4*beta*beta+variance)/math.Sqrt2) / 2
	near(t, "trueskill", NewTrueSkill(0, 0).Predict(one, other), want, 1e-9)
	// Glicko-2 of single players: E of the formulas, with both deviations in one g.
	a, b := Rating{Value: 1700, Deviation: 80}, Rating{Value: 1500, Deviation: 200}
	g := 1 / math.Sqrt(1+3*(80*80+200*200)/(173.7178*173.7178)/(math.Pi*math.Pi))
	near(t, "glicko2", new(Glicko2).Predict([]Rating{a}, []Rating{b}), 1/(1+math.Exp(-g*200/173.7178)), 1e-12)
}

// systems are one System of each kind, by name.
func systems() map[string]System {
	return map[string]System{
		"elo":           &Elo{K: 32},
		"glicko2":       &Glicko2{Tau: 0.5},
		"plackett-luce": &OpenSkill{Tau: 25.0 / 300},
		"bradley-terry": &OpenSkill{BradleyTerry: true, Tau: 25.0 / 300},
		"trueskill":     NewTrueSkill(25.0/300, 0.1),
	}
}

// drawTeams draws ratings, also such that are absurdly far apart.
func drawTeams(t *rapid.T, most int) [][]Rating {
	spread := rapid.SampledFrom([]float64{1, 300, 1e5}).Draw(t, "spread")
	teams := make([][]Rating, rapid.IntRange(2, most).Draw(t, "teams"))
	for i := range teams {
		for range rapid.IntRange(1, 3).Draw(t, "players") {
			teams[i] = append(teams[i], Rating{
				Value:      rapid.Float64Range(-spread, spread).Draw(t, "value"),
				Deviation:  rapid.Float64Range(0.1, 400).Draw(t, "deviation"),
				Volatility: rapid.Float64Range(0.001, 0.2).Draw(t, "volatility"),
			})
		}
	}
	return teams
}

func cloneTeams(teams [][]Rating) [][]Rating {
	clone := make([][]Rating, len(teams))
	for i := range teams {
		clone[i] = slices.Clone(teams[i])
	}
	return clone
}

// TestUpdateProperties checks what holds in every system: ratings stay finite, the winners do not
// lose and the last team does not win rating, deviations stay above 0, and predictions are chances
// that add up to 1.
func TestUpdateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for name, s := range systems() {
			most := 5
			if name == "trueskill" {
				most = 2
			}
			before := drawTeams(t, most)
			teams := cloneTeams(before)
			s.Update(teams)
			for i, team := range teams {
				for k, r := range team {
					change := r.Value - before[i][k].Value
					bad := math.IsNaN(change) || math.IsInf(change, 0) || i == 0 && change < 0 || i == len(teams)-1 && change > 0
					bad = bad || !(r.Deviation > 0 && r.Deviation < 1e6) || name == "glicko2" && !(r.Volatility > 0 && r.Volatility < 1e3)
					if bad {
						t.Fatalf("%s: team %d of %v changes to %v", name, i, before, teams)
					}
				}
			}
			a, b := s.Predict(teams[0], teams[1]), s.Predict(teams[1], teams[0])
			if !(a >= 0 && a <= 1) || math.Abs(a+b-1) > 1e-12 {
				t.Fatalf("%s: chances %v and %v of %v", name, a, b, teams[:2])
			}
		}
	})
}

// TestEloKeepsTheMean checks that the ratings of teams of equal size keep their sum.
func TestEloKeepsTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 3).Draw(t, "size")
		teams, sum := make([][]Rating, rapid.IntRange(2, 6).Draw(t, "teams")), 0.0
		for i := range teams {
			for range size {
				value := rapid.Float64Range(0, 3000).Draw(t, "value")
				teams[i], sum = append(teams[i], Rating{Value: value}), sum+value
			}
		}
		(&Elo{K: 32}).Update(teams)
		for _, r := range slices.Concat(teams...) {
			sum -= r.Value
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("the sum changed by %v", sum)
		}
	})
}

// TestPlackettLuceTwin compares the change of ratings with the formulas as the paper writes them.
func TestPlackettLuceTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teams := drawTeams(t, 6)
		for i := range teams {
			for k := range teams[i] {
				teams[i][k].Value = math.Remainder(teams[i][k].Value, 1000) // else exp overflows in the twin
				teams[i][k].Deviation = math.Remainder(teams[i][k].Deviation, 10) + 6
			}
		}
		want := naivePlackettLuce(cloneTeams(teams))
		new(OpenSkill).Update(teams)
		for i := range teams {
			for k, got := range teams[i] {
				if w := want[i][k]; math.Abs(got.Value-w.Value) > 1e-9*(1+math.Abs(w.Value)) || math.Abs(got.Deviation-w.Deviation) > 1e-9*w.Deviation {
					t.Fatalf("player %d of team %d: got %v, want %v", k, i, got, w)
				}
			}
		}
	})
}

func naivePlackettLuce(teams [][]Rating) [][]Rating {
	mu, s2 := make([]float64, len(teams)), make([]float64, len(teams))
	c := 0.0
	for i, team := range teams {
		for _, r := range team {
			mu[i] += r.Value
			s2[i] += r.Deviation * r.Deviation
		}
		c += s2[i] + 25.0/6*25/6
	}
	c = math.Sqrt(c)
	for i, team := range teams {
		omega, delta := 0.0, 0.0
		for q := 0; q <= i; q++ {
			sumQ := 0.0
			for j := q; j < len(teams); j++ {
				sumQ += math.Exp(mu[j] / c)
			}
			e := math.Exp(mu[i]/c) / sumQ
			omega -= e
			if q == i {
				omega++
			}
			delta += e * (1 - e)
		}
		omega *= s2[i] / c
		delta *= math.Sqrt(s2[i]) / c * s2[i] / (c * c)
		for k := range team {
			r := &team[k]
			share := r.Deviation * r.Deviation / s2[i]
			r.Value += share * omega
			r.Deviation *= math.Sqrt(math.Max(1-share*delta, 1e-4))
		}
	}
	return teams
}

// TestUpdateAllocates checks that updates reuse their memory.
func TestUpdateAllocates(t *testing.T) {
	for name, s := range systems() {
		teams := [][]Rating{{{25, 8, 0.06}, {26, 7, 0.06}}, {{27, 6, 0.06}, {24, 5, 0.06}}}
		s.Update(teams)
		if n := testing.AllocsPerRun(10, func() { s.Update(teams) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for name, s := range systems() {
		b.Run(name, func(b *testing.B) {
			one, other := []Rating{{25, 8, 0.06}, {26, 7, 0.06}}, []Rating{{27, 6, 0.06}, {24, 5, 0.06}}
			teams := [][]Rating{nil, nil}
			for i := range b.N {
				teams[i&1], teams[1-i&1] = one, other
				s.Update(teams)
			}
		})
	}
}

// A perfect rating predicts the true chance of even teams: with Elo and Glicko-2 the slope is 400 over
// the scale. The others predict with the normal distribution, whose density at 0 is 1/√(2π), of the
// difference of sums over √2 β (OpenSkill) or √(2 size) β (TrueSkill); the true chance rises by
// ln 10 / (4 scale).
func TestPerfectSlope(t *testing.T) {
	const beta = 25.0 / 6
	normal := func(noise, size float64) float64 { // at a scale of 400
		return math.Ln10 / 1600 * noise * math.Sqrt(2*math.Pi) / size
	}
	for _, test := range []struct {
		name  string
		of    System
		scale float64
		size  int
		want  float64
	}{
		{"elo", &Elo{K: 32}, 400, 1, 1},
		{"elo", &Elo{K: 32}, 200, 5, 2},
		{"glicko2", &Glicko2{Tau: 0.5}, 400, 1, 1},
		{"openskill", &OpenSkill{}, 400, 1, normal(math.Sqrt2*beta, 1)},
		{"openskill", &OpenSkill{}, 400, 5, normal(math.Sqrt2*beta, 5)},
		{"trueskill", NewTrueSkill(0, 0), 400, 5, normal(math.Sqrt(10)*beta, 5)},
	} {
		if got := perfectSlope(test.of, Contest{Scale: test.scale}, test.size); math.Abs(got/test.want-1) > 1e-6 {
			t.Errorf("%s, scale %g, teams of %d: got %.9g, want %.9g", test.name, test.scale, test.size, got, test.want)
		}
	}
}
