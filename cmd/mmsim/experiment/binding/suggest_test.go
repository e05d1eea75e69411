package binding

import (
	"strings"
	"testing"

	"mmsim/cmd/mmsim/config"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// A suggestion has the numbers of the rules that read the attribute: three times the largest
// difference as the standard deviation, and the mean five times that or the rules' own default. It
// can be pasted as a flag of any command.
func TestSuggestions(t *testing.T) {
	playfab := func(rules string) string {
		return `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4, ` + rules + `}`
	}
	attribute := `"Name": "R", "Weight": 1, "Attribute": {"Path": "%", "Source": "User"}, "AttributeNotSpecifiedBehavior": "MatchAny"`
	with := func(path, rest string) string { return strings.Replace(attribute, "%", path, 1) + rest }
	flexmatch := func(attribute, rule string) string {
		return `{"ruleLanguageVersion": "1.0", "teams": [{"name": "all", "minPlayers": 2, "maxPlayers": 4}], "playerAttributes": [` + attribute + `], "rules": [` + rule + `]}`
	}
	for text, want := range map[string]string{
		playfab(`"DifferenceRules": [{` + with("mmr", `, "Difference": 40`) + `}]`):                                                                                                          "players.attributes.mmr={normal: {mean: 600, sd: 120}}",
		playfab(`"MatchTotalRules": [{` + with("load", `, "Min": 10, "Max": 30`) + `}]`):                                                                                                     "players.attributes.load={normal: {mean: 10, sd: 2}}", // 10 to 30 in a match of 2
		playfab(`"StringEqualityRules": [{` + with("build", "") + `}]`):                                                                                                                      "players.attributes.build={choice: {a: 0.9, b: 0.1}}",
		playfab(`"StringEqualityRules": [{` + with("$.a.b", "") + `}]`):                                                                                                                      "players.attributes={a.b: {choice: {a: 0.9, b: 0.1}}}",
		playfab(`"SetIntersectionRules": [{` + with("maps", `, "MinIntersectionSize": 2`) + `}]`):                                                                                            "players.attributes.maps={subset: {of: [item1, item2, item3], min: 2, max: 3}}",
		`{"alliance": {"min_number": 2, "max_number": 2, "player_min_number": 1, "player_max_number": 1}, "matching_rule": [{"attribute": "mmr", "criteria": "distance", "reference": 20}]}`: "players.attributes.mmr={normal: {mean: 300, sd: 60}}",
		flexmatch(`{"name": "skill", "type": "number", "default": 1000}`, `{"name": "Fair", "type": "distance", "measurements": ["avg(teams[*].players.attributes[skill])"], "referenceValue": "avg(flatten(teams[*].players.attributes[skill]))", "maxDistance": 20}`): "players.attributes.skill={normal: {mean: 1000, sd: 60}}",
		flexmatch(`{"name": "skill", "type": "number", "default": 10}`, `{"name": "Fair", "type": "batchDistance", "batchAttribute": "skill", "maxDistance": 500}`):                                                                                                     "players.attributes.skill={normal: {mean: 10, sd: 2}}",
	} {
		root, err := jsontree.Parse("rules.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := dialect.Of("", root)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := d.Compile(root, vendor.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		queue := rules.Queue
		got := Suggestion(queue.Reads[0], queue.Rules, queue.Schema)
		if got != "--set '"+want+"'" {
			t.Errorf("%s:\ngot  %s\nwant --set '%s'", text, got, want)
		}
		o, err := config.ParseOverride("set", want)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := config.Load("", []config.Override{o}); err != nil || len(c.Players.Attributes) != 1 {
			t.Errorf("%s: got error %v, want a configuration with one attribute", want, err)
		}
	}
}
