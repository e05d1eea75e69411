package datasets

import (
	"crypto/sha256"
	"iter"
	"slices"
	"time"
)

// Day contains the joins of one day or of several consecutive days in memory: 12 bytes per join,
// one copy of each place, and the columns of the file. A finished Day does not change, so
// replications can share it.
type Day struct {
	Places      []Place
	Columns     []*Column
	Datacenters []string  // names of the datacenters with measured RTTs
	BadRows     int       // number of malformed rows, at most joinfile.Options.MaxBadRows
	Placed      Placed    // joins whose rows have no coordinates
	Form        Form      // how the file was read
	Warnings    []Warning // for readers of the results

	// SHA256 identifies the joins. It is the hash of the file before decompression or, if there was
	// no file, of the joins themselves.
	SHA256 [sha256.Size]byte

	// Times says what the times in the file were taken for, such as seconds since midnight. It is
	// empty if there was no file.
	Times string

	// AddressesSHA256 is the hash of the database of IP addresses, or 0 if there is none.
	AddressesSHA256 [sha256.Size]byte

	// Midnight is the first midnight in the time zone of the data, or the zero time if the data
	// contains only times of day.
	Midnight time.Time

	joins      []Join // in order of time
	days       []int  // index into joins at which each day begins, and the end of the last day
	measured   measuredTable
	neighbours neighbours

	// The following two slices describe the parties in the data. They are empty if there are none.
	partyOf []uint32 // by row: party number, from 1, or 0 for a player who plays alone
	parties [][]Join // by party number - 1: the members in the order in which they join
}

// A Warning describes something doubtful in a file or at a position in it.
type Warning struct {
	Place   string // FILE, FILE:LINE or FILE:LINE:COLUMN
	Message string
	Misread bool // many rows may be read as what they are not, so that all results may be wrong
}

// String returns the place and the message.
func (w Warning) String() string { return w.Place + ": " + w.Message }

// MaxPartySize is the maximum size of a party.
const MaxPartySize = 200

// Days returns the number of days, at least 1.
func (d *Day) Days() int { return len(d.days) - 1 }

// joinsOf returns the joins of a day of the run. If the run has more days than the data, the days
// of the data repeat. The warm-up day, -1, uses the joins of the first day. It does not wrap around
// to the last day, because the last day of a data file is often cut off before the evening.
func (d *Day) joinsOf(day int) []Join {
	day = max(0, day) % d.Days()
	return d.joins[d.days[day]:d.days[day+1]]
}

// findDays finds where each day begins. The joins must be sorted.
func (d *Day) findDays() {
	d.days = []int{0}
	if d.joins[len(d.joins)-1].Day() == 0 {
		d.days = append(d.days, len(d.joins))
		return
	}
	for i, j := range d.joins {
		for len(d.days) <= j.Day() {
			d.days = append(d.days, i)
		}
	}
	d.days = append(d.days, len(d.joins))
}

// Rows returns the number of joins.
func (d *Day) Rows() int { return len(d.joins) }

// Joins yields all joins in order of time. Joins with equal times are in file order.
func (d *Day) Joins() iter.Seq[Join] { return slices.Values(d.joins) }

// Crowd looks for a span of ms milliseconds with at least the given number of joins. It returns the
// time of the first join in the first such span, in ms since midnight. It reads only the joins that
// can begin one.
func (d *Day) Crowd(joins int, ms int64) (from uint32, found bool) {
	since := func(j Join) int64 { return int64(j.Day())*MillisPerDay + int64(j.MS()) }
	for i := 0; i+joins <= len(d.joins); i++ {
		if since(d.joins[i+joins-1])-since(d.joins[i]) < ms {
			return d.joins[i].MS(), true
		}
	}
	return 0, false
}

// Last returns the time of the last join in ms since midnight of its day, and whether no join has a
// fraction of a second.
func (d *Day) Last() (ms uint32, whole bool) {
	whole = !slices.ContainsFunc(d.joins, func(j Join) bool { return !j.WholeSecond() })
	return d.joins[len(d.joins)-1].MS(), whole
}

// Measured returns the RTTs that the file contains for a place. Most places have none.
func (d *Day) Measured(place uint32) []Measured {
	return d.measured.set(d.Places[place].measured)
}

// HasMeasured reports whether any place has measured RTTs.
func (d *Day) HasMeasured() bool { return len(d.measured.values) > 0 }

// hasParties reports whether the data contains parties.
func (d *Day) hasParties() bool { return len(d.parties) > 0 }

// PartySizes returns the sizes of the parties in the data in ascending order. They include 1 if a
// player joins alone. PartySizes returns nil if the data contains no parties.
func (d *Day) PartySizes() []int {
	if !d.hasParties() {
		return nil
	}
	var has [MaxPartySize + 1]bool
	for _, members := range d.parties {
		has[len(members)] = true
	}
	has[1] = slices.Contains(d.partyOf, 0)
	var sizes []int
	for size, is := range has {
		if is {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// Column returns the column with the given name.
func (d *Day) Column(name string) (*Column, bool) {
	for _, c := range d.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}

// findParties groups the rows that name the same party. Rows on different days are in different
// parties. The joins must be sorted. A party with a single row is a player who plays alone.
func (d *Day) findParties(names *Column) {
	d.partyOf = make([]uint32, len(d.joins))
	size := make([]uint32, len(names.Dictionary))
	number := make([]uint32, len(names.Dictionary))
	for day := range d.Days() {
		clear(size)
		clear(number)
		d.findPartiesOf(d.joinsOf(day), names, size, number)
	}
}

// findPartiesOf groups the joins of one day. The slices size and number are indexed by party name.
// All their entries must be 0.
func (d *Day) findPartiesOf(joins []Join, names *Column, size, number []uint32) {
	for _, j := range joins {
		size[names.Texts[j.Row]]++
	}
	for _, j := range joins {
		name := names.Texts[j.Row]
		if name == 0 || size[name] == 1 {
			continue
		}
		// Put members beyond MaxPartySize into another party. Reading a file also checks this
		// limit, but its days may be an hour off if clocks change.
		if p := number[name]; p == 0 || len(d.parties[p-1]) == MaxPartySize {
			d.parties = append(d.parties, make([]Join, 0, size[name]))
			number[name] = uint32(len(d.parties))
		}
		p := number[name]
		d.partyOf[j.Row] = p
		d.parties[p-1] = append(d.parties[p-1], j)
	}
}
