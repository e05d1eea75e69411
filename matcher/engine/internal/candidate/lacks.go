package candidate

import "slices"

// lacks remembers for which values EnoughByNewest has found too few players. The next seed often has
// the same values, and since then members were only withdrawn, so there are still too few.
//
// Without it, a pass over 2,000 and 4,000 tickets of which too many have the same role took 40 and 111 ms
// instead of 25 and 62 ms (BenchmarkTooManyHealers).
type lacks struct {
	known map[uint64][]lack // by a stage and one value under every active rule, see with
}

// lack is a number of players, of at most the given size, that were not there.
type lack struct {
	need, room int32
	demands    []Demand
}

// Lacks are remembered if there are at least lacksWords words in a bitmap. To count the players of fewer
// members is faster than to look up what is known of them.
const (
	lacksWords = 16
	valueBits  = 7 // bits of a key of lacks for the value under one rule, or 0 if the rule is not active
	stageBits  = 6 // maxStages
)

// with returns the key for a value under one more rule.
func with(key uint64, rule, value int) uint64 {
	return key | uint64(value+1)<<(stageBits+valueBits*rule)
}

// serves reports whether lacks can be used for an index: all seeds have the same window, and a key has
// a value for every rule.
func (l *lacks) serves(x *Index) bool {
	_, byAge := x.rules.Key.(Age)
	return x.words >= lacksWords && byAge && len(x.rules.Valued) <= (64-stageBits)/valueBits
}

// forget forgets everything. It is called when members are offered that were not.
func (l *lacks) forget() { clear(l.known) }

// has reports whether the players that a query needs are known not to be there.
func (l *lacks) has(q *Query, need int32) bool {
	return slices.ContainsFunc(l.known[q.path], func(old lack) bool { return old.implies(q, need) })
}

// add remembers that the players that a query needs are not there.
func (l *lacks) add(q *Query, need int32) {
	if l.known == nil {
		l.known = map[uint64][]lack{}
	}
	l.known[q.path] = append(l.known[q.path], lack{need, q.room, slices.Clone(q.demands)})
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
