package accelbyte

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Dialect returns the dialect of AccelByte rulesets.
func Dialect() vendor.Dialect {
	return vendor.Dialect{Name: "accelbyte", Title: "an AccelByte ruleset", Recognises: Recognises, Split: split, Compile: compileRules}
}

// compileRules compiles a ruleset.
func compileRules(root jsontree.Value, o vendor.CompileOptions) (*vendor.CompiledRules, error) {
	set, warnings, err := compile(root, o)
	if err != nil {
		return nil, err
	}
	return &vendor.CompiledRules{Description: set.describe(), Warnings: warnings, Lint: set.Lint, Differences: set.differences(), Follow: o.Follow, Queue: set.capabilities()}, nil
}

func (r *Ruleset) describe() string {
	pivot := r.Rules.Pivot
	teams := pivot.Sizes[0]
	return fmt.Sprintf("AccelByte ruleset, %s of %s, %s, %s", jsontree.Range(teams.MinTeams, teams.MaxTeams, "team"),
		jsontree.Range(teams.MinPlayers, teams.MaxPlayers, "player"),
		jsontree.Count(len(pivot.Distances), "matching rule"), jsontree.Count(len(pivot.Options), "match option"))
}

// capabilities returns what the ruleset requires and what it can do. A player without latencies may
// be matched in any region.
func (r *Ruleset) capabilities() *vendor.Queue {
	return &vendor.Queue{
		Rules: r.Rules, Schema: r.Schema,
		PicksRegion: r.HasRegionRule(), ReadsLatencies: true,
		NumberedTeams: true,
		Reads:         r.Reads(),
		CheckSize:     r.CheckSize,
		Player: func(id string, attributes, _ jsontree.Value) (matcher.Player, error) {
			return r.Player(id, attributes), nil
		},
		Whole:    r.Values,
		OfTicket: r.ofTicket,
	}
}
