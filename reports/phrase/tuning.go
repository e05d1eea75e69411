package phrase

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// Tuning is the conclusion of a tuning. If the best trial was compared with the initial settings in
// runs that the search did not use, it says what those runs show, because the best of many trials is
// partly luck.
func Tuning(t *judge.Tuning) string {
	switch {
	case t.Best == 0 || foundNothing(t):
		return Search(t)
	case t.Holdout == nil:
		return Search(t) + ", in the search alone; other runs have not confirmed it"
	}
	return holdout(t) + limits(t)
}

// foundNothing reports whether the initial settings are the best for the only goal.
func foundNothing(t *judge.Tuning) bool {
	return len(t.Goals) == 1 && slices.Equal(t.Trials[t.Best].Values, t.Trials[0].Values)
}

// holdout says whether the holdout confirms that the best trial is better.
func holdout(t *judge.Tuning) string {
	var better, worse, not, values []string
	metrics, runs := t.HoldoutMetrics(), fmt.Sprintf("in %s that the search did not use", words.Plural(t.Holdout.RunsB, "run"))
	for _, goal := range t.Goals {
		at := slices.IndexFunc(metrics, func(d judge.Difference) bool { return d.Name == goal.Name })
		if at < 0 {
			not = append(not, Metric(goal.Name))
			continue
		}
		d := &metrics[at]
		value := Metric(d.Name) + " has no value in both runs of any pair"
		if cells := DifferenceCells(d); d.Runs > 0 {
			value = fmt.Sprintf("%s is %s, %s before (%s)", Metric(d.Name), cells[2], cells[1], d.Verdict)
		}
		values = append(values, value)
		switch {
		case goal.Confirmed(d):
			better = append(better, Effect(d, true))
		case d.Verdict.Shown():
			worse = append(worse, Effect(d, true))
		default:
			not = append(not, Metric(goal.Name))
		}
	}
	switch {
	case len(better) == 0:
		return fmt.Sprintf("The runs that the search did not use do not confirm that trial %d is better: %s", t.Best, strings.Join(values, "; "))
	case len(t.Goals) == 1:
		return fmt.Sprintf("%s with trial %d, %s", Upper(better[0]), t.Best, runs)
	}
	says := []string{"better: " + strings.Join(better, ", ")}
	if len(worse) > 0 {
		says = append(says, "worse: "+strings.Join(worse, ", "))
	}
	if len(not) > 0 {
		says = append(says, "no difference confirmed in "+Enumerate(not))
	}
	return fmt.Sprintf("Trial %d of a front of %d, %s, is %s", t.Best, len(t.Front), runs, strings.Join(says, "; "))
}

// Front is the conclusion of a tuning with several goals as the title of a picture: what the best trial
// changes in the runs that the search did not use or, without such runs, what the front is.
func Front(t *judge.Tuning) string {
	if t.Best == 0 || t.Holdout == nil {
		return Search(t)
	}
	var says []string
	for _, d := range t.HoldoutMetrics() {
		switch {
		case !slices.ContainsFunc(t.Goals, func(g judge.Goal) bool { return g.Name == d.Name }):
		case d.Verdict.Shown():
			says = append(says, Effect(&d, false))
		default:
			says = append(says, NoClaim(Metric(d.Name), d.Verdict))
		}
	}
	return fmt.Sprintf("Trial %d of a front of %d, in %s: %s", t.Best, len(t.Front), words.Plural(t.Holdout.RunsB, "other run"), strings.Join(says, ", "))
}

// limits is a sentence that names the constraints and guarded metrics whose limit the best trial does
// not surely hold in the holdout. It returns "" if there are none.
func limits(t *judge.Tuning) string {
	text := ""
	for _, of := range []struct {
		verdict judge.LimitVerdict
		says    string
	}{{judge.LimitBroken, ". It breaks the limit on %s there"}, {judge.LimitUndecided, ". Whether it holds the limit on %s is undecided"}} {
		var names []string
		for i := range t.Checked {
			if name := Metric(t.Checked[i].Metric); t.Checked[i].Verdict == of.verdict && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			text += fmt.Sprintf(of.says, Enumerate(names))
		}
	}
	return text
}

// Search says what a search has found, by its own trials.
func Search(t *judge.Tuning) string {
	switch {
	case len(judge.WholeTrials(t)) == 0:
		return "No settings have been tried over the whole day yet. The same command continues the search; if the budget is spent, give it a larger one"
	case t.Best == 0:
		return "No settings were found that meet all constraints" + guardToo(t) + "; these come closest"
	case foundNothing(t):
		return fmt.Sprintf("%s: nothing better was found than the initial %s", Upper(Metric(t.Goals[0].Name)), TrialMetric(t, 0, 0))
	case len(t.Goals) == 1:
		return fmt.Sprintf("%s: %s instead of %s", Upper(Metric(t.Goals[0].Name)), TrialMetric(t, t.Best, 0), TrialMetric(t, 0, 0))
	}
	var ranges []string
	for k, goal := range t.Goals {
		along := slices.SortedFunc(slices.Values(t.Front), func(a, b int) int {
			return cmp.Compare(t.Trials[a].Figures[k].Mean, t.Trials[b].Figures[k].Mean)
		})
		ranges = append(ranges, fmt.Sprintf("%s from %s to %s", Metric(goal.Name), TrialMetric(t, along[0], k), TrialMetric(t, along[len(along)-1], k)))
	}
	return fmt.Sprintf("%s that no other choice beats: %s", words.Plural(len(t.Front), "choice"), strings.Join(ranges, ", "))
}

// guardToo mentions the guard if a trial over the whole day fails only because of it.
func guardToo(t *judge.Tuning) string {
	if slices.ContainsFunc(t.Trials, func(trial judge.TuningTrial) bool { return trial.Share == 1 && len(trial.Beyond) > 0 }) {
		return " and the guard"
	}
	return ""
}

// RangeEnd says that the best value of a setting is at the end of what the search could try.
func RangeEnd(e *judge.RangeEnd) string {
	return fmt.Sprintf("the best value of %s is at the end of its %s (%s): widen it", words.Printable(e.Setting), e.Of, words.Printable(spaced(e.Value)))
}

// spaced puts a space between the number and the unit of a duration such as 160ms.
func spaced(value string) string {
	number := strings.TrimRight(value, "µmsh")
	if _, err := strconv.ParseFloat(number, 64); err != nil || number == value {
		return value
	}
	return number + " " + value[len(number):]
}

// TrialMetric formats the value of metric k in a trial with five digits, but with no more decimals
// than files have. If only some runs have the metric, it says how many.
func TrialMetric(t *judge.Tuning, trial, k int) string {
	e := &t.Trials[trial].Figures[k]
	text := words.Quantity(t.Units[k], e.Mean, words.Decimals(t.Units[k], math.Abs(e.Mean)/1000), false)
	if e.Runs > 0 && e.Runs < e.Of {
		text += " (" + words.RunsWith(e.Runs, e.Of) + ")"
	}
	return text
}
