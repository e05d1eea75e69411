package command

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// A league of 100 days in which everybody plays one match a day, at noon, with an external matchmaker
// that pairs neighbours in the order of their ratings after normal noise was added. The expected numbers
// come from a Monte Carlo computation of Elo's formula with 4,000 persons; see TestNearestRatings of
// package season. All of them are tested with MMSIM_PERSONS=4000, which takes 150 s of CPU time.
func TestSeasonOfNearestRatings(t *testing.T) {
	persons, long := 1000, os.Getenv("MMSIM_PERSONS") != ""
	if long {
		n, err := strconv.Atoi(os.Getenv("MMSIM_PERSONS"))
		if err != nil {
			t.Fatal(err)
		}
		persons = n
	}
	for _, c := range []struct {
		skillSD, noise       float64
		sd, correlation, err float64
		long                 bool // only with MMSIM_PERSONS
	}{
		{300, 50, 194, .974, 68, false},
		{300, -1, 236, .973, 70, testing.Short()},
		{300, 100, 216, .976, 65, true},
		{300, 0, 160, .948, 96, true},
		{0, 0, 160, 0, 0, testing.Short()},
		{0, 25, 144, 0, 0, true},
		{0, 50, 107, 0, 0, true},
		{0, 100, 66, 0, 0, true},
		{0, 200, 57, 0, 0, true},
	} {
		if c.long && !long {
			continue
		}
		s := leagueOf(t, persons, c.skillSD, c.noise).Season
		chance := 3 / math.Sqrt(2*float64(persons)) // of a standard deviation, relative to it
		if got := float64(s.Rating.SD); math.Abs(got-c.sd) > c.sd*max(.03, chance) {
			t.Errorf("skill %v, noise %v: sd %v, want %v", c.skillSD, c.noise, got, c.sd)
		}
		if s.Visits != outcome.Count(100*persons) || s.Prediction.Matches != outcome.Count(50*persons) {
			t.Errorf("got %v visits and %v matches", s.Visits, s.Prediction.Matches)
		}
		if c.skillSD == 0 {
			continue
		}
		if got := float64(s.Rating.Correlation); math.Abs(got-c.correlation) > .004 {
			t.Errorf("noise %v: correlation %v, want %v", c.noise, got, c.correlation)
		}
		if got := float64(s.Rating.Error); math.Abs(got-c.err) > .05*c.err {
			t.Errorf("noise %v: error %v, want %v", c.noise, got, c.err)
		}
	}
}

// leagueOf simulates 100 days of persons with normal skills and returns the summary.
func leagueOf(t *testing.T, persons int, skillSD, noise float64) *outcome.Summary {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("time,latitude,longitude,skill\n")
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(persons) {
		fmt.Fprintf(&rows, "12:00:00,50.11,8.68,%.3f\n", skillSD*distuv.UnitNormal.Quantile((float64(i)+.5)/float64(persons)))
	}
	folder := t.TempDir()
	commandtest.Put(t, folder, map[string]string{
		"league.csv": rows.String(),
		"mmsim.yaml": fmt.Sprintf(`
dataset: {file: league.csv, spread: false}
clock: {duration: 100d, warmup: 0s}
match: {size: 2}
matcher: {external: 'exec:matcher-nearest %v'}
players: {play_again: 0}
season: {skill: skill, quit: 0%%, shift: 0s, rating: {system: elo}}
output: {plots: false, html: false}
`, noise),
	})
	var out, messages bytes.Buffer
	if code := Run([]string{"run", "--quiet", "--config", filepath.Join(folder, "mmsim.yaml"), "--out", filepath.Join(folder, "result")}, strings.NewReader(""), &out, &messages); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, &out, &messages)
	}
	s, err := outcome.LoadSummary(os.DirFS(filepath.Join(folder, "result")))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A season that is compared with itself under another seed has a difference one time in twenty.
func TestSeasonsKeepTheirLevel(t *testing.T) {
	const pairs, experiments = 5, 16
	day := tinyDay(t)
	season := func(seed string) *config.Config {
		return smallConfig(t, config.Override{Key: "dataset.file", Text: day}, config.Override{Key: "clock.duration", Text: "2d"},
			config.Override{Key: "clock.warmup", Text: "0s"}, config.Override{Key: "seed", Text: seed}, config.Override{Key: "match.size", Text: "2"},
			config.Override{Key: "players.attributes", Text: "{skill: {normal: {mean: 1500, sd: 300}}}"},
			config.Override{Key: "season", Text: "{skill: skill, quit: 20%, quit_by: {loss_streak: 0.25}, again_by: {win: 0.5}}"})
	}
	runs := summariesOf(t, pairs*experiments, season("1"), season("2"))
	part := func(arm, e int) *judge.Sample { return &judge.Sample{Runs: runs[arm][e*pairs : (e+1)*pairs]} }
	compared, found := 0, 0
	for e := range experiments {
		c := judge.Compare(part(0, e), part(1, e), nil)
		for _, name := range []string{
			"season.stay.d1", "season.rating.correlation", "season.rating.error", "season.prediction.log_loss", "season.fairness.favourite_chance",
			"season.persons.quit", "season.matches_per_visit",
		} {
			compared++
			if d := differenceIn(t, c, name); d.Low > 0 || d.High < 0 {
				found++
			}
		}
	}
	// 5 % of 112 are 5.6. The metrics depend on each other, so that the standard deviation is up to
	// sqrt(7) times the 2.3 of independent ones.
	if found > 6+3*6 {
		t.Errorf("got %d of %d differences between a season and itself, want one in twenty", found, compared)
	}
	for _, d := range judge.Compare(part(0, 0), part(0, 0), nil).Metrics {
		if d.Low > 0 || d.High < 0 {
			t.Errorf("%s: got a difference from %v to %v with the same seeds, want none", d.Name, d.Low, d.High)
		}
	}
}
