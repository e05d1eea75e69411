package experiment

import (
	"fmt"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher"
)

// These are the numbers of random rulesets for each vendor and placement. They are large enough
// to notice if the engine ignored any rule.
const (
	recheckPlayFab   = 16
	recheckAccelByte = 12
	recheckFlexMatch = 5
)

// skipWhenShort skips a test of a single goroutine of its own, which the race detector can find nothing in
// and makes ten times as long.
func skipWhenShort(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes with the race detector")
	}
}

// On small days with random queues, no match violates a rule, the engine misses no possible
// match, and captured scenes give the same results when they are replayed.
func TestRecheckPlayFab(t *testing.T) {
	skipWhenShort(t)
	for _, placement := range []string{config.PlacementPool, config.PlacementDatacenters} {
		t.Run(placement, func(t *testing.T) {
			t.Parallel()
			total := recheck{t: t}
			for seed := range uint64(recheckPlayFab) {
				d := rulesetsOf(seed)
				day := smallDay(d, seed, placement)
				day.rules = written(t, d.playFab())
				day.settings = append(day.settings, "matcher.expansion_basis="+matcher.ExpansionBasis(d.IntN(2)).String(), "matcher.optional_basis="+matcher.OptionalBasis(d.IntN(2)).String())
				if d.one(0.5) {
					day.settings = append(day.settings, someParties)
				}
				total.add(day.run(t, "playfab", playFabChecker(t, day.rules)))
			}
			total.enough()
		})
	}
}

// What TestRecheckPlayFab checks also holds for random AccelByte rulesets.
func TestRecheckAccelByte(t *testing.T) {
	skipWhenShort(t)
	for _, run := range []struct{ placement, follow string }{
		{config.PlacementPool, "service"}, {config.PlacementDatacenters, "service"}, {config.PlacementPool, "page"}, {config.PlacementDatacenters, "page"},
	} {
		placement := run.placement
		t.Run(placement+" "+run.follow, func(t *testing.T) {
			t.Parallel()
			total, lenient := recheck{t: t}, 0
			for seed := range uint64(recheckAccelByte) {
				d := rulesetsOf(seed)
				day := smallDay(d, seed, placement)
				duels := d.one(0.4)
				day.rules = written(t, d.accelByte(duels))
				if !duels && d.one(0.5) {
					day.settings = append(day.settings, someParties)
				}
				day.settings = append(day.settings, "matcher.follow="+run.follow)
				s, newChecker := accelByteCheckerOf(t, day.rules, run.follow == "service")
				total.add(day.run(t, "accelbyte", newChecker))
				lenient += s.lenient
			}
			total.enough()
			if lenient > 0 && (placement != config.PlacementPool || run.follow == "page") {
				t.Errorf("got %d matches of tickets that reached no region, want none", lenient)
			}
			if placement == config.PlacementPool && total.backfills < 100 {
				t.Error("got fewer than 100 backfills, want more for the test to be conclusive")
			}
		})
	}
}

// What TestRecheckPlayFab checks also holds for a busier day with matches of five against five,
// and with rulesets like those of real games.
func TestRecheckFiveAgainstFive(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode, because it simulates many matches")
	}
	t.Parallel()
	for vendor, test := range map[string]struct {
		rules   string
		checker func(*testing.T, string) func(*checkContext) ruleChecker
	}{
		"playfab": {`{"Name": "fives", "MinMatchSize": 8, "MaxMatchSize": 10,
			"Teams": [{"Name": "red", "MinTeamSize": 4, "MaxTeamSize": 5}, {"Name": "blue", "MinTeamSize": 4, "MaxTeamSize": 5}],
			"DifferenceRules": [{"Name": "skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 100, "MergeFunction": "Average",
				"AttributeNotSpecifiedBehavior": "MatchAny", "LinearExpansion": {"Delta": 50, "Limit": 600, "SecondsBetweenExpansions": 5}}],
			"RegionSelectionRule": {"Name": "region", "Path": "latencies", "MaxLatency": 10,
				"LinearExpansion": {"Delta": 5, "Limit": 100, "SecondsBetweenExpansions": 5}},
			"TeamSizeBalanceRule": {"Name": "even", "Difference": 0},
			"TeamDifferenceRules": [{"Name": "fair", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 60, "DefaultAttributeValue": 1500}]}`, playFabChecker},
		"accelbyte": {`{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 5, "player_max_number": 5},
			"alliance_flexing_rule": [{"duration": 20, "min_number": 2, "max_number": 2, "player_min_number": 3, "player_max_number": 5}],
			"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 100}],
			"flexing_rule": [{"duration": 8, "attribute": "mmr", "criteria": "distance", "reference": 200},
				{"duration": 16, "attribute": "mmr", "criteria": "distance", "reference": 400}],
			"match_options": {"options": [{"name": "build", "type": "all"}, {"name": "packs", "type": "any"}]},
			"region_latency_initial_range_ms": 10, "region_expansion_range_ms": 5, "region_expansion_rate_ms": 5000, "region_latency_max_ms": 100,
			"auto_backfill": true}`, accelByteChecker},
		"accelbyte by the page": {`{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 4, "player_max_number": 5},
			"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}],
			"region_latency_initial_range_ms": 10, "region_expansion_range_ms": 5, "region_expansion_rate_ms": 5000, "region_latency_max_ms": 100,
			"auto_backfill": true}`, accelBytePageChecker},
	} {
		for _, placement := range []string{config.PlacementPool, config.PlacementDatacenters} {
			t.Run(vendor+" in "+placement, func(t *testing.T) {
				t.Parallel()
				day := &recheckDay{seed: 5, rate: 3, hours: 1, rules: test.rules, settings: []string{
					"placement=" + placement, someParties, "players.give_up_after=40s",
					"states={ideal: {rtt: 8ms, for: 12s}, expand: {rtt: 15ms, for: 12s}, warmbody: {for: 12s}}",
				}}
				dialect, _, page := strings.Cut(vendor, " by the ")
				if page {
					day.settings = append(day.settings, "matcher.follow=page")
				}
				r := day.run(t, dialect, test.checker(t, day.rules))
				if t.Logf("%d matches, %d backfills, %d scenes with %d outcomes", r.matches, r.backfills, r.scenes, r.replayed); r.matches < 1000 || r.replayed == 0 {
					t.Errorf("got %d matches and %d replayed scenes, want at least 1000 and 1", r.matches, r.replayed)
				}
			})
		}
	}
}

// The service accepts any region for tickets that no region accepts. Such matches do not
// violate its rules. The test counts them.
func TestRecheckAllowsRegionsThatNobodyAccepts(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode, because a day takes seconds")
	}
	day := &recheckDay{seed: 6, rate: 1, hours: 1, settings: []string{"placement=pool", "players.give_up_after=60s"},
		rules: `{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1},
			"region_latency_initial_range_ms": 2, "region_expansion_range_ms": 2, "region_latency_max_ms": 6}`}
	s, newChecker := accelByteCheckerOf(t, day.rules, true)
	if day.run(t, "accelbyte", newChecker); s.lenient == 0 {
		t.Error("got no match of a ticket that reached no region, want some")
	} else {
		t.Logf("%d matches of tickets that reached no region", s.lenient)
	}
}

const someParties = "players.parties={1: 0.7, 2: 0.2, 3: 0.1}"

// smallDay returns half an hour with few players.
func smallDay(d rulesets, seed uint64, placement string) *recheckDay {
	day := &recheckDay{seed: seed, rate: 0.2 + 0.6*d.Float64(), hours: 0.5, settings: []string{
		"placement=" + placement, fmt.Sprintf("players.give_up_after=%ds", 20+d.IntN(60)),
		"states={ideal: {rtt: 8ms, for: 12s}, expand: {rtt: 15ms, for: 12s}, warmbody: {for: 12s}}",
	}}
	if d.one(0.3) {
		day.settings = append(day.settings, "clock.warmup=10m")
	}
	if d.one(0.3) && placement == config.PlacementPool {
		day.settings = append(day.settings, "regions={west: [madrid, london]}")
	}
	return day
}

func playFabChecker(t *testing.T, rules string) func(*checkContext) ruleChecker {
	q, err := readPlayFab(rules)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *checkContext) ruleChecker {
		q.checkContext = c
		return q
	}
}

func accelByteChecker(t *testing.T, rules string) func(*checkContext) ruleChecker {
	_, newChecker := accelByteCheckerOf(t, rules, true)
	return newChecker
}

func accelBytePageChecker(t *testing.T, rules string) func(*checkContext) ruleChecker {
	_, newChecker := accelByteCheckerOf(t, rules, false)
	return newChecker
}

// accelByteCheckerOf returns a checker and its ruleset. The checker follows the released
// service or its documentation.
func accelByteCheckerOf(t *testing.T, rules string, service bool) (*abRuleset, func(*checkContext) ruleChecker) {
	s, err := readAccelByte(rules)
	if err != nil {
		t.Fatal(err)
	}
	s.service = service
	return s, func(c *checkContext) ruleChecker {
		s.checkContext = c
		return s
	}
}

// add adds the counts of another recheck.
func (r *recheck) add(other *recheck) {
	r.matches += other.matches
	r.backfills += other.backfills
	r.looked += other.looked
	r.expired += other.expired
	r.scenes += other.scenes
	r.replayed += other.replayed
}

// enough fails the test if it checked too little.
func (r *recheck) enough() {
	r.t.Logf("%d matches, %d backfills, %d groups left over, %d tickets gave up, %d scenes with %d outcomes",
		r.matches, r.backfills, r.looked, r.expired, r.scenes, r.replayed)
	if r.matches < 1000 || r.looked < 1000 || r.replayed < 25 {
		r.t.Error("the days are too quiet to tell")
	}
}
