package page

import (
	"encoding/binary"

	"mmsim/reports/result"
)

// cellSet numbers the one-degree cells in which players live, from south to north and in each row
// from west to east.
type cellSet struct {
	numbers [180 * 360]int // from 1; 0 if no player lives there
	count   int
}

func cellAt(latitude, longitude int) int { return (latitude+90)*360 + longitude + 180 }

func (s *cellSet) add(latitude, longitude int) { s.numbers[cellAt(latitude, longitude)] = 1 }

// number numbers the cells that were added. It returns their south-west corners in the order of
// the numbers.
func (s *cellSet) number() (latitudes, longitudes []int) {
	latitudes, longitudes = []int{}, []int{}
	for at, inhabited := range s.numbers {
		if inhabited > 0 {
			s.count++
			s.numbers[at] = s.count
			latitudes, longitudes = append(latitudes, at/360-90), append(longitudes, at%360-180)
		}
	}
	return latitudes, longitudes
}

// appendPlanes appends a frame in the format that the scripts of the page read. It appends the
// number of players of every cell to players, and to rtts the mean RTT in ms of every cell that
// has players. Numbers are varints: 7 bits per byte, lowest bits first; the highest bit is set if
// more bytes follow.
func (s *cellSet) appendPlanes(players, rtts []byte, f *result.Frame) ([]byte, []byte) {
	next := 1
	for i := range f.Cells {
		c := &f.Cells[i]
		for cell := s.numbers[cellAt(int(c.Latitude), int(c.Longitude))]; next < cell; next++ {
			players = append(players, 0)
		}
		next++
		players = binary.AppendUvarint(players, uint64(c.Players))
		rtts = binary.AppendUvarint(rtts, uint64(c.RTTMean))
	}
	for ; next <= s.count; next++ {
		players = append(players, 0)
	}
	return players, rtts
}
