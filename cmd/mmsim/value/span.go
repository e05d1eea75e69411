package value

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/yamltree"
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

// clockForm is HH:MM, or HH:MM:SS with up to three digits after a decimal point.
var clockForm = regexp.MustCompile(`^(\d{1,4}):([0-5]?\d)(?::([0-5]?\d)(?:\.(\d{1,3}))?)?$`)

// ParseClock parses a time of the run. A time of 24 hours or more is on a later day.
func ParseClock(text string) (at time.Duration, ok bool) {
	parts := clockForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	parts[4] = (parts[4] + "000")[:3]
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second, time.Millisecond} {
		n, _ := strconv.Atoi(parts[i+1]) // clockForm allows only digits, or nothing for seconds
		at += time.Duration(n) * unit
	}
	return at, true
}

// Clock returns a Value for a time of day.
func Clock(p *time.Duration) Value {
	const expects = `a time of day from "00:00" to "23:59:59.999", such as "20:00"`
	schema := func() Schema { return PatternSchema(`^[0-9]{1,2}:[0-9]{1,2}(:[0-9]{1,2}(\.[0-9]{1,3})?)?$`) }
	v := Scalar(p, expects, schema, func(n yamltree.Node) (time.Duration, bool) {
		at, ok := ParseClock(n.Text)
		return at, ok && at < 24*time.Hour && isText(n)
	})
	v.Write = func(string) any {
		text := fmt.Sprintf("%02d:%02d", int(p.Hours()), int(p.Minutes())%60)
		if rest := *p % time.Minute; rest != 0 { // seconds that are 0 are left out
			text += fmt.Sprintf(":%06.3f", rest.Seconds())
		}
		return text
	}
	return v
}
