package experiment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// The steps of a queue are the states with their times, and the waits at which the vendor's documents
// say that rules are relaxed.
func TestSteps(t *testing.T) {
	const s = sim.Second
	start := setup.Step{Opens: "as at the start"}
	states := []setup.Step{{Opens: "IDEAL", State: sim.StateIdeal}, {After: 3 * s, Opens: "EXPAND", State: sim.StateExpand}, {After: 7500, Opens: "WARMBODY", State: sim.StateWarmBody}}
	playfab := `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "DifferenceRules": [
		{"Name": "Skill", "Attribute": {"Path": "mmr", "Source": "User"}, "Difference": 100, "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1, "SecondsUntilOptional": 45,
		"LinearExpansion": {"Delta": 50, "Limit": 200, "SecondsBetweenExpansions": 10}}]}`
	// AccelByte's service relaxes a rule after its duration.
	accelbyte := `{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}, "region_expansion_rate_ms": 3600000,
		"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 200}],
		"flexing_rule": [{"duration": 15, "attribute": "mmr", "criteria": "distance", "reference": 300}]}`
	skill := []setup.Step{start, {After: 10 * s, Opens: "Skill step 1"}, {After: 20 * s, Opens: "Skill step 2"}, {After: 45 * s, Opens: "Skill optional"}}
	for name, test := range map[string]struct {
		rules    string
		settings []string
		want     []setup.Step
	}{
		"states":             {"", nil, states},
		"playfab":            {playfab, nil, skill},
		"give up before":     {playfab, []string{"players.give_up_after=15s"}, skill[:2]},
		"rules and states":   {playfab, []string{"placement=datacenters", "states.warmbody.for=1m"}, append(states[:3:3], skill...)},
		"accelbyte":          {accelbyte, nil, []setup.Step{start, {After: 15*s + 1, Opens: "matching_rule mmr step 1"}}},
		"nothing is relaxed": {`{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2}`, nil, nil},
	} {
		settings := append([]string{"dataset.builtin.joins=100", "states.ideal.for=3s", "states.expand.for=4500ms", "players.attributes={mmr: {normal: {mean: 1500, sd: 300}}}"}, test.settings...)
		if test.rules != "" {
			file := filepath.Join(t.TempDir(), "rules.json")
			if err := os.WriteFile(file, []byte(test.rules), 0o666); err != nil {
				t.Fatal(err)
			}
			settings = append(settings, "rules="+file)
		}
		r, err := inputsOf(t, settings...).Replication(0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, r.Setup().Queues[0].Steps); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
