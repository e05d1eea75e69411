package outcome

import (
	"slices"
	"strconv"
	"strings"
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

// Metrics lists the metrics that the runs have. A star replaces the key of a group that is known
// only after a run, such as a party size.
func (e *Expected) Metrics() []Metric {
	f := expectation{
		absent: map[string]bool{"servers": !e.Servers, "rtt_estimate_ms": !e.Jitter, "queues": len(e.Queues) < 2, "rules": true, "queue_statistics": true, "external": true,
			"limits.wait": !e.WaitLimits, "limits.rtt": !e.RTTLimits},
		keys: map[string][]string{
			"by_datacenter": e.Datacenters, "by_continent": e.Continents, "attributes": e.Attributes, "by_attribute_decile": e.Attributes,
		},
	}
	for hour := range 24 {
		f.keys["by_hour"] = append(f.keys["by_hour"], strconv.Itoa(hour))
	}
	f.notAsked = !slices.ContainsFunc(e.Queues, func(q ExpectedQueue) bool { return q.Acceptance })
	f.absent["players.declined"] = f.notAsked
	withRules := func(q ExpectedQueue) bool { return q.Ruleset }
	f.absent["overlaps"] = !e.Texts && !slices.ContainsFunc(e.Queues, withRules)
	for _, q := range e.Queues {
		block := ""
		if len(e.Queues) > 1 { // a single queue has no block
			block = "queues." + q.Name + "."
			f.keys["queues"] = append(f.keys["queues"], q.Name)
		}
		f.absent[block+"rules"], f.absent[block+"queue_statistics"] = !q.Ruleset, !q.Statistics
		f.absent[block+"external"] = !q.External
		f.absent[block+"rules.acceptance"], f.absent[block+"players.declined"] = !q.Acceptance, !q.Acceptance
		f.absent[block+"overlaps"] = f.absent["overlaps"]
		f.keys[block+"attributes"] = e.Attributes
		for _, list := range []string{"rules.relaxation", "rules.expiry.by_rule", "rules.expiry.pairs.by_rule"} {
			f.keys[block+list] = q.Rules
		}
		f.keys[block+"external.violations"] = q.Violations
	}
	for _, m := range Metrics() {
		f.add(m)
	}
	return f.metrics
}

// expectation lists metrics with the keys that are known.
type expectation struct {
	absent   map[string]bool     // by block or name
	keys     map[string][]string // by list; the others are unknown
	notAsked bool                // no players are asked whether they accept a match
	metrics  []Metric
}

// add adds a metric, or those of its family.
func (f *expectation) add(m Metric) {
	for at, letter := range m.Name {
		if letter == '.' && f.absent[m.Name[:at]] {
			return
		}
	}
	if f.absent[m.Name] || f.notAsked && strings.HasPrefix(m.Name, "by_") && strings.HasSuffix(m.Name, ".declined") {
		return
	}
	list, _, isFamily := strings.Cut(m.Name, ".*.")
	keys, known := f.keys[list]
	if !isFamily || !known {
		f.metrics = append(f.metrics, m)
		return
	}
	others := slices.Repeat([]string{"*"}, strings.Count(m.Name, "*")-1)
	for _, key := range keys {
		f.add(m.of(slices.Concat([]string{key}, others)))
	}
}
