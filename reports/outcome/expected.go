package outcome

import (
	"reflect"
	"slices"
	"strconv"
)

// Expected is what is known about runs before they are simulated and determines which metrics
// they have.
type Expected struct {
	Datacenters, Continents []string
	Texts                   bool     // there are texts or lists among players.attributes
	Attributes              []string // of players, numeric
	Queues                  []ExpectedQueue
	Servers                 bool // players are placed on servers
	Jitter                  bool
	WaitLimits, RTTLimits   bool // set by report.limits
}

// ExpectedQueue is one queue of Expected.
type ExpectedQueue struct {
	Name       string
	Ruleset    bool
	Rules      []string
	Violations []string // rules against which matches of an external matchmaker are checked
	Statistics bool     // the vendor's service reports on the queue
	External   bool     // an external matchmaker makes the matches
	Acceptance bool     // players are asked whether they accept a match
}

// Metrics lists the metrics that the runs have, by the tags when and keys of their declarations.
// A star replaces the key of a group that is known only after a run, such as a party size.
func (e *Expected) Metrics() []Metric {
	d := &declarations{runs: e}
	d.fields(place{queues: e.Queues}, reflect.TypeFor[Summary]())
	return d.metrics
}

// conditions are the conditions that a tag when can list, separated by commas: runs have the
// metrics if all of them hold. Each is called with the queues that the metrics are about: all, or
// a single one in the block of a queue.
var conditions = map[string]func(e *Expected, queues []ExpectedQueue) bool{
	"players on servers": func(e *Expected, _ []ExpectedQueue) bool { return e.Servers },
	"jitter":             func(e *Expected, _ []ExpectedQueue) bool { return e.Jitter },
	"limits of waits":    func(e *Expected, _ []ExpectedQueue) bool { return e.WaitLimits },
	"limits of RTTs":     func(e *Expected, _ []ExpectedQueue) bool { return e.RTTLimits },
	"attributes that are texts": func(e *Expected, _ []ExpectedQueue) bool { // of the dataset, if rules look at them
		return e.Texts || slices.ContainsFunc(e.Queues, func(q ExpectedQueue) bool { return q.Ruleset })
	},
	"several queues":        func(e *Expected, _ []ExpectedQueue) bool { return len(e.Queues) > 1 },
	"one queue":             func(e *Expected, _ []ExpectedQueue) bool { return len(e.Queues) == 1 },
	"a ruleset":             ofAQueue(func(q ExpectedQueue) bool { return q.Ruleset }),
	"acceptance of matches": ofAQueue(func(q ExpectedQueue) bool { return q.Acceptance }),

	"an external matchmaker":       ofAQueue(func(q ExpectedQueue) bool { return q.External }),
	"a service that reports on it": ofAQueue(func(q ExpectedQueue) bool { return q.Statistics }),
}

// ofAQueue is a condition that one of the queues meets.
func ofAQueue(holds func(q ExpectedQueue) bool) func(*Expected, []ExpectedQueue) bool {
	return func(_ *Expected, queues []ExpectedQueue) bool { return slices.ContainsFunc(queues, holds) }
}

// knownKeys are the values of the tag keys: the keys of a list that are known before a run. They
// are called like conditions.
var knownKeys = map[string]func(e *Expected, queues []ExpectedQueue) []string{
	"datacenters": func(e *Expected, _ []ExpectedQueue) []string { return e.Datacenters },
	"continents":  func(e *Expected, _ []ExpectedQueue) []string { return e.Continents },
	"attributes":  func(e *Expected, _ []ExpectedQueue) []string { return e.Attributes },
	"hours": func(*Expected, []ExpectedQueue) (hours []string) {
		for hour := range 24 {
			hours = append(hours, strconv.Itoa(hour))
		}
		return hours
	},
	"queues": ofQueues(func(q ExpectedQueue) []string { return []string{q.Name} }),
	"rules":  ofQueues(func(q ExpectedQueue) []string { return q.Rules }),

	"rules that are checked": ofQueues(func(q ExpectedQueue) []string { return q.Violations }),
}

func ofQueues(keys func(q ExpectedQueue) []string) func(*Expected, []ExpectedQueue) []string {
	return func(_ *Expected, queues []ExpectedQueue) (all []string) {
		for _, q := range queues {
			all = append(all, keys(q)...)
		}
		return all
	}
}

// have reports whether the runs have the metrics of a field; a nil Expected has all.
func (e *Expected) have(field declaration, queues []ExpectedQueue) bool {
	if e == nil {
		return true
	}
	for _, condition := range field.when {
		if !conditions[condition](e, queues) {
			return false
		}
	}
	return true
}

// items returns the families of a list: one for each key that is known before the runs, with the
// queues that its metrics are about.
func (e *Expected) items(at *place) []item {
	var list []item
	all := families(at.holder.better)
	keys := knownKeys[at.list]
	if e == nil || keys == nil {
		for _, f := range all {
			list = append(list, item{f, at.queues})
		}
		return list
	}
	for i, key := range keys(e, at.queues) {
		one := item{family{key, all[len(all)-1].better}, at.queues}
		if at.list == "queues" {
			one.queues = at.queues[i : i+1]
		}
		list = append(list, one)
	}
	return list
}

// item is an item of a list, or all items of a family.
type item struct {
	family
	queues []ExpectedQueue
}
