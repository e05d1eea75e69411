package joinfile

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
	"mmsim/datasets/placing"
)

// addRow adds the current row to the day.
func (d *dayReader) addRow() *tables.Fault {
	h, cells, form := d.header, d.row.Cells, d.header.form
	if len(cells) != h.width {
		return d.ragged()
	}
	cell := form.number(tables.Trim(cells[h.positions[roleTime]]))
	ms, whole, message := d.clock.at(cell, d.row.Line)
	if message != "" {
		return d.badTime(message)
	}
	f := d.addJoin(ms, whole)
	if f != nil {
		d.clock.forget(d.row.Line)
	}
	return f
}

// addJoin adds the current row, unless Options.Date selects another day. ms is the time of the join
// according to the clock.
func (d *dayReader) addJoin(ms int64, whole bool) *tables.Fault {
	h, cells, form := d.header, d.row.Cells, d.header.form
	var place datasets.Place
	lacksPlace := h.positions[roleLatitude] < 0 || h.positions[roleLongitude] < 0
	if lacksPlace {
		// A later line of JSON may be the first with one of the two.
		if one := max(h.positions[roleLatitude], h.positions[roleLongitude]); one >= 0 && len(tables.Trim(cells[one])) > 0 {
			return d.bad(one, "coordinate", "expected both latitude and longitude, or neither")
		}
	} else {
		var ok bool
		if place.LatHundredths, ok = tables.FloorHundredths(form.number(tables.Trim(cells[h.positions[roleLatitude]])), 90); !ok {
			if lacksPlace = d.lacksPlace(); !lacksPlace {
				return d.badLatitude()
			}
		} else if place.LonHundredths, ok = tables.FloorHundredths(form.number(tables.Trim(cells[h.positions[roleLongitude]])), 180); !ok {
			return d.bad(h.positions[roleLongitude], "longitude", tables.LongitudeExpected)
		}
	}
	if ms == otherDay {
		return nil
	}
	row := d.rows.Rows()
	if len(h.others) > 0 || lacksPlace {
		f := d.addOthers(&place, row, ms)
		if f == nil && lacksPlace {
			f = d.findPlace(&place, ms)
		}
		if f != nil {
			for _, c := range h.columns {
				c.forget(row, d.row.Line)
			}
			d.addresses.Forget(d.row.Line)
			return f
		}
	}
	if ms < d.previous {
		d.sort = true
		if d.unsorted == nil && !d.o.Merge {
			d.unsorted = d.at(&tables.Fault{Column: d.column(h.positions[roleTime]), Message: fmt.Sprintf(
				"time %s is earlier than the row before it: the joins were sorted after loading", tables.Quoted(cells[h.positions[roleTime]]))})
		}
	}
	d.previous = ms
	d.rows.Join(uint32(ms), whole, d.rows.Place(place, d.set))
	return nil
}

// badLatitude returns the error about an invalid latitude. If latitude and longitude would be valid
// the other way round, it asks whether they are swapped.
func (d *dayReader) badLatitude() *tables.Fault {
	h, cells, form := d.header, d.row.Cells, d.header.form
	expected := tables.LatitudeExpected
	_, isLongitude := tables.FloorHundredths(form.number(tables.Trim(cells[h.positions[roleLatitude]])), 180)
	if _, isLatitude := tables.FloorHundredths(form.number(tables.Trim(cells[h.positions[roleLongitude]])), 90); isLongitude && isLatitude {
		expected += tables.Swapped
	}
	return d.bad(h.positions[roleLatitude], "latitude", expected)
}

// badTime returns the error about an invalid time.
func (d *dayReader) badTime(message string) *tables.Fault {
	position := d.header.positions[roleTime]
	if unreadable := tables.Unreadable(d.row.Cells[position]); unreadable != "" {
		message = unreadable
	}
	return &tables.Fault{Column: d.column(position), Message: message}
}

// addOthers reads the optional cells of a row.
func (d *dayReader) addOthers(place *datasets.Place, row int, ms int64) *tables.Fault {
	h := d.header
	d.set = d.set[:0]
	for _, o := range h.others {
		cell := d.row.Cells[o.position]
		if o.role == roleAttribute || o.role == roleAddress {
			message := ""
			if o.role == roleAddress {
				message = d.addAddress(h.columns[o.index], cell, row)
			} else {
				message = h.columns[o.index].add(cell, d.row.IsList(o.position), row, d.row.Line)
			}
			if message != "" {
				return &tables.Fault{Column: d.column(o.position), Message: message}
			}
			continue
		}
		if cell = h.form.value(cell); len(cell) == 0 {
			continue
		}
		ok := false
		switch o.role {
		case roleContinent:
			if place.Continent, ok = datasets.ParseContinent(string(cell)); !ok {
				return d.bad(o.position, "continent", "expected one of AF, AN, AS, EU, NA, OC, SA or nothing")
			}
		case roleCountry:
			if place.Country, ok = datasets.ParseCountry(string(cell)); !ok {
				var err error
				if place.Country, err = d.placer.Country(cell); err != nil {
					return &tables.Fault{Column: d.column(o.position), Message: err.Error()}
				}
			}
		case roleMeasured:
			ms, ok := tables.ParseNumber(h.form.number(cell))
			if !ok || float32(ms) <= 0 || ms > datasets.MaxMeasuredMS {
				return d.bad(o.position, "measured RTT", fmt.Sprintf("expected milliseconds above 0 and at most %d, or nothing", datasets.MaxMeasuredMS))
			}
			d.set = append(d.set, datasets.Measured{Datacenter: int32(o.index), MS: float32(ms)})
		}
	}
	if f := d.checkRow(row, ms); f != nil {
		return f
	}
	return nil
}

// checkRow checks the session length and the size of the party.
func (d *dayReader) checkRow(row int, ms int64) *tables.Fault {
	h := d.header
	if h.session >= 0 {
		if seconds := h.columns[h.others[h.session].index].Numbers[row]; seconds <= 0 {
			return d.bad(h.others[h.session].position, datasets.ColumnSessionLength, "expected seconds above 0")
		}
	}
	if h.party < 0 {
		return nil
	}
	party := h.columns[h.others[h.party].index].Texts[row]
	sizes := &d.partySize[ms/datasets.MillisPerDay]
	for int(party) >= len(*sizes) {
		*sizes = append(*sizes, 0)
	}
	if party != 0 && (*sizes)[party] == datasets.MaxPartySize {
		return d.bad(h.others[h.party].position, "party", fmt.Sprintf("expected at most %d members (MaxPartySize)", datasets.MaxPartySize))
	}
	(*sizes)[party]++
	return nil
}

// ragged returns the error about a row with too many or too few cells.
func (d *dayReader) ragged() *tables.Fault {
	r, want := d.row, d.header.width
	f := &tables.Fault{Column: len(r.Text) + 1, Message: fmt.Sprintf("%s in %s: expected %d, as in the header", tables.Counted(len(r.Cells), "column"), tables.Quoted(r.Text), want)}
	if d.header.article {
		f.Message = fmt.Sprintf("%s in %s: expected %d (HH:MM:SS,lat,long), or more after a header that names them", tables.Counted(len(r.Cells), "column"), tables.Quoted(r.Text), want)
	}
	if len(r.Cells) > want {
		f.Column = r.Columns[want]
	}
	return f
}

// bad returns the error about an invalid cell.
func (d *dayReader) bad(position int, label, expected string) *tables.Fault {
	cell := d.row.Cells[position]
	if message := tables.Unreadable(cell); message != "" {
		return &tables.Fault{Column: d.column(position), Message: message}
	}
	return &tables.Fault{Column: d.column(position), Message: fmt.Sprintf("%s %s: %s", label, tables.Quoted(cell), expected)}
}

func (d *dayReader) column(position int) int { return d.row.Columns[position] }

// at adds the position to a fault in the current record.
func (d *dayReader) at(f *tables.Fault) *tables.Error {
	line, column := d.row.Line, f.Column
	if j, ok := d.table.(*tables.JSON); ok {
		line, column = j.Place(column)
	}
	return &tables.Error{File: d.name, Line: line, Column: column, Message: f.Message}
}

// notJoins returns a message about a first row that is neither a header nor a join. It recognises
// some common mistakes, such as columns separated by "|". For all others, it returns "".
func notJoins(row []byte) string {
	if message := tables.Unreadable(row); message != "" {
		return message
	}
	if bytes.IndexByte(row, '|') >= 0 {
		return fmt.Sprintf("the columns of %s are separated by \"|\": expected commas, tabs or semicolons", tables.Quoted(row))
	}
	if !bytes.ContainsAny(row, "0123456789") {
		return fmt.Sprintf("%s names no column time, latitude or longitude: expected a header with these, their names in dataset.map "+
			"(--map time=…,latitude=…,longitude=…), or rows of HH:MM:SS,lat,long", tables.Quoted(row))
	}
	return ""
}

// canPlace reports whether the file has columns that tell where players without coordinates live.
func (h *header) canPlace(o *Options) bool {
	return o.Draw != nil && (h.area.Country >= 0 || h.area.Address >= 0 && o.Addresses != nil)
}

// lacksPlace reports whether the current row has neither latitude nor longitude, and the file has
// other columns that tell where players live.
func (d *dayReader) lacksPlace() bool {
	h := d.header
	return len(tables.Trim(d.row.Cells[h.positions[roleLatitude]])) == 0 &&
		len(tables.Trim(d.row.Cells[h.positions[roleLongitude]])) == 0 && h.canPlace(d.o)
}

// findPlace sets the position of the current row, which has no coordinates.
func (d *dayReader) findPlace(place *datasets.Place, ms int64) *tables.Fault {
	h, c := d.header, &d.cells
	cell := func(position int) []byte {
		if position < 0 {
			return nil
		}
		return tables.Trim(d.row.Cells[position])
	}
	c.Country, c.Region, c.City = cell(h.area.Country), cell(h.area.Region), cell(h.area.City)
	c.Party, c.Player = nil, nil
	if h.party >= 0 {
		c.Party = cell(h.others[h.party].position)
	}
	if position, ok := h.seen[datasets.ColumnPlayer]; ok {
		c.Player = cell(position)
	}
	c.Instant = ms
	if d.clock.dated && !d.o.Merge {
		c.Instant += d.clock.origin
	}
	err := d.placer.Place(c, place)
	if err == nil {
		return nil
	}
	at := h.area.Country
	if latitude := h.positions[roleLatitude]; at < 0 || errors.Is(err, placing.ErrNoPlace) && latitude >= 0 {
		at = max(h.area.Address, latitude)
	}
	return &tables.Fault{Column: d.column(at), Message: err.Error()}
}

// addAddress adds the cell of the column ip.
func (d *dayReader) addAddress(c *column, cell []byte, row int) (message string) {
	d.cells.Address = netip.Addr{}
	if cell = tables.Trim(cell); len(cell) > 0 {
		if d.cells.Address, cell, message = d.addresses.Read(cell, d.row.Line); message != "" {
			return message
		}
	}
	return c.add(cell, false, row, d.row.Line)
}
