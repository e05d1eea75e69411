package external

import (
	"slices"

	"mmsim/matcher/external/exchange"
)

// Report counts proposals and their results from time 0 on, without the warm-up period.
type Report struct {
	Passes    int // passes with waiting tickets
	Cost      exchange.Cost
	Proposals int // number of proposed matches and backfills
	Dropped   []FaultCount
	// Checked is the number of accepted matches that were checked against rules. Violations has the
	// number of matches that break each rule.
	Checked    int
	Broken     int // number of matches that break at least one rule
	Violations []Count
	Expired    []Count // players of tickets that gave up, by the last reason for not matching the ticket

	dropped  [faults]FaultCount
	violated tally
	expired  tally
}

// FaultCount counts the proposals that were dropped for one fault.
type FaultCount struct {
	Fault   Fault
	Count   int
	Example string // message about the first one
}

// Count is a number with a name.
type Count struct {
	Name  string
	Count int
}

// tally counts names, in the order of first appearance.
type tally []Count

// namesMax is the maximum number of names that are counted separately. Any further names are
// counted as "other", because a matchmaker may put values into its reasons.
const namesMax = 100

func (t *tally) add(name string, n int) {
	at := func(name string) int { return slices.IndexFunc(*t, func(c Count) bool { return c.Name == name }) }
	if len(*t) >= namesMax && at(name) < 0 {
		name = "other"
	}
	i := at(name)
	if i < 0 {
		i = len(*t)
		*t = append(*t, Count{Name: name})
	}
	(*t)[i].Count += n
}

// count counts a proposal and its refusal, which is nil if it was accepted.
func (r *Report) count(measured bool, f *refusal) {
	if !measured {
		return
	}
	r.Proposals++
	if f == nil {
		return
	}
	d := &r.dropped[f.fault]
	if d.Count == 0 {
		d.Example = f.why
	}
	d.Count++
}

// violations counts the rules that an accepted match breaks.
func (r *Report) violations(rules []string) {
	r.Checked++
	if len(rules) > 0 {
		r.Broken++
	}
	for _, rule := range rules {
		r.violated.add(rule, 1)
	}
}

// countExpired counts the tickets that gave up since the last pass. Tickets give up at the time of
// a pass, so nowMS is also the time at which they gave up.
func (p *Pool) countExpired(nowMS int64) {
	if nowMS >= 0 {
		for _, e := range p.expired {
			if e.why == "" {
				e.why = unexplained
			}
			p.report.expired.add(e.why, e.players)
		}
	}
	p.expired = p.expired[:0]
}

// unexplained is the reason that is counted for a ticket if the matchmaker gave none.
const unexplained = "no reason given"

// Report returns the counts so far.
func (p *Pool) Report() *Report {
	r := p.report
	for fault := range r.dropped {
		if d := r.dropped[fault]; d.Count > 0 {
			d.Fault = Fault(fault)
			r.Dropped = append(r.Dropped, d)
		}
	}
	most := func(t tally) []Count {
		list := slices.Clone(t)
		slices.SortStableFunc(list, func(a, b Count) int { return b.Count - a.Count })
		return list
	}
	r.Violations, r.Expired = most(r.violated), most(r.expired)
	return &r
}
