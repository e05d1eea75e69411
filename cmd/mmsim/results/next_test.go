package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/reports/outcome"
)

// nextOf returns the next step as text, or "" if there is none.
func nextOf(s *outcome.Summary, c *config.Config, dir, given string) string {
	step := Next(s, c, dir, given)
	if step == nil {
		return ""
	}
	return step.Question + " " + strings.Join(step.Command, " ")
}

// day returns the summary of a run of the default configuration, in which 1,000 players are matched
// and others are not.
func day(lost outcome.Players) *outcome.Summary {
	lost.Joins, lost.Matched = 1000, 1000
	outcome.SetEnds(&lost)
	return &outcome.Summary{
		Complete: true, Players: lost, Thresholds: outcome.Thresholds{Ideal: 50, Expand: 100},
		WaitFirst: outcome.WaitStats{Count: 1000, P90: 20}, RTT: outcome.RTTStats{Count: 1000, P90: 80}, // both fair
		States: outcome.States{Ideal: outcome.StateStats{Matched: 1000, Share: 1}},
	}
}

func TestNextAfterUnmatchedSearches(t *testing.T) {
	const (
		chance   = "How much of this is chance? mmsim run --config d/config.yaml --runs 8 --out d-runs"
		longer   = "Would more find a match if they waited longer? mmsim compare d/config.yaml --set-b "
		declines = "Would more accept if they had longer? mmsim compare d/config.yaml --set-b match.acceptance.timeout=1m"
		validate = "Can these players meet the rules? mmsim validate d/config.yaml"
	)
	declined := outcome.Count(40)
	rules := func(c *config.Config) { c.Rules = "queue.json" }
	for _, test := range []struct {
		lost   outcome.Players
		change func(c *config.Config)
		want   string
	}{
		{outcome.Players{Losses: outcome.Losses{Failed: 10}}, nil, chance}, // 0.99 %, which is fair
		{outcome.Players{Losses: outcome.Losses{Failed: 11}}, nil, longer + "states.warmbody.for=20s"},
		{outcome.Players{Losses: outcome.Losses{Failed: 5, Expired: 6}}, nil, longer + "players.give_up_after=4m"},
		{outcome.Players{Losses: outcome.Losses{Failed: 5, Expired: 6, Bots: 7}}, nil, longer + "states.warmbody.for=20s"},
		{outcome.Players{Losses: outcome.Losses{Bots: 11}}, func(c *config.Config) { c.States.WarmbodyFor = 13 * time.Hour }, chance}, // 26h is above the limit of the key
		{outcome.Players{Losses: outcome.Losses{Bots: 11}}, func(c *config.Config) { c.States.WarmbodyFor = 0 }, chance},              // twice 0 changes nothing
		{outcome.Players{Losses: outcome.Losses{Failed: 30, Declined: &declined}}, nil, declines},
		{outcome.Players{Losses: outcome.Losses{Rejected: 40}}, nil, chance}, // no rules reject them
		{outcome.Players{Losses: outcome.Losses{Rejected: 40}}, rules, validate},
		{outcome.Players{Losses: outcome.Losses{Expired: 40}}, rules, longer + "players.give_up_after=4m"},
		{outcome.Players{Losses: outcome.Losses{Expired: 1001}}, rules, validate}, // more than half
		{outcome.Players{Losses: outcome.Losses{Failed: 11}}, func(c *config.Config) { c.External.Matcher = "replay:log" }, ""},
	} {
		c := config.Default()
		if test.change != nil {
			test.change(c)
		}
		if got := nextOf(day(test.lost), c, "d", ""); got != test.want {
			t.Errorf("%+v:\ngot  %q\nwant %q", test.lost, got, test.want)
		}
	}
}

func TestNextChange(t *testing.T) {
	const (
		half   = "What if half as many play? mmsim compare d/config.yaml --set-b dataset.scale="
		sooner = "Do players wait less if they settle for a higher RTT sooner? mmsim compare d/config.yaml --set-b states.ideal.for="
	)
	for _, test := range []struct {
		change func(s *outcome.Summary, c *config.Config)
		want   string
	}{
		{func(*outcome.Summary, *config.Config) {}, sooner + "7s"},
		{func(_ *outcome.Summary, c *config.Config) { c.States.IdealFor = 1500 * time.Millisecond }, sooner + "1.05s"},
		{func(s *outcome.Summary, _ *config.Config) { s.RTT.P90 = 100.1 }, "Is RTT better if players wait longer for it? mmsim compare d/config.yaml --set-b states.ideal.for=20s"},
		{func(s *outcome.Summary, _ *config.Config) { s.RTT.P90, s.WaitFirst.P90 = 100.1, 30.1 }, sooner + "7s"}, // both poor
		{func(_ *outcome.Summary, c *config.Config) { c.States.IdealFor = 0 }, half + "0.5"},
		{func(s *outcome.Summary, c *config.Config) { s.States, c.Dataset.Scale = outcome.States{}, 0.05 }, half + "0.025"},
		{func(s *outcome.Summary, _ *config.Config) { s.Queues = make(outcome.QueueList, 2) }, half + "0.5"},
		{func(s *outcome.Summary, _ *config.Config) { s.Complete = false }, ""},
		{func(s *outcome.Summary, _ *config.Config) { s.Players.Joins = 0 }, ""},
	} {
		s, c := day(outcome.Players{}), config.Default()
		s.Replications = &outcome.Replications{Runs: 3}
		test.change(s, c)
		if got := nextOf(s, c, "d", ""); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}

// Next names a gate only if check accepts it for the result.
func TestNextGate(t *testing.T) {
	dir := t.TempDir()
	given, name := filepath.Join(dir, "mmsim.yaml"), filepath.Join(dir, GateFile)
	chance := "How much of this is chance? mmsim run --config -d/config.yaml --runs 8 --out -d-runs"
	for text, want := range map[string]string{
		"":                                         chance,
		"players.failed: {max: 1}\n":               "Do the limits hold? mmsim check ." + string(filepath.Separator) + "-d --gate " + name,
		"players.failed: {max_increase: 1}\n":      chance, // needs a baseline
		"players.fialed: {max: 1}\n":               chance,
		"by_datacenter.*.players: {max: 1}\n":      chance, // the result has no datacenter
		"players.failed: {max: 1}\nno gate at all": chance,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := nextOf(day(outcome.Players{}), config.Default(), "-d", given); got != want {
			t.Errorf("gate %q:\ngot  %q\nwant %q", text, got, want)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	for dir, out := range map[string]string{".": "mmsim-runs", "..": "mmsim-runs", "a/b/": "a/b-runs", "/": "mmsim-runs"} {
		want := "How much of this is chance? mmsim run --config " + filepath.Join(dir, ConfigFile) + " --runs 8 --out " + filepath.FromSlash(out)
		if got := nextOf(day(outcome.Players{}), config.Default(), dir, given); got != want {
			t.Errorf("result in %s:\ngot  %q\nwant %q", dir, got, want)
		}
	}
}
