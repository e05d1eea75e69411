package experiment

import (
	"slices"
	"testing"
)

// blockChecker checks that no match has two players of whom one blocks the other. It ignores all
// other rules.
type blockChecker struct {
	column  string
	ignores bool // violations are only counted
	pairs   int  // number of pairs of players that were compared
	blocked int  // number of these pairs in which one blocks the other
}

func (c *blockChecker) complete(bool) bool { return false }

func (c *blockChecker) check(m *checkedGroup) (wrong violations) {
	var all []checkedPlayer
	for _, t := range m.tickets {
		all = append(all, t.players...)
	}
	if m.session != nil {
		for _, t := range m.session.tickets {
			all = append(all, t.players...)
		}
	}
	for _, a := range all {
		blocked, _ := a.attributes[c.column].([]string) // an empty list is missing
		for _, b := range all {
			if c.pairs++; !slices.Contains(blocked, b.attributes["player_id"].(string)) {
				continue
			}
			if c.blocked++; !c.ignores {
				wrong.add("%v blocks %v", a.attributes["player_id"], b.attributes["player_id"])
			}
		}
	}
	return wrong
}

// A column with lists of player ids acts in a day for every vendor that has block lists: in new
// matches, in matches that take more tickets, and for parties. Captured scenes keep its effect.
// Under a name that the rules do not read, the same column has no effect.
func TestBlockedPlayersInADay(t *testing.T) {
	accelbyte := `{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 2, "player_max_number": 4}, "auto_backfill": true}`
	flexmatch := `{"ruleLanguageVersion": "1.0",
		"playerAttributes": [{"name": "blocked_players", "type": "string_list", "default": []}],
		"teams": [{"name": "red", "minPlayers": 2, "maxPlayers": 4}, {"name": "blue", "minPlayers": 2, "maxPlayers": 4}],
		"rules": [{"name": "blocks", "type": "collection", "operation": "reference_intersection_count",
			"measurements": ["flatten(teams[*].players.attributes[blocked_players])"],
			"referenceValue": "flatten(teams[*].players[playerId])", "maxCount": 0}]}`
	for _, c := range []struct {
		name, rules, column string
		settings            []string
	}{
		{"AccelByte's service", accelbyte, "blocked_players", nil},
		{"AccelByte's documentation", accelbyte, "blocked_players", []string{"matcher.follow=page"}},
		{"AccelByte, by datacenter", accelbyte, "blocked_players", []string{"placement=datacenters"}},
		{"FlexMatch", flexmatch, "blocked_players", nil},
		{"a column that no rule reads", accelbyte, "avoid", nil},
	} {
		settings := append([]string{"placement=pool"}, c.settings...)
		day := recheckDay{rules: c.rules, seed: 7, rate: 0.4, hours: 0.5, settings: settings, blocks: c.column}
		checker := &blockChecker{column: c.column, ignores: c.column == "avoid"}
		r := day.run(t, c.name, func(*checkContext) ruleChecker { return checker })
		if r.matches < 50 || checker.pairs < 1000 {
			t.Errorf("%s: got %d matches and %d pairs of players, want at least 50 and 1000", c.name, r.matches, checker.pairs)
		}
		if checker.ignores && checker.blocked == 0 {
			t.Errorf("%s: got no match of two players of whom one blocks the other, want some", c.name)
		}
	}
}
