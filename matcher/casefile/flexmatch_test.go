package casefile

import "testing"

// An explanation exists also for a ticket that violates a rule by itself, so that it cannot be in
// any group.
func TestExplainTicketThatBreaksARuleAlone(t *testing.T) {
	_, list := explain(t, `{"rules": {"name": "r", "ruleLanguageVersion": "1.0",
		"teams": [{"name": "all", "minPlayers": 2, "maxPlayers": 2}],
		"rules": [{"name": "near", "type": "latency", "maxLatency": 100}]},
		"at": 4, "tickets": [
		{"id": "far", "created_at": 0, "players": [{"id": "a", "latencies": {"eu": 500}}]},
		{"id": "near", "created_at": 1, "players": [{"id": "b", "latencies": {"eu": 50}}]}]}`)
	for _, e := range list {
		if len(e.Others) != 1 || e.Others[0].Rule != "near" {
			t.Errorf("%s: got %+v, want one entry, with rule near", e.Ticket, e.Others)
		}
	}
}
