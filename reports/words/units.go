package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
)

// Decimals is how many decimals show two digits of a margin, and no more than files
// have; 0 without one.
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

// Number writes a number in its unit, without the sign of the unit; plus asks for a
// sign in front of what is above 0.
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

// Quantity writes a number with the sign of its unit; a dash where there is none.
func Quantity(u outcome.Unit, x float64, decimals int, plus bool) string {
	if math.IsNaN(x) {
		return "-"
	}
	if sign := u.Sign(); sign != "" {
		return Number(u, x, decimals, plus) + " " + sign
	}
	return Number(u, x, decimals, plus)
}

// Change writes a difference of two numbers with its sign; that of shares is in percentage
// points, so that it is not taken for a percentage of one of them.
func Change(u outcome.Unit, x float64, decimals int) string {
	if u == outcome.UnitShare && !math.IsNaN(x) {
		return Number(u, x, decimals, true) + " pp"
	}
	return Quantity(u, x, decimals, true)
}

// ShortestDecimals is how many decimals a bound was written with, at most 6.
func ShortestDecimals(u outcome.Unit, x float64) int {
	if u == outcome.UnitShare {
		x *= 100
	}
	decimals := 0
	for scale := 1.0; decimals < 6 && math.Abs(x*scale-math.Round(x*scale)) > 1e-9*math.Abs(x*scale); decimals++ {
		scale *= 10
	}
	return decimals
}

// SignedPercent writes a change as a share of what was; one too small to show has no sign.
func SignedPercent(share float64) string {
	if math.Abs(share) < 0.0005 {
		return "0.0 %"
	}
	return fmt.Sprintf("%+.1f %%", 100*share)
}
