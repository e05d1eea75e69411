package playfab

import (
	"fmt"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// compile compiles a queue. Each error and warning names the rule and the JSON member.
func compile(root jsontree.Value, options vendor.CompileOptions) (*Queue, []jsontree.Warning, error) {
	return vendor.Compile(root, bytesMax, options, jsontree.Format{}, func(problems *jsontree.Problems) *Queue {
		c := compiler{CompileOptions: options, problems: problems}
		q := c.queue(root)
		// A queue without errors should be valid. If it is not, report an error here rather than let the
		// engine panic.
		if problems.Count() == 0 {
			if err := q.Ruleset.Validate(); err != nil {
				problems.Errorf(root, "%v", err)
			}
		}
		return q
	})
}

// Recognises reports whether a JSON value looks like queues of this vendor.
func Recognises(root jsontree.Value) bool { return vendor.Wrapped(root, hasQueue) }

func hasQueue(v jsontree.Value) bool {
	return vendor.HasMember(v, "MatchmakingQueue", "MatchMakingQueues", "MinMatchSize", "MaxMatchSize")
}

// compiler holds the state of one call of compile.
type compiler struct {
	vendor.CompileOptions
	problems *jsontree.Problems
	current  *Queue       // queue that is being read
	seen     []ruleInFile // rules of the current queue that were already read
}

// ruleInFile identifies a rule by kind and name. Later rules are checked for conflicts with it.
type ruleInFile struct{ kind, name string }

// split lists the queues of a document. The document is a queue, a list of queues, or the body of an
// API call that contains queues. The body may be inside an HTTP response. That format is not
// documented, but users save it.
func split(root jsontree.Value, problems *jsontree.Problems) []vendor.Ruleset {
	var list []vendor.Ruleset
	vendor.Unwrap(root, jsontree.Value{}, hasQueue, func(v, _ jsontree.Value) {
		for _, q := range queuesOf(v, problems) {
			name, _ := q.Member("Name")
			list = append(list, vendor.Ruleset{Name: name.Text(), Value: q})
		}
	})
	return list
}

// queuesOf returns the queues in the body of an API call, or the value itself if it is a queue.
func queuesOf(v jsontree.Value, problems *jsontree.Problems) []jsontree.Value {
	queue, one := v.Member("MatchmakingQueue")
	several, ok := v.Member("MatchMakingQueues")
	if !one && !ok {
		return []jsontree.Value{v}
	}
	body, _ := problems.Object(v, "")
	if body.Ignore("CustomTags"); one {
		body.Ignore("MatchmakingQueue")
		body.Done()
		return []jsontree.Value{queue}
	}
	body.Ignore("MatchMakingQueues")
	body.Done()
	if len(several.Elements()) == 0 {
		problems.Errorf(several, "MatchMakingQueues: got %v without queues, expected a list of at least one queue", several)
	}
	return several.Elements()
}

// hasRule reports whether the current queue has a rule of a kind.
func (c *compiler) hasRule(kind string) bool {
	return slices.ContainsFunc(c.seen, func(r ruleInFile) bool { return r.kind == kind })
}

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
