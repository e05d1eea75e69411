package config

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// The placement follows from who makes the matches, and the time in WARMBODY and the longest search
// from the placement.
func TestPlacementAndTimeInWarmbody(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"plain.json":  `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2}`,
		"region.json": `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "RegionSelectionRule": {"Name": "Near", "Path": "Latencies", "MaxLatency": 100, "Weight": 1}}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		settings         string
		placement        string
		warmbody, search time.Duration
		written          string // states.warmbody.for in the resolved configuration
	}{
		{"", "datacenters", 10 * time.Second, 30 * time.Second, "10s"},
		{"states.warmbody.for=auto", "datacenters", 10 * time.Second, 30 * time.Second, "10s"},
		{"players.give_up_after=10m", "datacenters", 10 * time.Second, 30 * time.Second, "10s"},
		{"rules=plain.json", "pool", 100 * time.Second, 120 * time.Second, "auto"},
		{"rules=region.json", "pool", 100 * time.Second, 120 * time.Second, "auto"},
		{"rules=plain.json placement=datacenters", "datacenters", 100 * time.Second, 120 * time.Second, "auto"},
		{"rules=plain.json placement=datacenters states.warmbody.for=10s", "datacenters", 10 * time.Second, 30 * time.Second, "10s"},
		{"rules=plain.json placement=datacenters states.warmbody.for=auto players.give_up_after=50s states.ideal.for=30s", "datacenters", 10 * time.Second, 50 * time.Second, "auto"},
		{"rules=plain.json placement=datacenters players.give_up_after=15s", "datacenters", 0, 20 * time.Second, "auto"},
		{"matcher.external=exec:mm placement=datacenters", "datacenters", 100 * time.Second, 120 * time.Second, "auto"},
	} {
		c, err := Load("", set(t, strings.Fields(test.settings)...))
		if err != nil {
			t.Fatal(err)
		}
		q := c.AllQueues()[0]
		if q.Placement != test.placement || c.WarmbodyFor(q) != test.warmbody || c.LongestSearch(q) != test.search {
			t.Errorf("%s: got placement %s, %v in WARMBODY and searches of %v, want %s, %v and %v",
				test.settings, q.Placement, c.WarmbodyFor(q), c.LongestSearch(q), test.placement, test.warmbody, test.search)
		}
		text, err := c.Resolved("")
		if err != nil || !strings.Contains(string(text), "warmbody:\n    for: "+test.written+"\n") {
			t.Errorf("%s: got configuration\n%s\nwith error %v, want %s in WARMBODY", test.settings, text, err, test.written)
		}
	}
}

func TestUnusedStates(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rules.json", []byte(`{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2}`), 0o666); err != nil {
		t.Fatal(err)
	}
	const why = "because no queue has the states IDEAL, EXPAND and WARMBODY (placement datacenters)"
	for _, test := range []struct {
		settings []string
		want     []string
	}{
		{[]string{"states.ideal.for=5s"}, nil},
		{[]string{"rules=rules.json"}, nil},
		{[]string{"placement=servers"}, nil},
		{[]string{"rules=rules.json", "placement=datacenters", "states.ideal.for=5s"}, nil},
		{[]string{"rules=rules.json", "states.ideal={rtt: 40ms, for: 5s}", "states.warmbody.for=20s"},
			[]string{"states.ideal.for, states.warmbody.for: not used, " + why, "states.ideal.rtt: used only to count and rate RTTs in reports, " + why}},
		{[]string{"placement=servers", "states.warmbody.then=bots"}, []string{"states.warmbody.then: not used, " + why}},
		{[]string{"states.expand.for=20s", "queues=[{name: a, share: 0.5, rules: rules.json}, {name: b, share: 0.5}]"}, nil},
		{[]string{"states.expand.for=20s", "queues=[{name: a, rules: rules.json}]"}, []string{"states.expand.for: not used, " + why}},
	} {
		c, err := Load("", set(t, test.settings...))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.UnusedStates(); !slices.Equal(got, test.want) {
			t.Errorf("%v: got warnings %q, want %q", test.settings, got, test.want)
		}
	}
}
