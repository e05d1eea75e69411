package reports

import (
	"math"
	"strings"
	"testing"
)

// rulesDay is a day under a ruleset as a designer meets it: most matches are made as
// the rules stand, nights are thin, and players of unusual skill wait and meet others
// far away from theirs.
func rulesDay() *Result {
	r := articleDay()
	s := &r.Summary
	s.States = States{}
	s.Players.Failed, s.Players.Expired, s.Players.Rejected = 0, 40_211, 310
	s.Matches = Matches{Count: 542_670, Players: 5_426_700, Fill: 0.9871, RepeatShare: 0.041}
	s.Attributes = Attributes{
		{Name: "level", Matches: 542_000, SpreadMean: 31, SpreadP95: 60},
		{Name: "mmr", Rules: []string{"skill", "teams"}, Matches: 542_600, SpreadMean: 212.4, SpreadP95: 480, TeamGapMean: 31.25},
	}
	s.Overlaps = Overlaps{
		{"maps", []string{"maps"}, 542_000, 1.62, 0.998},
		{"build", []string{"version"}, 542_000, 1, 1},
	}
	s.Rules = &Rules{
		Name: "ranked 5v5", Dialect: "playfab", Placement: "pool", ExpansionBasis: "longest", OptionalBasis: "all",
		Matches: 542_670, ShareRelaxed: 0.382, FillAtStart: 0.9871,
		Relaxation: Relaxations{
			{"version", 0, Parts{{"0", 542_670, 1}}},
			{"skill", 0.301, Parts{{"0", 379_000, 0.699}, {"1", 90_000, 0.166}, {"2", 40_000, 0.074}, {"3", 22_000, 0.041}, {"4", 8_000, 0.015}, {"6", 2_670, 0.005}}},
			{"latency", 0.12, Parts{{"0", 477_000, 0.88}, {"1", 48_800, 0.09}, {"optional", 16_300, 0.03}}},
			{"maps", 0.03, Parts{{"0", 526_000, 0.97}, {"optional", 16_270, 0.03}}},
		},
		Sizes:   Parts{{"8", 12_000, 0.02211}, {"9", 46_000, 0.08477}, {"10", 484_670, 0.89312}},
		Layouts: Parts{{"5v5", 484_670, 0.89312}, {"5v4", 46_000, 0.08477}, {"4v4", 12_000, 0.02211}},
		Refused: Parts{{"too many players", 310, 1}},
		Expiry: Expiry{
			Tickets: 30_000, Players: 40_211, Explained: 30_000,
			ByRule: Parts{{"skill", 6_000, 0.2}, {"latency", 21_360, 0.712}},
			TooFew: Part{"", 2_040, 0.068}, Group: Part{"", 600, 0.02},
			Pairs: Pairs{Count: 4_000_000, ByRule: Parts{{"skill", 1_000_000, 0.25}, {"latency", 2_900_000, 0.725}}, MayMeet: Part{"", 100_000, 0.025}},
		},
	}
	for hour := range 24 {
		relaxed := 0.38 + 0.3*math.Cos(float64(hour-5)/24*2*math.Pi)
		s.Rules.ByHour = append(s.Rules.ByHour, RulesHour{Count(10_000 + 1000*hour), share(relaxed), Parts{
			{"0", 0, share(1 - relaxed)}, {"1", 0, share(relaxed / 2)}, {"2-3", 0, share(relaxed / 4)}, {"not_enforced", 0, share(relaxed / 4)},
		}})
	}
	d := AttributeDeciles{Name: "mmr"}
	for i := range 10 {
		off := math.Abs(float64(i) - 4.5)
		d.Deciles = append(d.Deciles, Decile{Value(1000 + 100*i), Value(1099 + 100*i), value(150 + 20*off*off), Group{
			Served: Served{Players: 542_670, Matches: 54_267, WaitMean: seconds(2 + off*off/2), WaitP95: seconds(8 + 3*off*off), RTTMean: 48, RTTP95: 110},
		}})
	}
	s.ByAttributeDecile = Deciles{d}
	s.QueueStatistics = &QueueStatistics{PlayersMatching: 9, Window: 300, TimeToMatch: TimeToMatch{812, 4.2, 2, 11, 40},
		WholeRun: TimeToMatch{4_800_000, 5.1, 3, 12, 60}, PlayersSee: []string{}}
	return r
}

func TestTextOfRules(t *testing.T) {
	golden(t, "text-rules.golden", rulesDay().Summary.Text(false))
	r := rulesDay().Summary.Rules
	r.ShareRelaxed = 0
	if got := r.inWords(); got != "in no match" {
		t.Errorf("got %q", got)
	}
}

// Names out of somebody's data cannot write to the terminal.
func TestNameOf(t *testing.T) {
	for name, want := range map[string]string{"mmr": "mmr", "a\x1b[31m": `a\u001b[31m`, strings.Repeat("é", 40): strings.Repeat("é", 29) + "…"} {
		if got := nameOf(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for x, want := range map[Value]string{0: "0", 0.12345: "0.123", 31.25: "31.2", 212.4: "212", 1234567: "1,234,567", -31.25: "-31.2", 999.7: "1,000", 18: "18"} {
		if got := inDigits(x); got != want {
			t.Errorf("%v: got %q, want %q", float64(x), got, want)
		}
	}
}
