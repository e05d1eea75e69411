package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"mmsim/reports/outcome"
)

// Relaxations of 30 s and later act: by default, because such rulesets wait in a pool, and in the
// datacenters' queues, because a search lasts as long there. Only an explicit time in WARMBODY ends
// searches earlier, and the results say which rule kept the tickets apart.
func TestLateRelaxationsAct(t *testing.T) {
	for name, test := range map[string]struct {
		rules     string
		mostFail  float64 // share of searches that may end without a match
		keptApart string  // main reason for failures if searches are short
	}{
		// From AccelByte's page: 5 against 5, and 3 against 3 after 60 s.
		"flexing alliance": {`{"auto_backfill": true, "alliance": {"min_number": 2, "max_number": 2, "player_min_number": 5, "player_max_number": 5},
			"alliance_flexing_rule": [{"duration": 60, "min_number": 2, "max_number": 2, "player_min_number": 3, "player_max_number": 5}]}`, 0.02, ""},
		// From AccelByte's page: 25 players whose MMRs differ by 200, and by up to 500 after 45 s.
		"25 players": {`{"auto_backfill": true, "alliance": {"min_number": 1, "max_number": 1, "player_min_number": 25, "player_max_number": 25},
			"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}],
			"flexing_rule": [{"duration": 15, "attribute": "mmr", "criteria": "distance", "reference": 300},
				{"duration": 30, "attribute": "mmr", "criteria": "distance", "reference": 400},
				{"duration": 45, "attribute": "mmr", "criteria": "distance", "reference": 500}]}`, 0.2, ""},
		// Hardly two players are so close, until the rule is optional after 45 s.
		"optional": {`{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"},
			"Difference": 0.001, "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1, "SecondsUntilOptional": 45}]}`, 0.001, "Skill"},
	} {
		file := filepath.Join(t.TempDir(), "rules.json")
		if err := os.WriteFile(file, []byte(test.rules), 0o666); err != nil {
			t.Fatal(err)
		}
		measured := func(settings ...string) *outcome.Summary {
			in := inputsOf(t, append([]string{"dataset.builtin.joins=40000", "clock.duration=1h", "clock.warmup=30m", "rules=" + file,
				"players.attributes={mmr: {normal: {mean: 1500, sd: 300, min: 0}}}"}, settings...)...)
			r, err := in.Replication(0)
			if err != nil {
				t.Fatal(err)
			}
			result, err := r.Measure(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return &result.Summary
		}
		unmatched := func(s *outcome.Summary) float64 {
			lost := float64(s.Players.Failed + s.Players.Expired)
			return lost / (lost + float64(s.Players.Matched))
		}
		pool, long, short := measured(), measured("placement=datacenters"), measured("placement=datacenters", "states.warmbody.for=10s")
		if unmatched(pool) > test.mostFail || pool.Rules.Placement != "pool" {
			t.Errorf("%s: %.3f of searches fail with placement %s, want at most %g in a pool", name, unmatched(pool), pool.Rules.Placement, test.mostFail)
		}
		if name != "25 players" && unmatched(long) > test.mostFail { // the datacenters divide the players into groups below 25
			t.Errorf("%s: %.3f of searches fail in the datacenters' queues, want at most %g", name, unmatched(long), test.mostFail)
		}
		if unmatched(short) < 2*unmatched(pool)+0.05 {
			t.Errorf("%s: %.3f of searches fail if they end after 30 s, want far more than %.3f in a pool", name, unmatched(short), unmatched(pool))
		}
		if e := &short.Rules.Expiry; float64(e.Tickets) != float64(short.Players.Failed) || e.Explained == 0 {
			t.Errorf("%s: %v tickets failed and %v have a reason, want %v and some", name, e.Tickets, e.Explained, short.Players.Failed)
		} else if test.keptApart != "" && outcome.PartNamed(e.ByRule, test.keptApart).Share < 0.95 {
			t.Errorf("%s: got reasons %+v, want at least 95 %% for %s", name, e, test.keptApart)
		}
	}
}
