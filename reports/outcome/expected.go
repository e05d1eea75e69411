package outcome

import (
	"slices"
	"strconv"
)

// Facts has what decides about blocks of a result and columns of its rows.
type Facts struct {
	Jitter      bool // whether the RTT of a match may differ from its estimate
	Patience    bool // whether players may cancel a search
	Missing     bool // whether players can be missing from matches, or matches be cut short; see sim.Match.Seats
	Maintenance bool // whether one of the events is a maintenance
	Production  bool // whether a production log reports the run, so that nothing is simulated
	OverAll     bool // whether to compare RTTs with those to all datacenters, of which a chosen part is in use
}

// Expected describes runs before they are simulated. It determines which metrics they will have.
type Expected struct {
	Facts
	Datacenters, Continents []string
	Texts                   bool     // whether players.attributes has texts or lists
	Attributes              []string // names of the numeric attributes of players
	Queues                  []ExpectedQueue
	Servers                 bool // whether players are placed on servers
	Fleet                   bool // whether the run has a fleet of machines
	Events                  int  // number of events
	WaitLimits, RTTLimits   bool // whether report.limits sets them
	UnmatchedLimits         bool
	NamedSearches           bool // whether the rows of the file are searches and name their players
	SeasonDays              int  // number of days of the season, or 0 without one
}

// ExpectedQueue describes one queue of the expected runs.
type ExpectedQueue struct {
	Name       string
	Ruleset    bool
	Rules      []string
	Violations []string // rules that matches of an external matchmaker are checked against
	Statistics bool     // whether the vendor's service reports statistics of the queue
	External   bool     // whether an external matchmaker makes the matches
	Refills    bool     // whether other players take the seats of those who left a match
	Acceptance bool     // whether players must accept a match
}

// Metrics lists the metrics that the runs will have. A star replaces the key of a group that is
// known only after a run, such as a party size. If e is nil, Metrics lists those of all runs.
func (e *Expected) Metrics() []Metric {
	var list []Metric
	queues := []ExpectedQueue(nil)
	if e != nil {
		queues = e.Queues
	}
	e.metrics(schema(), nil, queues, &list)
	return list
}

// metrics adds the metrics of a node. keys has the keys that belong in place of the stars in names, and
// queues the queues that the metrics describe.
func (e *Expected) metrics(n *node, keys []string, queues []ExpectedQueue, list *[]Metric) {
	if !e.have(n, queues) {
		return
	}
	if n.isMetric {
		*list = append(*list, n.Metric.of(keys))
	}
	for _, m := range n.members {
		e.metrics(m, keys, queues, list)
	}
	if known := knownKeys[n.keys]; known != nil && e != nil {
		for i, key := range known(e, queues) {
			of := queues
			if n.keys == "queues" {
				of = queues[i : i+1]
			}
			item, stars := n.familyOf(key)
			e.metrics(item, slices.Concat(keys, stars), of, list)
		}
		return
	}
	for _, f := range n.items {
		_, stars := n.familyOf(f.keys)
		e.metrics(f.item, slices.Concat(keys, stars), queues, list)
	}
}

// conditions maps each condition that a struct tag `when` may name to a function that reports
// whether it is true. A tag may name several, separated by commas; runs have the metrics if all
// conditions are true. The parameter queues has the queues that the metrics describe: all queues,
// or the one queue that a block in queues is about.
var conditions = map[string]func(e *Expected, queues []ExpectedQueue) bool{
	"players on servers":                          func(e *Expected, _ []ExpectedQueue) bool { return e.Servers },
	"rows that are searches and have a player_id": func(e *Expected, _ []ExpectedQueue) bool { return e.NamedSearches },
	"a season":                             func(e *Expected, _ []ExpectedQueue) bool { return e.SeasonDays > 0 },
	"jitter or an event with latency":      func(e *Expected, _ []ExpectedQueue) bool { return e.Jitter },
	"a fleet (fleet.prices)":               func(e *Expected, _ []ExpectedQueue) bool { return e.Fleet },
	"a part of the datacenters in use":     func(e *Expected, _ []ExpectedQueue) bool { return e.OverAll },
	"players.patience":                     func(e *Expected, _ []ExpectedQueue) bool { return e.Patience },
	"report.limits for waits":              func(e *Expected, _ []ExpectedQueue) bool { return e.WaitLimits },
	"report.limits for RTTs":               func(e *Expected, _ []ExpectedQueue) bool { return e.RTTLimits },
	"report.limits for unmatched searches": func(e *Expected, _ []ExpectedQueue) bool { return e.UnmatchedLimits },
	"players missing from matches":         func(e *Expected, _ []ExpectedQueue) bool { return e.Missing },
	"events":                               func(e *Expected, _ []ExpectedQueue) bool { return e.Events > 0 },
	"a maintenance":                        func(e *Expected, _ []ExpectedQueue) bool { return e.Maintenance },
	"a production log":                     func(e *Expected, _ []ExpectedQueue) bool { return e.Production },
	"text attributes": func(e *Expected, _ []ExpectedQueue) bool { // a ruleset may use texts even if e.Texts is false
		return e.Texts || slices.ContainsFunc(e.Queues, func(q ExpectedQueue) bool { return q.Ruleset })
	},
	"several queues":         func(e *Expected, _ []ExpectedQueue) bool { return len(e.Queues) > 1 },
	"one queue":              func(e *Expected, _ []ExpectedQueue) bool { return len(e.Queues) == 1 },
	"a ruleset":              ofAQueue(func(q ExpectedQueue) bool { return q.Ruleset }),
	"refilled seats":         ofAQueue(func(q ExpectedQueue) bool { return q.Refills }),
	"acceptance of matches":  ofAQueue(func(q ExpectedQueue) bool { return q.Acceptance }),
	"an external matchmaker": ofAQueue(func(q ExpectedQueue) bool { return q.External }),
	"a vendor service that reports on the queue": ofAQueue(func(q ExpectedQueue) bool { return q.Statistics }),
}

// ofAQueue returns the condition that holds is true for at least one queue.
func ofAQueue(holds func(q ExpectedQueue) bool) func(*Expected, []ExpectedQueue) bool {
	return func(_ *Expected, queues []ExpectedQueue) bool { return slices.ContainsFunc(queues, holds) }
}

// knownKeys maps each value allowed in the struct tag `keys` to a function that returns the list
// keys known before a run. The functions have the same parameters as those in conditions.
var knownKeys = map[string]func(e *Expected, queues []ExpectedQueue) []string{
	"datacenters":            func(e *Expected, _ []ExpectedQueue) []string { return e.Datacenters },
	"continents":             func(e *Expected, _ []ExpectedQueue) []string { return e.Continents },
	"attributes":             func(e *Expected, _ []ExpectedQueue) []string { return e.Attributes },
	"hours":                  func(*Expected, []ExpectedQueue) []string { return numbers(24) },
	"days":                   func(e *Expected, _ []ExpectedQueue) []string { return numbers(e.SeasonDays) },
	"events":                 func(e *Expected, _ []ExpectedQueue) []string { return numbers(e.Events + 1)[1:] },
	"tenths":                 func(*Expected, []ExpectedQueue) []string { return numbers(10) },
	"finished matches":       func(*Expected, []ExpectedQueue) []string { return ExperienceKeys[:] },
	"queues":                 ofQueues(func(q ExpectedQueue) []string { return []string{q.Name} }),
	"rules":                  ofQueues(func(q ExpectedQueue) []string { return q.Rules }),
	"rules that are checked": ofQueues(func(q ExpectedQueue) []string { return q.Violations }),
}

// numbers returns the keys of a list of n items.
func numbers(n int) (keys []string) {
	for i := range n {
		keys = append(keys, strconv.Itoa(i))
	}
	return keys
}

func ofQueues(keys func(q ExpectedQueue) []string) func(*Expected, []ExpectedQueue) []string {
	return func(_ *Expected, queues []ExpectedQueue) (all []string) {
		for _, q := range queues {
			all = append(all, keys(q)...)
		}
		return all
	}
}

// have reports whether the runs have the metrics of a node. It is always true if e is nil.
func (e *Expected) have(n *node, queues []ExpectedQueue) bool {
	return e == nil || !slices.ContainsFunc(n.when, func(condition string) bool { return !conditions[condition](e, queues) })
}
