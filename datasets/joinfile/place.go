package joinfile

import (
	"errors"
	"net/netip"

	"mmsim/datasets"
	"mmsim/datasets/internal/csvfile"
	"mmsim/datasets/placing"
)

// canPlace reports whether the file has columns that tell where players without coordinates live.
func (h *header) canPlace(o *Options) bool {
	return o.Draw != nil && (h.area.Country >= 0 || h.area.Address >= 0 && o.Addresses != nil)
}

// lacksPlace reports whether the current row has neither latitude nor longitude, and the file has
// other columns that tell where players live.
func (d *dayReader) lacksPlace() bool {
	h := d.header
	return len(csvfile.Trim(d.row.Cells[h.positions[roleLatitude]])) == 0 &&
		len(csvfile.Trim(d.row.Cells[h.positions[roleLongitude]])) == 0 && h.canPlace(d.o)
}

// findPlace sets the position of the current row, which has no coordinates.
func (d *dayReader) findPlace(place *datasets.Place, ms int64) *csvfile.Fault {
	h, c := d.header, &d.cells
	cell := func(position int) []byte {
		if position < 0 {
			return nil
		}
		return csvfile.Trim(d.row.Cells[position])
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
	return &csvfile.Fault{Column: d.column(at), Message: err.Error()}
}

// addAddress adds the cell of the column ip.
func (d *dayReader) addAddress(c *column, cell []byte, row int) (message string) {
	d.cells.Address = netip.Addr{}
	if cell = csvfile.Trim(cell); len(cell) > 0 {
		if d.cells.Address, cell, message = d.addresses.Read(cell, d.row.Line); message != "" {
			return message
		}
	}
	return c.add(cell, false, row, d.row.Line)
}
