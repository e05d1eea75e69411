package accelbyte

import (
	"fmt"
	"strings"
	"testing"

	"mmsim/matcher/dialect/vendor"
)

// The list of differences depends on the ruleset but not on CompileOptions.Follow.
func TestDifferences(t *testing.T) {
	for _, test := range []struct {
		members string
		want    []string // parts of the warnings, in order
	}{
		{``, []string{"rounds the creation times", "an attribute that is not in match_options", "blocked_player_option", "auto_backfill"}},
		{`"auto_backfill": true, "match_options_referred_for_backfill": true, "blocked_player_option": "blockedPlayerCanMatch"`, []string{"rounds the creation times", "when a session becomes full"}},
		{`"disable_bidirectional_latency_after_ms": -1, "rebalance_version": 2.0`, []string{"r.json:1:140: warning: the service and its documentation differ: disable_bidirectional_latency_after_ms: the service refuses",
			"rebalance_version: the service refuses", "creation times", "an attribute that is not in match_options", "blocked", "auto"}},
		{`"matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 5, "max": 9}, {"attribute": "mmr", "criteria": "distance", "reference": 7, "is_for_balancing": true}],
			"flexing_rule": [{"duration": 5, "attribute": "mmr", "criteria": "average", "reference": 1}]`,
			[]string{"matching_rule[0]: max: the service ignores", "matching_rule[1]: is_for_balancing: the service", "creation times", "flexing_rule: the service applies an entry when the wait exceeds",
				"tests the rule for neither ticket", "relaxes only the first of several rules", "an attribute that is not in match_options", "blocked", "auto"}},
		{`"match_options": {"options": [{"name": "a", "type": "any"}, {"name": "b", "type": "all"}, {"name": "c", "type": "unique"}, {"name": "d", "type": "disable"}]}`,
			[]string{"creation times", "options[0]: a candidate that the service admits narrows", "options[1]: the service admits a candidate that has more values", "options[2]: the service admits candidates that share a value", "an attribute that is not in match_options", "blocked", "auto"}},
		{`"region_latency_initial_range_ms": 50, "region_latency_max_ms": 100, "disable_bidirectional_latency_after_ms": 5`,
			[]string{"creation times", "an attribute that is not in match_options", "blocked", "adds the range to the latency", "region_expansion_rate_ms: the service expands", "without a region in range", "after this wait, the service ignores", "auto"}},
		{`"alliance_flexing_rule": [{"duration": 5, "min_number": 1, "max_number": 2, "player_min_number": 1, "player_max_number": 1}]`,
			[]string{"creation times", "alliance_flexing_rule: the service applies an entry", "ends the pass for all newer tickets", "an attribute that is not in match_options", "blocked", "auto"}},
	} {
		text := `{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}`
		if test.members != "" {
			text += ", " + test.members
		}
		set, _, err := read("r.json", []byte(text+"}"), vendor.CompileOptions{Follow: vendor.FollowPage})
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		list := set.differences()
		if len(list) != len(test.want) {
			t.Errorf("%s: got differences %q, want %q", test.members, list, test.want)
			continue
		}
		for i := range list {
			if !strings.Contains(list[i].String(), test.want[i]) {
				t.Errorf("%s: got difference %q, want one that contains %q", test.members, list[i], test.want[i])
			}
		}
	}
	parties, _, err := read("r.json", []byte(`{"alliance": {"min_number": 2, "max_number": 4, "player_min_number": 2, "player_max_number": 5}}`), vendor.CompileOptions{})
	if text := fmt.Sprint(parties.differences()); err != nil || strings.Count(text, "alliance: ") != 3 || !strings.Contains(text, "1000 divisions") {
		t.Errorf("got differences %s (error %v), want three of the alliance, one with 1000 divisions", text, err)
	}
}
