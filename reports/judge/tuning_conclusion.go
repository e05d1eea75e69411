package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/words"
)

// TuningConclusion summarises the result of tuning. If the best trial was compared with the initial
// settings in runs that the search did not use, it says what those runs show, because the best of
// many trials is partly luck.
func TuningConclusion(t *Tuning) string {
	switch {
	case t.Best == 0 || t.foundNothing():
		return SearchConclusion(t)
	case t.Holdout == nil:
		return strings.TrimSuffix(SearchConclusion(t), ".") + ", in the search alone; other runs have not confirmed it."
	}
	return t.holdoutConclusion() + t.limitsConclusion()
}

// foundNothing reports whether the initial settings are the best for the only goal.
func (t *Tuning) foundNothing() bool {
	return len(t.Goals) == 1 && slices.Equal(t.Trials[t.Best].Values, t.Trials[0].Values)
}

// holdoutConclusion says whether the holdout confirms that the best trial is better.
func (t *Tuning) holdoutConclusion() string {
	var better, worse, not, values []string
	metrics := t.HoldoutMetrics()
	for k, goal := range t.Goals {
		at := slices.IndexFunc(metrics, func(d Difference) bool { return d.Name == goal.Name })
		name := words.Printable(goal.Name)
		if at < 0 {
			not = append(not, name)
			continue
		}
		d := &metrics[at]
		cells := DifferenceCells(d)
		values = append(values, fmt.Sprintf("%s is %s, %s before (%s)", name, cells[2], cells[1], d.Verdict))
		if d.Runs == 0 {
			values[len(values)-1] = name + " has no value in both runs of any pair"
		}
		switch {
		case goal.Confirmed(d):
			better = append(better, name)
		case d.Verdict.Shown():
			worse = append(worse, name)
		default:
			not = append(not, name)
		}
		if k == 0 && len(t.Goals) == 1 && len(better) == 1 {
			return fmt.Sprintf("%s: %s, %s before, in %s that the search did not use.", name, cells[2], cells[1], words.Plural(t.Holdout.RunsB, "run"))
		}
	}
	if len(better) == 0 {
		return fmt.Sprintf("The runs that the search did not use do not confirm that trial %d is better: %s.", t.Best, strings.Join(values, "; "))
	}
	says := []string{"better in " + enumerate(better)}
	if len(worse) > 0 {
		says = append(says, "worse in "+enumerate(worse))
	}
	if len(not) > 0 {
		says = append(says, "no difference confirmed in "+enumerate(not))
	}
	return fmt.Sprintf("Trial %d of a front of %d, in %s that the search did not use: %s.",
		t.Best, len(t.Front), words.Plural(t.Holdout.RunsB, "run"), strings.Join(says, "; "))
}

// limitsConclusion names the constraints and guarded metrics whose limit the best trial does not
// surely hold in the holdout. It returns "" if there are none.
func (t *Tuning) limitsConclusion() string {
	text := ""
	for _, of := range []struct {
		verdict LimitVerdict
		says    string
	}{{LimitBroken, " It breaks the limit on %s there."}, {LimitUndecided, " Whether it holds the limit on %s is undecided."}} {
		var names []string
		for i := range t.Checked {
			if t.Checked[i].Verdict == of.verdict && !slices.Contains(names, t.Checked[i].Metric) {
				names = append(names, t.Checked[i].Metric)
			}
		}
		if len(names) > 0 {
			text += fmt.Sprintf(of.says, enumerate(names))
		}
	}
	return text
}

// SearchConclusion summarises what a search has found, by its own trials.
func SearchConclusion(t *Tuning) string {
	switch {
	case len(WholeTrials(t)) == 0:
		return "No settings have been tried over the whole day yet. The same command continues the search; if the budget is spent, give it a larger one."
	case t.Best == 0:
		return "No settings were found that meet all constraints" + t.guardWords() + "; these come closest."
	case t.foundNothing():
		return fmt.Sprintf("%s: nothing better was found than the initial %s.", words.Printable(t.Goals[0].Name), MetricText(t, 0, 0))
	case len(t.Goals) == 1:
		return fmt.Sprintf("%s: %s, %s before.", words.Printable(t.Goals[0].Name), MetricText(t, t.Best, 0), MetricText(t, 0, 0))
	}
	var ranges []string
	for k, goal := range t.Goals {
		along := slices.SortedFunc(slices.Values(t.Front), func(a, b int) int {
			return cmp.Compare(t.Trials[a].Figures[k].Mean, t.Trials[b].Figures[k].Mean)
		})
		ranges = append(ranges, fmt.Sprintf("%s from %s to %s", words.Printable(goal.Name), MetricText(t, along[0], k), MetricText(t, along[len(along)-1], k)))
	}
	return fmt.Sprintf("%s that no other choice beats: %s.", words.Plural(len(t.Front), "choice"), strings.Join(ranges, ", "))
}

// guardWords mentions the guard if a trial over the whole day fails only because of it.
func (t *Tuning) guardWords() string {
	if slices.ContainsFunc(t.Trials, func(trial TuningTrial) bool { return trial.Share == 1 && len(trial.Beyond) > 0 }) {
		return " and the guard"
	}
	return ""
}

// EndWords says that the best value of a setting is at the end of what the search could try.
func EndWords(e *RangeEnd) string {
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

// WholeTrials returns the trials that simulated the whole day and can be compared in all goals. It
// omits trial 0, the initial settings.
func WholeTrials(t *Tuning) []int {
	var list []int
	for i := range t.Trials {
		trial := &t.Trials[i]
		if i > 0 && trial.Share == 1 && trial.Refused == "" && len(t.NotComparable(i)) == 0 {
			list = append(list, i)
		}
	}
	return list
}

// MetricText formats the value of metric k in a trial with five digits, but with no more decimals
// than files have. If only some runs have the metric, it says how many.
func MetricText(t *Tuning, trial, k int) string {
	e := &t.Trials[trial].Figures[k]
	text := words.Quantity(t.Units[k], e.Mean, words.Decimals(t.Units[k], math.Abs(e.Mean)/1000), false)
	if e.Runs > 0 && e.Runs < e.Of {
		text += " (" + words.RunsWith(e.Runs, e.Of) + ")"
	}
	return text
}
