package value

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// DurationPattern matches everything that ParseDuration accepts, and little else.
const DurationPattern = `^[-+]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d))+)$`

// ParseDuration is like time.ParseDuration, with the unit d for days of 24 hours. Days come first,
// as in 1d12h.
func ParseDuration(text string) (time.Duration, error) {
	before, rest, has := strings.Cut(text, "d")
	if !has {
		return time.ParseDuration(text)
	}
	hours, err := time.ParseDuration(before + "h")
	if err != nil || math.Abs(hours.Hours()) > maxDays || strings.ContainsAny(before, "nuµμmsh") {
		_, err := time.ParseDuration(text) // says what is wrong with the text
		return 0, err
	}
	days := hours * 24
	if rest == "" {
		return days, nil
	}
	if strings.HasPrefix(before, "-") {
		rest = "-" + rest
	}
	more, err := time.ParseDuration(rest)
	return days + more, err
}

// maxDays is the largest number of days in a duration, which is far beyond all limits.
const maxDays = 10_000

// longestInHours is the longest duration that Short writes in hours.
const longestInHours = 240 * time.Hour

// Short formats a duration without trailing zero units: 24h instead of 24h0m0s. A long duration of
// whole days is written in days.
func Short(d time.Duration) string {
	if days := d / (24 * time.Hour); d > longestInHours && d%(24*time.Hour) == 0 {
		return strconv.FormatInt(int64(days), 10) + "d"
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// Millis returns a Value like Span for a duration that is a number of milliseconds.
func Millis[T ~int64](p *T, low, high time.Duration) Value {
	var d time.Duration
	v := Span(&d, low, high).Then(func() { *p = T(d.Milliseconds()) })
	v.Write = func(string) any { return Short(time.Duration(*p) * time.Millisecond) }
	return v
}
