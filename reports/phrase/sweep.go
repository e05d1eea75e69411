package phrase

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// Sweep is the conclusion of a sweep: the best combination in each of its first two metrics that are
// about different things.
func Sweep(s *judge.Sweep) string {
	t := s.Table()
	var says []string
	kind := ""
	for _, b := range t.Best() {
		name := t.Metrics[b.Metric]
		if b.Point < 0 || kindOf(name) == kind || len(says) == 2 {
			continue
		}
		kind = kindOf(name)
		e := &t.Estimates[b.Metric][b.Point]
		text := fmt.Sprintf("%s is best with %s (%s", Metric(name), Assignments(s.Settings, s.Points[b.Point].Values),
			words.Quantity(t.Units[b.Metric], e.Mean, words.Decimals(t.Units[b.Metric], math.Abs(e.Mean)/10), false))
		if n := len(b.Rivals); n > 0 {
			text += fmt.Sprintf("; %d of %d others may be as good", n, b.Others)
		}
		says = append(says, text+")")
	}
	if len(says) == 0 {
		return fmt.Sprintf("No combination of %s is best", Enumerate(s.Settings))
	}
	return upper(strings.Join(says, ", "))
}

// Assignments formats settings with their values.
func Assignments(settings, values []string) string {
	parts := make([]string, len(settings))
	for i, key := range settings {
		parts[i] = words.Printable(key + " = " + values[i])
	}
	return strings.Join(parts, ", ")
}
