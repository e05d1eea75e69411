package builtin

import (
	"math"
	"time"

	"mmsim/datasets"
)

// hourly is the rate of joins at each full hour of local time, relative to the daily mean. It is
// high from midday to midnight and low from the small hours to midday. The values fit published
// descriptions.
var hourly = [24]float64{
	0.85, 0.55, 0.38, 0.30, 0.28, 0.30, 0.36, 0.45, 0.55, 0.68, 0.80, 0.92,
	1.05, 1.12, 1.18, 1.28, 1.40, 1.52, 1.66, 1.82, 1.92, 1.86, 1.60, 1.20,
}

// rateAt returns the rate of joins at a second of the local day, interpolated between the values of
// hourly. The second may lie before the start or after the end of the day.
func rateAt(second int) float64 {
	second = (second%86400 + 86400) % 86400
	hour, part := second/3600, float64(second%3600)/3600
	return float64(hourly[hour]*(1-part)) + float64(hourly[(hour+1)%24]*part)
}

// quarters is the number of quarter hours in a day. UTC offsets are whole quarters, and clocks
// change only between quarters, so the rate of joins is linear within each quarter.
const quarters = 96

const millisPerQuarter = datasets.MillisPerDay / quarters

// dayCurve is the rate of joins in one time zone over a day in UTC.
type dayCurve struct {
	first, last [quarters]float64     // rate at the start and the end of each quarter; the mean of an ordinary day is 1
	before      [quarters + 1]float64 // share of an ordinary day's joins before each quarter; the last entry is the total
}

// newDayCurve returns the curve of a zone on the day that begins at midnight UTC. Without weekend
// and spike factors, it integrates to 1 in every zone, even if clocks change on that day.
func newDayCurve(zone *time.Location, midnight time.Time, weekend float64, spike Spike) *dayCurve {
	c := &dayCurve{}
	sum := 0.0
	var factor [quarters]float64
	for q := range quarters {
		local := midnight.Add(time.Duration(q) * 15 * time.Minute).In(zone)
		second := local.Hour()*3600 + local.Minute()*60 + local.Second()
		c.first[q], c.last[q] = rateAt(second), rateAt(second+900)
		sum += (c.first[q] + c.last[q]) / 2
		factor[q] = 1
		if day := local.Weekday(); day == time.Saturday || day == time.Sunday {
			factor[q] *= weekend
		}
		if q/4 == spike.Hour {
			factor[q] *= spike.Factor
		}
	}
	mean := sum / quarters
	for q := range quarters {
		c.first[q] *= factor[q] / mean
		c.last[q] *= factor[q] / mean
		c.before[q+1] = c.before[q] + (c.first[q]+c.last[q])/2/quarters
	}
	return c
}

// total returns the number of joins relative to an ordinary day.
func (c *dayCurve) total() float64 { return c.before[quarters] }

// instant returns the millisecond at which the share y of an ordinary day's joins has arrived. y
// must lie in quarter q: before[q] <= y < before[q+1].
func (c *dayCurve) instant(q int, y float64) uint32 {
	// The rate goes from a to b during the quarter. Solve a·x + (b-a)·x²/2 = area for x.
	a, area := c.first[q], (y-c.before[q])*quarters
	root := math.Sqrt(float64(a*a) + float64(2*(c.last[q]-a)*area))
	ms := uint32(2 * area / (a + root) * millisPerQuarter)
	return uint32(q)*millisPerQuarter + min(ms, millisPerQuarter-1)
}
