package datasets

import (
	"bytes"
	"fmt"
	"strings"
)

// addRow adds the record just read to the day.
func (d *dayReader) addRow() *fault {
	h, cells := d.header, d.records.cells
	if len(cells) != h.width {
		return d.ragged()
	}
	at, ok := parseTime(trim(cells[h.positions[roleTime]]))
	if !ok {
		return d.bad(h.positions[roleTime], "time", timeExpected)
	}
	var place Place
	if place.LatHundredths, ok = floorHundredths(trim(cells[h.positions[roleLatitude]]), 90); !ok {
		return d.bad(h.positions[roleLatitude], "latitude", latitudeExpected)
	}
	if place.LonHundredths, ok = floorHundredths(trim(cells[h.positions[roleLongitude]]), 180); !ok {
		return d.bad(h.positions[roleLongitude], "longitude", longitudeExpected)
	}
	row := d.joins.rows
	if len(h.others) > 0 {
		if f := d.addOthers(&place, row); f != nil {
			for _, c := range h.columns {
				c.forget(row, d.records.line)
			}
			return f
		}
	}
	if at.ms() < d.previous.ms() && d.unsorted == nil {
		d.unsorted = &Error{d.name, d.records.line, d.column(h.positions[roleTime]), fmt.Sprintf(
			"time %s is earlier than the row before it: the joins were sorted after loading", quoted(cells[h.positions[roleTime]]))}
	}
	d.previous = at
	d.joins.add(Join{at, d.places.number(place), uint32(row)})
	return nil
}

// addOthers reads the optional cells of a row.
func (d *dayReader) addOthers(place *Place, row int) *fault {
	h := d.header
	d.set = d.set[:0]
	for _, o := range h.others {
		cell := d.records.cells[o.position]
		if o.role == roleAttribute {
			if message := h.columns[o.index].add(cell, row, d.records.line); message != "" {
				return &fault{d.column(o.position), message}
			}
			continue
		}
		if cell = trim(cell); len(cell) == 0 {
			continue
		}
		ok := false
		switch o.role {
		case roleContinent:
			if place.Continent, ok = ParseContinent(string(cell)); !ok {
				return d.bad(o.position, "continent", "expected one of AF, AN, AS, EU, NA, OC, SA or nothing")
			}
		case roleCountry:
			if place.Country, ok = ParseCountry(string(cell)); !ok {
				return d.bad(o.position, "country", "expected two letters or nothing")
			}
		case roleMeasured:
			ms, ok := parseNumber(cell)
			if !ok || float32(ms) <= 0 || ms > MaxMeasuredMS {
				return d.bad(o.position, "measured RTT", fmt.Sprintf("expected milliseconds above 0 and at most %d, or nothing", MaxMeasuredMS))
			}
			d.set = append(d.set, Measured{int32(o.index), float32(ms)})
		}
	}
	if f := d.checkRow(row); f != nil {
		return f
	}
	place.measured = d.day.measured.number(d.set)
	return nil
}

// checkRow checks what the kind of a column does not say.
func (d *dayReader) checkRow(row int) *fault {
	h := d.header
	if h.session >= 0 {
		if seconds := h.columns[h.others[h.session].index].Numbers[row]; seconds <= 0 {
			return d.bad(h.others[h.session].position, ColumnSessionLength, "expected seconds above 0")
		}
	}
	if h.party < 0 {
		return nil
	}
	party := h.columns[h.others[h.party].index].Texts[row]
	for int(party) >= len(d.partySize) {
		d.partySize = append(d.partySize, 0)
	}
	if party != 0 && d.partySize[party] == MaxPartySize {
		return d.bad(h.others[h.party].position, "party", fmt.Sprintf("expected at most %d members (MaxPartySize)", MaxPartySize))
	}
	d.partySize[party]++
	return nil
}

// ragged explains a row with too many or too few cells.
func (d *dayReader) ragged() *fault {
	r, want := d.records, d.header.width
	f := &fault{len(r.text) + 1, fmt.Sprintf("%s in %s: expected %d, as in the header", counted(len(r.cells), "column"), quoted(r.text), want)}
	if d.header.article {
		f.message = fmt.Sprintf("%s in %s: expected %d (HH:MM:SS,lat,long), or more after a header that names them", counted(len(r.cells), "column"), quoted(r.text), want)
	}
	if len(r.cells) > want {
		f.column = r.columns[want]
	}
	return f
}

// bad explains a cell that does not hold what it should.
func (d *dayReader) bad(position int, what, expected string) *fault {
	cell := d.records.cells[position]
	if message := unreadable(cell); message != "" {
		return &fault{d.column(position), message}
	}
	return &fault{d.column(position), fmt.Sprintf("%s %s: %s", what, quoted(cell), expected)}
}

func (d *dayReader) column(position int) int { return d.records.columns[position] }

// at gives a fault of the record just read its place.
func (d *dayReader) at(f *fault) *Error {
	return &Error{d.name, d.records.line, f.column, f.message}
}

// notCSV says what a first row is that is neither a header nor a join, when it
// is something that people often have.
func notCSV(row []byte) string {
	if message := unreadable(row); message != "" {
		return message
	}
	if message := wrongSeparator(row); message != "" {
		return message
	}
	for cell := range bytes.SplitSeq(row, []byte(",")) {
		if name := likely[strings.ToLower(string(trim(cell)))]; name != "" {
			return fmt.Sprintf("%s is no column name: a header must hold time, latitude and longitude; expected %q", quoted(trim(cell)), name)
		}
	}
	return ""
}

// wrongSeparator says so when a row has its columns separated by something else
// than commas.
func wrongSeparator(row []byte) string {
	for _, separator := range []string{";", "\t", "|"} {
		if bytes.Contains(row, []byte(separator)) {
			return fmt.Sprintf("the columns of %s are separated by %q: expected commas", quoted(row), separator)
		}
	}
	return ""
}
