package candidate

import "slices"

// lacks remembers for which values EnoughByNewest has found too few players. The next seed often has
// the same values, and since then members were only withdrawn, so there are still too few.
//
// Without it, a pass over 2,000 and 4,000 tickets of which too many have the same role took 40 and 111 ms
// instead of 25 and 62 ms (BenchmarkTooManyHealers).
type lacks struct {
	known map[uint64][]lack // see key
}

// lack is a number of players, of at most the given size, that were not there with any of the values.
type lack struct {
	values     uint64 // under the last active rule
	need, room int32
	demands    []Demand
}

// Lacks are remembered if there are at least lacksWords words in a bitmap. To count the players of fewer
// members is faster than to look up what is known of them.
const (
	lacksWords = 16
	valueBits  = 7  // bits of a key of lacks for the value under one rule, or 0 if the rule is not active
	lastRule   = 64 // takes the place of a value in a key of lacks, under the last active rule
	stageBits  = 6  // maxStages
)

// key returns the key of known for a query: its stage, the value that shortfall is trying under each
// active rule but the last, and the last active rule.
func key(q *Query) uint64 {
	key, last := uint64(q.stageAt), len(q.active)-1
	for i := range q.active {
		a := &q.active[i]
		value := a.only
		if i == last {
			value = lastRule
		}
		key |= uint64(value+1) << (stageBits + valueBits*a.rule)
	}
	return key
}

// serves reports whether lacks can be used for an index: all seeds have the same window, and a key has
// a value for every rule.
func (l *lacks) serves(x *Index) bool {
	_, byAge := x.rules.Key.(Age)
	return x.words >= lacksWords && byAge && len(x.rules.Valued) <= (64-stageBits)/valueBits
}

// forget forgets everything. It is called when members are offered that were not.
func (l *lacks) forget() { clear(l.known) }

// of returns the values under the last active rule with which the players that a query needs are known
// not to be there.
func (l *lacks) of(q *Query, need int32) (values uint64) {
	for _, old := range l.known[key(q)] {
		if old.implies(q, need) {
			values |= old.values
		}
	}
	return values
}

// add remembers that the players that a query needs are not there with any of the values.
func (l *lacks) add(q *Query, need int32, values uint64) {
	if values == 0 {
		return
	}
	if l.known == nil {
		l.known = map[uint64][]lack{}
	}
	list := l.known[key(q)]
	for i := range list {
		if old := &list[i]; old.need == need && old.room == q.room && slices.Equal(old.demands, q.demands) {
			old.values |= values
			return
		}
	}
	l.known[key(q)] = append(list, lack{values, need, q.room, slices.Clone(q.demands)})
}

// implies reports whether a query needs at least what was not there.
func (l *lack) implies(q *Query, need int32) bool {
	if l.need > need || l.room < q.room || len(l.demands) != len(q.demands) {
		return false
	}
	for i, d := range l.demands {
		if d.With > q.demands[i].With || d.Without > q.demands[i].Without {
			return false
		}
	}
	return true
}
