package reports

import (
	"math"
	"strings"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// rulesDay is a day under a ruleset as a designer meets it: most matches are made as
// the rules stand, nights are thin, and players of unusual skill wait and meet others
// far away from theirs.
func rulesDay() *result.Result {
	r := articleDay()
	s := &r.Summary
	s.States = outcome.States{}
	s.Players.Failed, s.Players.Expired, s.Players.Rejected = 0, 40_211, 310
	s.Matches = outcome.Matches{Count: 542_670, Players: 5_426_700, Fill: 0.9871, RepeatShare: 0.041}
	s.Attributes = outcome.Attributes{
		{Name: "level", Matches: 542_000, SpreadMean: 31, SpreadP95: 60},
		{Name: "mmr", Rules: []string{"skill", "teams"}, Matches: 542_600, SpreadMean: 212.4, SpreadP95: 480, TeamGapMean: 31.25},
	}
	s.Overlaps = outcome.Overlaps{
		{Name: "maps", Rules: []string{"maps"}, Matches: 542_000, SharedMean: 1.62, ShareAny: 0.998},
		{Name: "build", Rules: []string{"version"}, Matches: 542_000, SharedMean: 1, ShareAny: 1},
	}
	s.Rules = &outcome.Rules{
		Name: "ranked 5v5", Dialect: "playfab", Placement: "pool", ExpansionBasis: "longest", OptionalBasis: "all",
		Matches: 542_670, ShareRelaxed: 0.382, FillAtStart: 0.9871,
		Relaxation: outcome.Relaxations{
			{Name: "version", ShareRelaxed: 0, Stages: outcome.Parts{{Name: "0", Count: 542_670, Share: 1}}},
			{Name: "skill", ShareRelaxed: 0.301, Stages: outcome.Parts{{Name: "0", Count: 379_000, Share: 0.699}, {Name: "1", Count: 90_000, Share: 0.166}, {Name: "2", Count: 40_000, Share: 0.074}, {Name: "3", Count: 22_000, Share: 0.041}, {Name: "4", Count: 8_000, Share: 0.015}, {Name: "6", Count: 2_670, Share: 0.005}}},
			{Name: "latency", ShareRelaxed: 0.12, Stages: outcome.Parts{{Name: "0", Count: 477_000, Share: 0.88}, {Name: "1", Count: 48_800, Share: 0.09}, {Name: "optional", Count: 16_300, Share: 0.03}}},
			{Name: "maps", ShareRelaxed: 0.03, Stages: outcome.Parts{{Name: "0", Count: 526_000, Share: 0.97}, {Name: "optional", Count: 16_270, Share: 0.03}}},
		},
		Sizes:   outcome.Parts{{Name: "8", Count: 12_000, Share: 0.02211}, {Name: "9", Count: 46_000, Share: 0.08477}, {Name: "10", Count: 484_670, Share: 0.89312}},
		Layouts: outcome.Parts{{Name: "5v5", Count: 484_670, Share: 0.89312}, {Name: "5v4", Count: 46_000, Share: 0.08477}, {Name: "4v4", Count: 12_000, Share: 0.02211}},
		Refused: outcome.Parts{{Name: "too many players", Count: 310, Share: 1}},
		Expiry: outcome.Expiry{
			Tickets: 30_000, Players: 40_211, Explained: 30_000,
			ByRule: outcome.Parts{{Name: "skill", Count: 6_000, Share: 0.2}, {Name: "latency", Count: 21_360, Share: 0.712}},
			TooFew: outcome.Part{Count: 2_040, Share: 0.068}, Group: outcome.Part{Count: 600, Share: 0.02},
			Pairs: outcome.Pairs{Count: 4_000_000, ByRule: outcome.Parts{{Name: "skill", Count: 1_000_000, Share: 0.25}, {Name: "latency", Count: 2_900_000, Share: 0.725}}, MayMeet: outcome.Part{Count: 100_000, Share: 0.025}},
		},
	}
	for hour := range 24 {
		relaxed := 0.38 + 0.3*math.Cos(float64(hour-5)/24*2*math.Pi)
		s.Rules.ByHour = append(s.Rules.ByHour, outcome.RulesHour{Matches: outcome.Count(10_000 + 1000*hour), ShareRelaxed: outcome.RoundShare(relaxed), Furthest: outcome.Parts{
			{Name: "0", Count: 0, Share: outcome.RoundShare(1 - relaxed)}, {Name: "1", Count: 0, Share: outcome.RoundShare(relaxed / 2)}, {Name: "2-3", Count: 0, Share: outcome.RoundShare(relaxed / 4)}, {Name: "not_enforced", Count: 0, Share: outcome.RoundShare(relaxed / 4)},
		}})
	}
	d := outcome.AttributeDeciles{Name: "mmr"}
	for i := range 10 {
		off := math.Abs(float64(i) - 4.5)
		d.Deciles = append(d.Deciles, outcome.Decile{From: outcome.Value(1000 + 100*i), To: outcome.Value(1099 + 100*i), SpreadMean: outcome.RoundValue(150 + 20*off*off), Group: outcome.Group{
			Served: outcome.Served{Players: 542_670, Matches: 54_267, WaitMean: outcome.RoundSeconds(2 + off*off/2), WaitP95: outcome.RoundSeconds(8 + 3*off*off), RTTMean: 48, RTTP95: 110},
		}})
	}
	s.ByAttributeDecile = outcome.Deciles{d}
	s.QueueStatistics = &outcome.QueueStatistics{PlayersMatching: 9, Window: 300, TimeToMatch: outcome.TimeToMatch{Tickets: 812, Average: 4.2, P50: 2, P90: 11, P99: 40},
		WholeRun: outcome.TimeToMatch{Tickets: 4_800_000, Average: 5.1, P50: 3, P90: 12, P99: 60}, PlayersSee: []string{}}
	return r
}

func TestTextOfRules(t *testing.T) {
	golden(t, "text-rules.golden", Text(&rulesDay().Summary, false))
	r := rulesDay().Summary.Rules
	r.ShareRelaxed = 0
	if got := rulesInWords(r); got != "in no match" {
		t.Errorf("got %q", got)
	}
}

// Names out of somebody's data cannot write to the terminal.
func TestNameOf(t *testing.T) {
	for name, want := range map[string]string{"mmr": "mmr", "a\x1b[31m": `a\u001b[31m`, strings.Repeat("é", 40): strings.Repeat("é", 29) + "…"} {
		if got := words.Name(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for x, want := range map[outcome.Value]string{0: "0", 0.12345: "0.123", 31.25: "31.2", 212.4: "212", 1234567: "1,234,567", -31.25: "-31.2", 999.7: "1,000", 18: "18"} {
		if got := words.Digits(x); got != want {
			t.Errorf("%v: got %q, want %q", float64(x), got, want)
		}
	}
}
