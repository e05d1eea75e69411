package reports

import "fmt"

// rttClasses are the upper limits of the classes of rttColours but the last, in ms.
// They follow the thresholds of the run: a colour says which state would do.
type rttClasses [len(rttColours) - 1]float64

func newRTTClasses(t *Thresholds) rttClasses {
	ideal, expand := float64(t.Ideal), float64(t.Expand)
	return rttClasses{ideal / 2, ideal, (ideal + expand) / 2, expand, 2 * expand}
}

// of returns the class of an RTT in ms.
func (c rttClasses) of(rtt float64) int {
	for i, limit := range c {
		if rtt <= limit {
			return i
		}
	}
	return len(c)
}

// key is the legend of the classes. With equal thresholds the classes between them
// are empty and left out.
func (c rttClasses) key() []keyEntry {
	var key []keyEntry
	for i, limit := range c {
		switch {
		case i == 0:
			key = append(key, keyEntry{fmt.Sprintf("at most %g ms", limit), rttColours[i], false})
		case limit > c[i-1]:
			key = append(key, keyEntry{fmt.Sprintf("%g–%g", c[i-1], limit), rttColours[i], false})
		}
	}
	return append(key, keyEntry{fmt.Sprintf("more than %g ms", c[len(c)-1]), rttColours[len(c)], false})
}
