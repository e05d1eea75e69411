package datasets

// MaxDays is the maximum number of consecutive days in a Day.
const MaxDays = 10

// MillisPerDay is the number of milliseconds in a day. There are no leap seconds.
const MillisPerDay = 24 * 60 * 60 * 1000

// Join is a row of a day. It says when and where a player starts to play. It takes only 12 bytes,
// because a day may have a hundred million joins. All other data of the row is in the columns of
// the Day.
type Join struct {
	stamp stamp
	Place uint32 // index into Day.Places
	Row   uint32 // row of the file, from 0, without malformed and blank rows
}

// MS returns the time of the join in milliseconds since midnight of its day.
func (j Join) MS() uint32 { return j.stamp.ms() % MillisPerDay }

// Day returns the day of the join, counted from 0.
func (j Join) Day() int { return int(j.stamp.ms() / MillisPerDay) }

// WholeSecond reports whether the time has no fraction of a second. The join then happened at an
// unknown instant within that second.
func (j Join) WholeSecond() bool { return j.stamp&1 != 0 }

// stamp is a time. The upper 31 bits are the milliseconds since the first midnight, which is enough
// for 24 days. The lowest bit is set if the time has no fraction of a second.
type stamp uint32

func newStamp(ms uint32, wholeSecond bool) stamp {
	if wholeSecond {
		return stamp(ms<<1 | 1)
	}
	return stamp(ms << 1)
}

func (s stamp) ms() uint32 { return uint32(s >> 1) }

// sortByTime sorts joins by millisecond with a stable radix sort of 14 bits per pass. It needs two
// passes for a day and three for several days. The cost is about 10 ns per join and a copy of the
// joins.
func sortByTime(joins []Join) {
	const digitBits = 14
	last := stamp(0)
	for _, j := range joins {
		last = max(last, j.stamp)
	}
	scratch := make([]Join, len(joins))
	from, to := joins, scratch
	for shift := 1; last>>shift > 0; shift += digitBits { // the lowest bit, a flag, does not count
		var next [1 << digitBits]uint32
		for _, j := range from {
			next[j.stamp>>shift&(1<<digitBits-1)]++
		}
		sum := uint32(0)
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for _, j := range from {
			d := j.stamp >> shift & (1<<digitBits - 1)
			to[next[d]] = j
			next[d]++
		}
		from, to = to, from
	}
	if len(joins) > 0 && &from[0] != &joins[0] { // the number of passes was odd
		copy(joins, from)
	}
}

// joinList collects joins without moving them. Growing a slice would copy them several times and
// need twice the memory.
type joinList struct {
	full [][]Join
	open []Join
	rows int
}

const (
	firstBlock = 1 << 10
	largeBlock = 1 << 16
)

func (l *joinList) add(j Join) {
	if len(l.open) == cap(l.open) {
		if l.open != nil {
			l.full = append(l.full, l.open)
		}
		l.open = make([]Join, 0, min(max(firstBlock, l.rows), largeBlock))
	}
	l.open = append(l.open, j)
	l.rows++
}

// take returns all joins in one slice and empties the list, so that its memory can be reused while
// the joins are sorted.
func (l *joinList) take() []Join {
	joins := make([]Join, 0, l.rows)
	for _, block := range l.full {
		joins = append(joins, block...)
	}
	joins = append(joins, l.open...)
	*l = joinList{}
	return joins
}
