package timelapse

import "mmsim/reports/setup"

// Spot has the data of a place that a collector needs, in 4 bytes. Players arrive in random
// order, so reading a player's spot often misses the cache. A small table causes fewer misses.
type Spot struct {
	Cell      uint16 // index into the cells of Locate
	Continent uint8
}

// Cell is the position of a cell of the map.
type Cell struct{ Row, Column int }

// Locate returns a spot for every place, and the map cells that contain a place, ordered from
// south to north and then from west to east.
func Locate(places []setup.Place) (spots []Spot, cells []Cell) {
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
				cells = append(cells, Cell{row, column})
			}
		}
	}
	spots = make([]Spot, len(places))
	for i, p := range places {
		row, column := p.Cell()
		spots[i] = Spot{Cell: index[row][column], Continent: p.Continent}
	}
	return spots, cells
}
