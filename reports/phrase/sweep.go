package phrase

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// Sweep is the conclusion of a sweep: the best combination in each of its first two metrics that are
// about different things, if the runs show a difference between the lowest and the highest mean.
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
		// The title of the metric's picture asks the same question.
		if _, _, d := t.Extremes(b.Metric); len(t.Admitted(b.Metric)) > 1 && !d.Verdict.Shown() && d.Verdict != judge.VerdictUnknown {
			says = append(says, NoClaim(Metric(name), d.Verdict))
			continue
		}
		e := &t.Estimates[b.Metric][b.Point]
		text := fmt.Sprintf("%s is best with %s (%s", Metric(name), Assignments(s.Settings, s.Points[b.Point].Values),
			words.Quantity(t.Units[b.Metric], e.Mean, words.Decimals(t.Units[b.Metric], math.Abs(e.Mean)/10), false))
		if n := len(b.Rivals); n > 0 {
			text += fmt.Sprintf("; %d of %d others may be as good", n, b.Others)
		}
		says = append(says, text+")")
	}
	if len(says) == 0 {
		return fmt.Sprintf("No combination of %s is best", Enumerate(words.Each(s.Settings, Setting)))
	}
	return Upper(strings.Join(says, ", "))
}

// Assignments formats settings in words with their values, such as "match size 4, ideal threshold 50 ms".
func Assignments(settings, values []string) string {
	parts := make([]string, len(settings))
	for i, key := range settings {
		parts[i] = Setting(key) + " " + words.Printable(spaced(values[i]))
	}
	return strings.Join(parts, ", ")
}

// settingWords has the settings that sweeps and searches change most often in words.
var settingWords = map[string]string{
	"datacenters.use": "datacenters", "dataset.scale": "scale of the day", "dataset.builtin.joins": "joins of the day",
	"states.ideal.rtt": "ideal threshold", "states.ideal.for": "time in IDEAL", "states.expand.rtt": "expand threshold", "states.expand.for": "time in EXPAND", "states.warmbody.for": "time in WARMBODY",
	"match.size": "match size", "match.prefer": "preferred match", "match.order": "order of tickets", "match.length": "match length", "match.partner_cooldown": "partner cooldown",
	"players.play_again": "chance to play again", "players.between_matches": "time between matches", "players.give_up_after": "give-up time",
	"clock.tick": "tick",
}

// Setting returns the key of a setting in words. A value inside a ruleset has the names of its rule and
// of the value: "Skill Difference". Other keys stay.
func Setting(key string) string {
	if says, is := settingWords[key]; is {
		return says
	}
	if path, is := strings.CutPrefix(key, "rules."); is {
		parts := strings.Split(path, ".")
		return words.Printable(strings.Join(parts[max(0, len(parts)-2):], " "))
	}
	return words.Printable(key)
}
