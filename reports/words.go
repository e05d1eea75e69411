package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// thousands writes a count with its digits in groups of three. Decimals, which only
// means of counts have, are shown below a hundred: there they matter.
func thousands[N int | Count](n N) string {
	if Count(n) < 100 && Count(n) > -100 {
		return Count(n).String()
	}
	return inThrees(strconv.FormatFloat(float64(n), 'f', 0, 64))
}

// inThrees sets the digits of a whole number apart in groups of three.
func inThrees(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// percent writes a share with one decimal.
func percent(s Share) string { return fmt.Sprintf("%.1f %%", 100*float64(s)) }

// inSeconds writes a time with as many decimals as it deserves.
func inSeconds(s Seconds) string {
	switch {
	case s >= 10:
		return fmt.Sprintf("%.1f s", float64(s))
	case s >= 0.1 || s == 0:
		return fmt.Sprintf("%.2f s", float64(s))
	}
	return fmt.Sprintf("%.3f s", float64(s))
}

// inMillis writes an RTT with as many decimals as it deserves.
func inMillis(m Millis) string {
	if m >= 100 {
		return fmt.Sprintf("%.0f ms", float64(m))
	}
	return fmt.Sprintf("%.1f ms", float64(m))
}

// threshold writes an RTT limit as it was configured: 50 ms, 62.5 ms.
func threshold(m Millis) string {
	return strconv.FormatFloat(float64(m), 'f', -1, 64) + " ms"
}

// plural writes a count with its noun.
func plural[N int | Count](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		noun += "e" // matches
	}
	return thousands(n) + " " + noun + "s"
}

// inBrackets puts the mean RTT of those who matched in a state into a format; "" where
// nobody did, since a mean of nobody is none.
func (st *StateStats) inBrackets(format string) string {
	if st.Matched == 0 {
		return ""
	}
	return fmt.Sprintf(format, inMillis(st.RTTMean))
}

// inDigits writes a value whose unit is unknown with three digits, or all before the
// point.
func inDigits(v Value) string {
	if math.Abs(float64(v)) >= 999.5 {
		return inThrees(strconv.FormatFloat(float64(v), 'f', 0, 64))
	}
	return strconv.FormatFloat(float64(v), 'g', 3, 64)
}

// nameOf writes a name out of somebody's data: such as can be seen, and cut where it is
// long.
func nameOf(name string) string {
	const most = 30
	name = Printable(name)
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
