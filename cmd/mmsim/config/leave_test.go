package config

import (
	"os"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/input"
)

// Players can be missing only from matches. A match that takes players does not end for everybody
// when one of them leaves. What is not set does not appear in the resolved configuration.
func TestLeave(t *testing.T) {
	t.Chdir(t.TempDir())
	flex := `{"ruleLanguageVersion": "1.0", "teams": [{"name": "all", "minPlayers": 2, "maxPlayers": 4}]}`
	if err := os.WriteFile("flex.json", []byte(flex), 0o666); err != nil {
		t.Fatal(err)
	}
	const leave = "match.leave.per_minute=0.01"
	for _, test := range []struct {
		settings []string
		want     string // "" for no error
	}{
		{[]string{leave, "match.leave={no_show: 1, notice: 24h, then: end, end_within: 0s}"}, ""},
		{[]string{"match.leave.no_show=1.1"}, `match.leave.no_show=1.1: got "1.1", expected a share from 0 to 1`},
		{[]string{"match.leave.per_minute=1"}, `got "1", expected a share of at least 0 and below 1`},
		{[]string{"match.leave.notice=25h"}, `got "25h", expected a duration from 0s to 24h`},
		{[]string{"match.leave.then=refill"}, `got "refill", expected short, backfill or end`},
		{[]string{leave, "match.leave.then=backfill"}, "match.leave.then=backfill: got backfill in a queue whose running matches take no players, expected short, end, or one of: a FlexMatch rule set with match.backfill: true, an AccelByte ruleset with auto_backfill, or an own matchmaker with external.backfill: true"},
		{[]string{leave, "rules=flex.json", "match.leave.then=backfill"}, "got backfill in a queue whose running matches take no players"},
		{[]string{leave, "rules=flex.json", "match.backfill=true", "match.leave.then=backfill"}, ""},
		{[]string{leave, "matcher.external=exec:cat", "match.leave.then=backfill"}, "got backfill in a queue whose running matches take no players"},
		{[]string{leave, "matcher.external=exec:cat", "external.backfill=true", "match.leave.then=backfill"}, ""},
		{[]string{"match.leave.minute=1"}, "unknown key"},
		{[]string{"players.dead_tickets=2"}, `got "2", expected a share from 0 to 1`},
		{[]string{"players.interrupted.again=2"}, `got "2", expected a share from 0 to 1`},
		{[]string{leave, "placement=servers"}, "got players who are missing from matches with placement servers, expected none"},
		{[]string{"players.dead_tickets=0.1", "placement=servers"}, "expected 0 with placement servers"},
		{[]string{leave, "rules=flex.json", "match.backfill=true", "match.leave.then=end"}, "got end with a ruleset that lets running matches take players"},
		{[]string{leave, "rules=flex.json", "match.backfill=true"}, ""},
		{[]string{leave, "rules=flex.json", "match.leave.then=end"}, ""},
		{[]string{"queues=[{name: a, share: 1, match: {leave: {no_show: 2}}}]"}, `queues[0].match.leave.no_show: got "2", expected a share from 0 to 1`},
	} {
		_, err := Load("", set(t, test.settings...))
		if test.want == "" {
			if err != nil {
				t.Errorf("%v: %v", test.settings, err)
			}
		} else if err == nil || !input.IsBad(err) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got error %v, want %s", test.settings, err, test.want)
		}
	}
	if missing := Default().Facts(false).Missing; missing {
		t.Error("got players who are missing from matches by default")
	}
}
