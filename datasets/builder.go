package datasets

// Builder builds a Day from joins that are added row by row. The zero value is ready to
// use and builds one Day.
type Builder struct {
	joins    joinList
	places   placeTable
	measured measuredTable
}

// Rows returns the number of joins that were added.
func (b *Builder) Rows() int { return b.joins.rows }

// MeasuredRTTs returns the number of RTTs in different sets of them.
func (b *Builder) MeasuredRTTs() int { return len(b.measured.values) }

// Place returns the number of a place with these measured RTTs. A new place gets the
// next number.
func (b *Builder) Place(p Place, measured []Measured) uint32 {
	if len(measured) > 0 {
		p.measured = b.measured.number(measured)
	}
	return b.places.number(p)
}

// Join adds the join of the next row, at an instant in milliseconds since some
// midnight, below 2³¹. See Join.WholeSecond.
func (b *Builder) Join(ms uint32, wholeSecond bool, place uint32) {
	b.joins.add(Join{newStamp(ms, wholeSecond), place, uint32(b.joins.rows)})
}

// Finishing controls how a Builder turns its joins into a Day.
type Finishing struct {
	Midnight     uint32 // the instant of the first midnight; no join is earlier
	WholeSeconds bool   // all joins were stamped without a fraction

	Sort     bool    // the joins are not in order of time
	Renumber bool    // rows are numbered in order of time, not as they were added
	Parties  *Column // names of parties; nil: none
}

// Day returns the day of the joins that were added.
func (b *Builder) Day(f Finishing) *Day {
	b.measured.known = nil
	d := &Day{Places: b.places.places, joins: b.joins.take(), measured: b.measured}
	if f.Midnight > 0 || f.WholeSeconds {
		for i := range d.joins {
			j := &d.joins[i]
			j.stamp = newStamp(j.stamp.ms()-f.Midnight, f.WholeSeconds || j.WholeSecond())
		}
	}
	if f.Sort {
		sortByTime(d.joins)
	}
	if f.Renumber {
		for i := range d.joins {
			d.joins[i].Row = uint32(i)
		}
	}
	d.findDays()
	if f.Parties != nil {
		d.findParties(f.Parties)
	}
	d.neighbours = newNeighbours(d.Places)
	return d
}
