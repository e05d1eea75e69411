package value

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"mmsim/cmd/mmsim/yamltree"
)

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
	const pattern = `^[0-9]{1,2}:[0-9]{1,2}(:[0-9]{1,2}(\.[0-9]{1,3})?)?$`
	v := Scalar(p, `a time of day from "00:00" to "23:59:59.999", such as "20:00"`, func() Schema { return PatternSchema(pattern) }, func(n yamltree.Node) (time.Duration, bool) {
		at, ok := ParseClock(n.Text)
		return at, ok && at < 24*time.Hour && isText(n)
	})
	v.Write = func(string) any { return ShortClock(*p) }
	return v
}

// ShortClock formats a time of day without seconds if they are 0.
func ShortClock(at time.Duration) string {
	text := fmt.Sprintf("%02d:%02d", int(at.Hours()), int(at.Minutes())%60)
	if rest := at % time.Minute; rest != 0 {
		text += fmt.Sprintf(":%06.3f", rest.Seconds())
	}
	return text
}
