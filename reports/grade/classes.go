package grade

import "fmt"

// ClassCount is the number of RTT classes on a map. Each class has its own colour.
const ClassCount = 6

// RTTClasses are the upper limits in ms of the RTT classes. The last class has no limit.
type RTTClasses [ClassCount - 1]float64

// Classes divides RTTs into classes by the limits good and fair, so that a colour on a map shows
// how far an RTT is from good.
func (r *RTTs) Classes() RTTClasses {
	good, fair := float64(r.Good), float64(r.Fair)
	return RTTClasses{good / 2, good, (good + fair) / 2, fair, 2 * fair}
}

// Of returns the class, from 0, of an RTT in ms.
func (c RTTClasses) Of(rtt float64) int {
	for i, limit := range c {
		if rtt <= limit {
			return i
		}
	}
	return len(c)
}

// Names returns the names of the classes for a legend. If the limits good and fair are equal, the
// classes between them are empty and their names are "".
func (c RTTClasses) Names() (names [ClassCount]string) {
	for i, limit := range c {
		switch {
		case i == 0:
			names[i] = fmt.Sprintf("at most %g ms", limit)
		case limit > c[i-1]:
			names[i] = fmt.Sprintf("%g–%g", c[i-1], limit)
		}
	}
	names[len(c)] = fmt.Sprintf("more than %g ms", c[len(c)-1])
	return names
}
