package collect

import "mmsim/reports/setup"

// spot has the data of a place that the Collector needs, in 4 bytes. Players arrive in random
// order, so reading a player's spot often misses the cache. A small table causes fewer misses.
type spot struct {
	cell      uint16 // index into Collector.cells
	continent uint8
}

// cell is the position of a cell of the map.
type cell struct{ row, column int }

// locate returns a spot for every place, and the map cells that contain a place, ordered from
// south to north and then from west to east.
func locate(places []setup.Place) (spots []spot, cells []cell) {
	var inhabited [180][360]bool
	for _, p := range places {
		row, column := p.Cell()
		inhabited[row][column] = true
	}
	var index [180][360]uint16
	for row := range inhabited {
		for column, yes := range inhabited[row] {
			if yes {
				index[row][column] = uint16(len(cells))
				cells = append(cells, cell{row, column})
			}
		}
	}
	spots = make([]spot, len(places))
	for i, p := range places {
		row, column := p.Cell()
		spots[i] = spot{cell: index[row][column], continent: p.Continent}
	}
	return spots, cells
}
