package playfab

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// Dialect returns the dialect of PlayFab queues.
func Dialect() vendor.Dialect {
	return vendor.Dialect{Name: "playfab", Title: "a PlayFab queue", Readings: readings, Recognises: Recognises, Split: split, Compile: compileRules}
}

// compileRules compiles a queue.
func compileRules(root jsontree.Value, o vendor.CompileOptions) (*vendor.CompiledRules, error) {
	q, warnings, err := compile(root, o)
	if err != nil {
		return nil, err
	}
	return &vendor.CompiledRules{Description: q.describe(), Warnings: warnings, Lint: q.Lint, Queue: q.capabilities()}, nil
}

func (q *Queue) describe() string {
	return fmt.Sprintf("PlayFab queue %s, %s, %s", q.Name,
		jsontree.Range(q.Ruleset.MinPlayers, q.Ruleset.MaxPlayers, "player"), jsontree.Count(len(q.Ruleset.Rules), "rule"))
}

// capabilities returns what the queue requires and what it can do.
func (q *Queue) capabilities() *vendor.Queue {
	return &vendor.Queue{
		Rules: q.Ruleset, Schema: q.Schema,
		PicksRegion: q.HasRegionRule(), ReadsLatencies: q.HasRegionRule(), NeedsLatencies: q.HasRegionRule(),
		WaitBases: true,
		Reads:     q.Reads(),
		CheckSize: q.CheckSize,
		Admission: q.admission,
		Player: func(_ string, attributes, entity jsontree.Value) (matcher.Player, error) {
			return q.Player(attributes, entity)
		},
		Statistics: &vendor.Statistics{
			WindowMS:    StatisticsWindowMS,
			ShowPlayers: q.ShowPlayers, ShowTimeToMatch: q.ShowTimeToMatch,
			Snapshot: func(nowMS int64, waiting int, matched []vendor.MatchedTicket) any {
				return q.Statistics(nowMS, waiting, matched)
			},
		},
	}
}
