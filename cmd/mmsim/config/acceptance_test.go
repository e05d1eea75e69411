package config

import (
	"os"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/input"
)

// Players can be asked to accept in every queue that makes matches. match.backfill is allowed only if
// the ruleset does not decide it.
func TestAcceptanceAndBackfill(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("queue.json", []byte(`{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("flex.json", []byte(`{"ruleLanguageVersion": "1.0", "teams": [{"name": "all", "minPlayers": 2, "maxPlayers": 4}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	const asks = "match.acceptance.required=true"
	for _, test := range []struct {
		settings []string
		want     string // "" for no error
	}{
		{[]string{asks}, ""},
		{[]string{asks, "placement=servers"}, "got true with placement servers, expected false: …"},
		{[]string{asks, "rules=queue.json", "placement=datacenters"}, ""},
		{[]string{asks, "rules=queue.json"}, ""}, // the default is a pool
		{[]string{asks, "matcher.external=exec:true"}, ""},
		{[]string{"queues=[{name: a, share: 1, match: {acceptance: {required: true}}}]"}, ""},
		{[]string{"match.acceptance.requeue=front"}, "match.acceptance.requeue"},
		{[]string{"match.acceptance.again=1.1"}, "match.acceptance.again"},
		{[]string{"match.backfill=true"}, "got true without rules, expected a ruleset (rules) that allows free seats in a match"},
		{[]string{"match.backfill=true", "rules=queue.json"}, "got true with a playfab ruleset, expected false: such a ruleset decides itself whether running matches take players"},
		{[]string{"match.backfill=true", "rules=flex.json"}, ""},
		{[]string{"queues=[{name: a, share: 1, rules: queue.json, placement: pool, match: {acceptance: {required: true}}}]"}, ""},
	} {
		_, err := Load("", set(t, test.settings...))
		if test.want == "" {
			if err != nil {
				t.Errorf("%v: %v", test.settings, err)
			}
			continue
		}
		if want, _ := strings.CutSuffix(test.want, "…"); err == nil || !input.IsBad(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got error %v, want %s", test.settings, err, test.want)
		}
	}
}
