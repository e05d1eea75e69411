package main

import (
	"math"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/reports/outcome"
)

// The metrics that are listed before a run are those of its result. A run has no metrics of
// continents without players, and no stages of rules that no match needed.
func TestMetricsAreKnownBeforeARun(t *testing.T) {
	inputs := "../../scripts/equal/inputs/"
	for name, overrides := range map[string][]config.Override{
		"day.yaml":     {{Key: "latency.jitter.sd", Text: "3ms"}},
		"queues.yaml":  nil,
		"rules.yaml":   {{Key: "rules", Text: inputs + "playfab.json"}},
		"servers.yaml": {{Key: "rules", Text: inputs + "roblox.json"}},
	} {
		c, err := config.Load(inputs+name, append(overrides, config.Override{Key: "dataset.builtin.joins", Text: "4000"}))
		if err != nil {
			t.Fatal(err)
		}
		arms, err := experiment.LoadArms(experiment.NewCache(1), c)
		if err != nil {
			t.Fatal(err)
		}
		expected := arms[0].Inputs.Metrics()
		values := summariesOf(t, 1, c)[0][0].MetricValues()
		has := map[string]bool{}
		for _, v := range values {
			if math.IsNaN(v.Value) {
				v.Value = 0
			}
			known := false
			for _, m := range expected {
				if outcome.MatchName(m.Name, v.Name) {
					known, has[m.Name] = true, true
				}
			}
			if !known {
				t.Errorf("%s: a run has %s, which was not known", name, v.Name)
			}
		}
		for _, m := range expected {
			if !has[m.Name] && !strings.HasPrefix(m.Name, "by_continent.") && !strings.Contains(m.Name, "*") {
				t.Errorf("%s: a run has no %s", name, m.Name)
			}
		}
	}
}
