// Package words formats counts, quantities and names for people who read terminals, pages and
// pictures; files for machines have all digits instead. It also writes the help about metrics, and
// finds the entries of a help that a user asks for.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
)

// Thousands formats a count with its digits in groups of three. A mean of counts below 100 is
// shown with decimals.
func Thousands[N int | outcome.Count](n N) string {
	if outcome.Count(n) < 100 && outcome.Count(n) > -100 {
		return outcome.Count(n).String()
	}
	return Threes(strconv.FormatFloat(float64(n), 'f', 0, 64))
}

// MeanCount formats a mean of counts as a whole number or, below 10, with two significant digits,
// so that a small mean is not shown as 0.
func MeanCount(mean float64) string {
	if mean < 9.95 && mean > 0 {
		return strconv.FormatFloat(mean, 'g', 2, 64)
	}
	return Threes(strconv.FormatFloat(math.Round(mean), 'f', 0, 64))
}

// Threes divides the digits of a whole number into groups of three.
func Threes(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Percent formats a share with one decimal. A share that would then be shown as 0.0 % or 100.0 %,
// although it is not exactly 0 or 1, gets up to three decimals, or is written as "less than 0.001 %"
// or "more than 99.999 %".
func Percent(s outcome.Share) string {
	percent := 100 * float64(s)
	switch {
	case math.IsNaN(percent):
		return unmeasured
	case percent <= 0 || percent >= 0.05 && percent < 99.95 || percent >= 100:
		return fmt.Sprintf("%.1f %%", percent)
	case percent < 0.0005:
		return "less than 0.001 %"
	case percent >= 99.9995:
		return "more than 99.999 %"
	case percent >= 99.95 && percent < 99.995:
		return fmt.Sprintf("%.2f %%", percent)
	}
	return strings.TrimRight(strconv.FormatFloat(percent, 'f', 3, 64), "0") + " %"
}

// PercentOf formats part/whole like Percent, without first rounding it to the digits of a Share.
func PercentOf[N int | outcome.Count](part, whole N) string {
	if whole == 0 {
		return Percent(0)
	}
	return Percent(outcome.Share(float64(part) / float64(whole)))
}

// Seconds formats a time. The shorter it is, the more decimals it has.
func Seconds(s outcome.Seconds) string {
	switch {
	case math.IsNaN(float64(s)):
		return unmeasured
	case s >= 10:
		return fmt.Sprintf("%.1f s", float64(s))
	case s >= 0.1 || s == 0:
		return fmt.Sprintf("%.2f s", float64(s))
	}
	return fmt.Sprintf("%.3f s", float64(s))
}

// Millis formats an RTT. Below 100 ms it has one decimal.
func Millis(m outcome.Millis) string {
	switch {
	case math.IsNaN(float64(m)):
		return unmeasured
	case m >= 100:
		return fmt.Sprintf("%.0f ms", float64(m))
	}
	return fmt.Sprintf("%.1f ms", float64(m))
}

// Threshold formats an RTT limit as it was configured, such as 50 ms or 62.5 ms.
func Threshold(m outcome.Millis) string {
	return strconv.FormatFloat(float64(m), 'f', -1, 64) + " ms"
}

// Plural formats a count with its noun.
func Plural[N int | outcome.Count](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "ss") {
		noun += "e" // matches, passes
	}
	return Thousands(n) + " " + noun + "s"
}

// Verb returns the form of a verb that agrees with n things.
func Verb(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Digits formats a value whose unit is unknown with three significant digits, or more if it has
// more digits before the decimal point.
func Digits(v outcome.Value) string {
	switch {
	case math.IsNaN(float64(v)):
		return unmeasured
	case math.Abs(float64(v)) >= 999.5:
		return Threes(strconv.FormatFloat(float64(v), 'f', 0, 64))
	}
	return strconv.FormatFloat(float64(v), 'g', 3, 64)
}

// Each returns what text returns for each item of a list, such as the rows of a table.
func Each[S ~[]T, T, R any](list S, text func(T) R) []R {
	texts := make([]R, len(list))
	for i, item := range list {
		texts[i] = text(item)
	}
	return texts
}

// Name makes a name from a data file printable and shortens it if it is long.
func Name(name string) string {
	const most = 30
	name = Printable(name)
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

// Span formats a duration, such as 24 h, 1 h 30 min or 45 s.
func Span(s outcome.Seconds) string {
	whole := int(s)
	if whole < 60 {
		return fmt.Sprintf("%g s", float64(s))
	}
	var parts []string
	for _, unit := range []struct {
		seconds int
		name    string
	}{{3600, "h"}, {60, "min"}, {1, "s"}} {
		if n := whole / unit.seconds; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit.name))
			whole %= unit.seconds
		}
	}
	return strings.Join(parts, " ")
}
