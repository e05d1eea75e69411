package worldmap

import "mmsim/reports/result"

// A Mark stands for the players who live in one square of a map.
type Mark struct {
	Longitude, Latitude float64 // mean position of its players
	Players             int
	RTT                 float64 // mean RTT of its players, in ms
}

// Join joins neighbouring cells into larger and larger squares until there are at most
// most marks.
func Join(cells []result.Cell, most int) []Mark {
	for size := 1; ; size *= 2 {
		columns := 360 / size
		if 360%size != 0 {
			columns++
		}
		index := make([]int32, columns*(180/size+1))
		var marks []Mark
		for i := range cells {
			c := &cells[i]
			if c.Players == 0 {
				continue
			}
			at := (c.Latitude+90)/size*columns + (c.Longitude+180)/size
			if index[at] == 0 {
				marks = append(marks, Mark{})
				index[at] = int32(len(marks))
			}
			k, n := &marks[index[at]-1], float64(c.Players)
			k.Longitude += float64(n * (float64(c.Longitude) + 0.5))
			k.Latitude += float64(n * (float64(c.Latitude) + 0.5))
			k.RTT += float64(n * float64(c.RTTMean))
			k.Players += c.Players
		}
		if len(marks) > most && size < 90 {
			continue
		}
		for i := range marks {
			k := &marks[i]
			n := float64(k.Players)
			k.Longitude, k.Latitude, k.RTT = k.Longitude/n, k.Latitude/n, k.RTT/n
		}
		return marks
	}
}
