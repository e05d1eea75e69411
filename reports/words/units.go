package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
)

// Decimals returns how many decimals show the first two digits of margin, but no more decimals
// than files have. It returns 0 if margin is not above 0.
func Decimals(u outcome.Unit, margin float64) int {
	most := 6
	switch u {
	case outcome.UnitSeconds:
		most = 3
	case outcome.UnitMillis:
		most = 2
	case outcome.UnitShare:
		most, margin = 3, margin*100
	}
	if !(margin > 0) {
		return 0
	}
	return max(0, min(most, 1-int(math.Floor(math.Log10(margin)))))
}

// Number formats a number without its unit. If plus is true, a positive number begins with +.
func Number(u outcome.Unit, x float64, decimals int, plus bool) string {
	if u == outcome.UnitShare {
		x *= 100
	}
	written := strconv.FormatFloat(x, 'f', decimals, 64)
	if whole, rest, isFraction := strings.Cut(written, "."); isFraction {
		written = Threes(whole) + "." + rest
	} else {
		written = Threes(whole)
	}
	if plus && x > 0 {
		written = "+" + written
	}
	return written
}

// unmeasured stands for a statistic that describes nobody.
const unmeasured = "-"

// Quantity formats a number with its unit.
func Quantity(u outcome.Unit, x float64, decimals int, plus bool) string {
	if math.IsNaN(x) {
		return unmeasured
	}
	if sign := u.Sign(); sign != "" {
		return Number(u, x, decimals, plus) + " " + sign
	}
	return Number(u, x, decimals, plus)
}

// Change formats the difference between two numbers with its sign. Differences of shares are in
// percentage points, because "%" could be read as a relative change.
func Change(u outcome.Unit, x float64, decimals int) string {
	if u == outcome.UnitShare && !math.IsNaN(x) {
		return Number(u, x, decimals, true) + " pp"
	}
	return Quantity(u, x, decimals, true)
}

// ShortestDecimals returns the number of decimals that x needs, at most 6.
func ShortestDecimals(u outcome.Unit, x float64) int {
	if u == outcome.UnitShare {
		x *= 100
	}
	decimals := 0
	for scale := 1.0; decimals < 6 && math.Abs(float64(x*scale)-math.Round(x*scale)) > 1e-9*math.Abs(x*scale); decimals++ {
		scale *= 10
	}
	return decimals
}

// SignedPercent formats a relative change. A change that rounds to 0 has no sign.
func SignedPercent(share float64) string {
	if math.Abs(share) < 0.0005 {
		return "0.0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*share)
}

// Position formats a position on the earth, in degrees.
func Position(latitude, longitude float64) string {
	degrees := func(x float64, positive, negative string) string {
		if x < 0 {
			positive = negative
		}
		return fmt.Sprintf("%.0f° %s", math.Abs(x), positive)
	}
	return degrees(latitude, "N", "S") + ", " + degrees(longitude, "E", "W")
}
