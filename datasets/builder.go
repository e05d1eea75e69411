package datasets

// Builder builds a Day from joins that are added row by row. The zero value is ready to use. A
// Builder builds only one Day.
type Builder struct {
	joins    joinList
	places   placeTable
	measured measuredTable
}

// Rows returns the number of joins that were added.
func (b *Builder) Rows() int { return b.joins.rows }

// MeasuredRTTs returns the number of stored RTTs. Equal sets of RTTs are stored only once.
func (b *Builder) MeasuredRTTs() int { return len(b.measured.values) }

// Place returns the index of the place p with the given measured RTTs, and adds the place if it is
// new.
func (b *Builder) Place(p Place, measured []Measured) uint32 {
	if len(measured) > 0 {
		p.measured = b.measured.number(measured)
	}
	return b.places.number(p)
}

// Join adds a row. ms is the time of the join in milliseconds since an arbitrary midnight, below
// 2³¹. For wholeSecond, see Join.WholeSecond.
func (b *Builder) Join(ms uint32, wholeSecond bool, place uint32) {
	b.joins.add(Join{newStamp(ms, wholeSecond), place, uint32(b.joins.rows)})
}

// Finishing controls how a Builder turns joins into a Day.
type Finishing struct {
	Midnight     uint32 // time of the first midnight in ms; no join may be earlier
	WholeSeconds bool   // set if all times count as whole seconds, see Join.WholeSecond

	Sort     bool    // set if the joins were not added in order of time
	Renumber bool    // number rows in order of time, not in the order in which they were added
	Parties  *Column // name of each row's party, or nil if there are no parties
}

// Day returns a Day with the joins that were added.
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
