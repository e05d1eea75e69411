package histogram

import (
	"math"

	"mmsim/reports/outcome"
)

// Decimals is a histogram of numbers that are not negative. It rounds them to five significant
// digits, which bounds the memory: a page of the histogram covers about a thousand distinct numbers.
// The mean is computed from the unrounded numbers.
type Decimals struct {
	Histogram
	sum float64
}

// Numbers below 10^lowestPower count as 0. A number m * 10^(e-4), with m from 10,000 to 99,999, is
// counted under the key (e-lowestPower)*digits + m - 10,000 + 1.
const (
	lowestPower = -15
	digits      = 90_000
	firstDigits = 10_000
)

// Add counts x, which must not be negative.
func (d *Decimals) Add(x float64) {
	d.sum += x
	d.Histogram.Add(encodeDecimal(x))
}

func encodeDecimal(x float64) uint64 {
	if x < math.Pow10(lowestPower) {
		return 0
	}
	power := int(math.Floor(math.Log10(x)))
	m := math.Round(x / math.Pow10(power-4))
	switch { // correct m if rounding put it into the next power of ten
	case m >= 10*firstDigits:
		power++
		m = math.Round(x / math.Pow10(power-4))
	case m < firstDigits:
		power--
		m = min(math.Round(x/math.Pow10(power-4)), 10*firstDigits-1)
	}
	return uint64(power-lowestPower)*digits + uint64(m) - firstDigits + 1
}

func decodeDecimal(code uint64) float64 {
	if code == 0 {
		return 0
	}
	code--
	return float64(code%digits+firstDigits) * math.Pow10(int(code/digits)+lowestPower-4)
}

// Stat returns the statistics of the counted numbers.
func (d *Decimals) Stat(name string) outcome.PlacementStat {
	p, count := d.Percentiles(10, 50, 90), d.Count()
	return outcome.PlacementStat{
		Name: name, Count: outcome.Count(count), Avg: outcome.RoundValue(outcome.Ratio(d.sum, float64(count))),
		P10: outcome.RoundValue(decodeDecimal(p[0])), P50: outcome.RoundValue(decodeDecimal(p[1])), P90: outcome.RoundValue(decodeDecimal(p[2])),
	}
}
