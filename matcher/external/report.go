package external

import "slices"

// Report is what became of the proposals in the measured window, from instant 0 on.
type Report struct {
	Passes    int // in which somebody waited
	Proposals int // matches and backfills that were proposed
	Dropped   []DroppedKind
	// Checked are accepted matches that were held against rules; those that break a rule
	// are in Violations.
	Checked    int
	Broken     int // that break one at least
	Violations []Count
	Expired    []Count // players of tickets that gave up, by what was said of them last

	dropped  [kinds]DroppedKind
	violated tally
	expired  tally
}

// DroppedKind counts the proposals that were dropped for one kind of fault.
type DroppedKind struct {
	Kind    Kind
	Count   int
	Example string // the first
}

// Count counts what has a name.
type Count struct {
	Name  string
	Count int
}

// tally counts by name, in the order of first sight.
type tally struct {
	counts []Count
	index  map[string]int
}

// namesMost bounds the names that are told apart: they may quote values.
const namesMost = 100

func (t *tally) add(name string, n int) {
	if _, known := t.index[name]; !known && len(t.counts) >= namesMost {
		name = "other"
	}
	i, known := t.index[name]
	if !known {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.counts)
		t.index[name] = i
		t.counts = append(t.counts, Count{Name: name})
	}
	t.counts[i].Count += n
}

// count counts a proposal, with what is wrong with it.
func (r *Report) count(measured bool, f *fault) {
	if !measured {
		return
	}
	r.Proposals++
	if f == nil {
		return
	}
	d := &r.dropped[f.kind]
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

// countExpired counts the tickets that gave up since the last pass, which has the same
// instant.
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

// unexplained stands for a ticket of which the matchmaker said nothing.
const unexplained = "nothing was said"

// Report returns what was counted.
func (p *Pool) Report() *Report {
	r := p.report
	for kind := range r.dropped {
		if d := r.dropped[kind]; d.Count > 0 {
			d.Kind = Kind(kind)
			r.Dropped = append(r.Dropped, d)
		}
	}
	most := func(t *tally) []Count {
		list := slices.Clone(t.counts)
		slices.SortStableFunc(list, func(a, b Count) int { return b.Count - a.Count })
		return list
	}
	r.Violations, r.Expired = most(&r.violated), most(&r.expired)
	return &r
}
