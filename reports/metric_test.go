package reports

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leavesOf lists the numbers of decoded JSON by their path: the twin of Numbers, which
// knows neither types nor order.
func leavesOf(path string, v any) map[string]float64 {
	found := map[string]float64{}
	add := func(key string, v any) {
		for name, x := range leavesOf(strings.TrimPrefix(path+"."+key, "."), v) {
			found[name] = x
		}
	}
	switch v := v.(type) {
	case float64:
		found[path] = v
	case map[string]any:
		for key, member := range v {
			add(key, member)
		}
	case []any:
		for i, item := range v {
			add(fmt.Sprint(i), item)
		}
	}
	return found
}

// Every number of summary.json has a name by which it can be compared and gated,
// except what says which run it is, limits, instants and positions.
func TestNumbersAreThoseOfTheJSON(t *testing.T) {
	for i, r := range append([]*Result{articleDay(), syntheticResult(24, 29, 1_000_000)}, worlds()[3].Result) {
		text, err := json.Marshal(&r.Summary)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"schema", "run", "thresholds_ms", "replications"} {
			delete(tree, key)
		}
		want := leavesOf("", tree)
		for name := range want {
			if strings.HasSuffix(name, ".latitude") || strings.HasSuffix(name, ".longitude") || strings.HasSuffix(name, ".peak_at_s") {
				delete(want, name)
			}
		}
		got := map[string]float64{}
		for _, n := range r.Summary.Numbers() {
			x := n.Value
			if math.IsNaN(x) { // nobody: 0 in the file
				x = 0
			}
			if _, twice := got[n.Name]; twice {
				t.Errorf("result %d: %s stands there twice", i, n.Name)
			}
			got[n.Name] = x
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("result %d (-json +numbers):\n%s", i, diff)
		}
	}
}

// A block that this version does not know of yet has names as soon as it is there.
func TestNumbersOfAnyBlock(t *testing.T) {
	var f flattener
	type server struct {
		Name  string `json:"-"`
		Seats Count  `json:"seats"`
	}
	block := struct {
		Servers  []server           `json:"servers"`
		Reasons  map[string]float64 `json:"reasons"`
		Expiries uint64             `json:"expiries"`
		Wait     *WaitStats         `json:"wait_s"`
		none     int
	}{[]server{{"eu.west", 8}, {"", 4}}, map[string]float64{"b": 2, "a": 1}, 7, nil, 1}
	f.value("", reflect.ValueOf(block))
	want := []Number{{"servers.eu.west.seats", UnitNone, 8}, {"servers.1.seats", UnitNone, 4},
		{"reasons.a", UnitNone, 1}, {"reasons.b", UnitNone, 2}, {"expiries", UnitNone, 7}}
	if diff := cmp.Diff(want, f.numbers); diff != "" {
		t.Error(diff)
	}
}

// Nobody's mean is not 0.
func TestNumbersOfNobody(t *testing.T) {
	s := &Summary{ByContinent: Groups{{Name: "AN"}}}
	for _, n := range s.Numbers() {
		if n.Name == "by_continent.AN.wait_mean_s" && !math.IsNaN(n.Value) || n.Name == "players.failed" && n.Value != 0 {
			t.Errorf("%s is %g", n.Name, n.Value)
		}
	}
}

func TestBetterOf(t *testing.T) {
	for better, names := range map[Better][]string{
		BetterLower: {"servers.metrics.age_difference.p90", "wait_s.p95", "wait_first_s.mean", "rtt_ms.max", "delta_rtt_ms.p50", "rtt_estimate_ms.mean",
			"by_datacenter.sao.paulo.rtt_p95_ms", "by_hour.3.wait_mean_s", "by_continent.EU.failed", "players.expired",
			"attributes.mmr.spread_mean", "matches.repeat_share", "ccu.searching_mean", "states.warmbody.share"},
		BetterHigher: {"servers.preferred_player_match_ratio", "servers.metrics.common_language_ratio.avg", "rtt_ms.share_le_50", "wait_s.share_zero", "matches.fill"},
		BetterNot: {"servers.opened", "servers.metrics.age_difference.count", "servers.metrics.occupancy_ratio.avg", "failed_wait_s.mean", "bots_wait_s.p95", "wait_s.count", "players.matched", "ccu.peak", "states.ideal.share",
			"states.ideal.wait_mean_s", "rtt_ms.share_le_ideal", "latency.share_map", "by_hour.3.players", "by_attribute_decile.mmr.0.from"},
	} {
		for _, name := range names {
			if got := BetterOf(name); got != better {
				t.Errorf("%s: got %q, want %q", name, got, better)
			}
		}
	}
	numbers := slices.Concat(syntheticResult(24, 3, 1000).Summary.Numbers(), serversDay().Summary.Numbers(), rulesDay().Summary.Numbers(),
		(&Summary{Queues: QueueList{{Name: "ranked", Rules: &Rules{}}}}).Numbers())
	for _, pattern := range headline {
		known := slices.ContainsFunc(numbers, func(n Number) bool { return MatchName(pattern, n.Name) })
		if !known {
			t.Errorf("the headline has %s, which no summary has", pattern)
		}
	}
}

func TestMatchName(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"wait_s.p95", "wait_s.p95", true}, {"wait_s.p95", "wait_s.p9", false}, {"wait_s", "wait_s.p95", false},
		{"by_datacenter.*.rtt_p95_ms", "by_datacenter.sao.paulo.rtt_p95_ms", true},
		{"by_datacenter.*.rtt_p95_ms", "by_datacenter.rtt_p95_ms", false},
		{"*", "anything", true}, {"*.p95", "wait_s.p95", true}, {"*.p95", "wait_s.p95_s", false},
		{"by_*.*.failed", "by_hour.3.failed", true}, {"by_*.*.failed", "by_hour.failed", false},
		{"a*a", "a", false}, {"a*a", "aa", true}, {"**", "", true},
	} {
		if got := MatchName(test.pattern, test.name); got != test.want {
			t.Errorf("%s on %s: got %v", test.pattern, test.name, got)
		}
	}
}
