package datasets

import (
	"crypto/sha256"
	"iter"
	"slices"
	"time"
)

// Day is one day of joins in memory, or several consecutive days: 12 bytes for each
// join, each place once, and the columns of the file. It does not change after it is
// built, so replications can share it.
type Day struct {
	Places      []Place
	Columns     []*Column
	Datacenters []string  // that measured RTTs refer to
	BadRows     int       // malformed rows that ReadOptions.MaxBadRows tolerated
	Warnings    []Warning // shown to readers of the results

	// SHA256 identifies the joins: the hash of the file as it was read, before
	// decompression, or of the joins themselves where there was no file.
	SHA256 [sha256.Size]byte

	// Midnight is the first midnight, in the time zone of the data; zero where the
	// data has times of day alone.
	Midnight time.Time

	joins      []Join // in order of time
	days       []int  // where in joins every day begins, and where the last one ends
	measured   measuredTable
	neighbours neighbours

	// Parties of the data. Both are empty when there are none.
	partyOf []uint32 // by row: number of its party, from 1; 0: plays alone
	parties [][]Join // by number - 1: the members in order of joining
}

// A Warning describes something doubtful in a file, or at a position in it.
type Warning struct {
	Place   string // FILE, FILE:LINE or FILE:LINE:COLUMN
	Message string
}

// String returns the place and the message.
func (w Warning) String() string { return w.Place + ": " + w.Message }

// MaxPartySize is the largest party that data may hold.
const MaxPartySize = 64

// Days returns the number of days in turn, at least 1.
func (d *Day) Days() int { return len(d.days) - 1 }

// joinsOf returns the joins of a day of the run. The days of the data repeat. The warm-up
// before the first day uses the evening of that same day, because the last day of an
// export often ends before the evening.
func (d *Day) joinsOf(day int) []Join {
	day = max(0, day) % d.Days()
	return d.joins[d.days[day]:d.days[day+1]]
}

// findDays finds where every day begins. The joins must be sorted.
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

// Joins yields all joins in order of time, those of one instant in the order of
// the file.
func (d *Day) Joins() iter.Seq[Join] { return slices.Values(d.joins) }

// Measured returns the RTTs that the file gives for a place, by datacenter; most
// places have none.
func (d *Day) Measured(place uint32) []Measured {
	return d.measured.set(d.Places[place].measured)
}

// HasMeasured reports whether any place has measured RTTs.
func (d *Day) HasMeasured() bool { return len(d.measured.values) > 0 }

// hasParties reports whether the data itself says who plays together.
func (d *Day) hasParties() bool { return len(d.parties) > 0 }

// PartySizes lists the sizes of the parties that the data names, in ascending
// order, 1 among them where a player joins alone. It is empty when the data names
// none.
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

// Column returns the column of that name.
func (d *Day) Column(name string) (*Column, bool) {
	for _, c := range d.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}

// findParties groups the rows of each day that name the same party. The joins must be
// sorted. A party of one is a player alone.
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

// findPartiesOf groups the joins of one day; size and number are by name, all 0.
func (d *Day) findPartiesOf(joins []Join, names *Column, size, number []uint32) {
	for _, j := range joins {
		size[names.Texts[j.Row]]++
	}
	for _, j := range joins {
		name := names.Texts[j.Row]
		if name == 0 || size[name] == 1 {
			continue
		}
		// Reading a file checks the limit too, but with days that may be an hour off
		// where clocks change. Members beyond the limit here form another party.
		if p := number[name]; p == 0 || len(d.parties[p-1]) == MaxPartySize {
			d.parties = append(d.parties, make([]Join, 0, size[name]))
			number[name] = uint32(len(d.parties))
		}
		p := number[name]
		d.partyOf[j.Row] = p
		d.parties[p-1] = append(d.parties[p-1], j)
	}
}
