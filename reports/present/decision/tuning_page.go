package decision

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// A Choice is the configuration of a trial on the front.
type Choice struct {
	Trial      int
	File, Text string
}

// TuningPage returns the page about a tuning. choices has the configurations of the front.
func TuningPage(t *judge.Tuning, choices []Choice, from *Sources) *present.Page {
	p := &present.Page{
		Kind: "tuning", Title: strings.TrimSuffix(judge.TuningConclusion(t), "."), Facts: originFacts(t.Samples), Answers: tuningAnswers(t),
		Words: []string{tuningGoals(t), t.Budget}, Warnings: slices.Clone(t.Warnings),
	}
	for i := range t.AtEnd {
		p.Warnings = append(p.Warnings, judge.EndWords(&t.AtEnd[i]))
	}
	if !t.Complete {
		p.Partial = "This search was interrupted: this page shows what it has found so far. The same command continues it."
	}
	found := present.PageSection{Section: present.Section{ID: "found", Title: "Results"}, Plots: pictures.Tuning(t)}
	table := *tuningTable(t, math.MaxInt)
	switch {
	case len(t.Front) == 0:
		table.Title, table.Note = "Nearest trials", "No trial over the whole day meets all constraints; these come closest."
	case len(t.Goals) == 1:
		table.Title, table.Note = "Best trial", "These are the numbers of the search. In the folder of this page, mmsim run --config best.yaml simulates it."
	default:
		table.Title, table.Note = "Front", "The choices that no other choice beats in all goals, by the numbers of the search. The best is the compromise between them. In the folder of this page, mmsim run --config front/N.yaml simulates trial N."
	}
	found.Tables = append(found.Tables, table)
	for _, choice := range choices {
		title := fmt.Sprintf("Configuration of trial %d (%s): %s", choice.Trial, assignments(t.Settings, t.Trials[choice.Trial].Values), choice.File)
		found.Listings = append(found.Listings, present.Listing{Title: title, Text: choice.Text, Folded: true})
	}
	p.Sections = append(p.Sections, found)
	if len(t.Bounds)+len(t.Guard) > 0 {
		p.Sections = append(p.Sections, present.PageSection{Section: present.Section{ID: "constraints", Title: "Constraints", Tables: limitTables(t)}})
	}
	if t.Holdout != nil {
		p.Sections = append(p.Sections, holdoutSection(t))
	}
	trials := present.PageSection{Section: present.Section{ID: "trials", Title: "Trials", Tables: []present.Table{trialsTable(t)}}}
	if t.Refused() > 0 {
		trials.Tables = append(trials.Tables, refusedTable(t))
	}
	trials.Tables = append(trials.Tables, meaningsTable(t.Names))
	p.Sections = append(p.Sections, trials, from.reproduceSection(t.Samples))
	return p
}

// holdoutSection compares the best trial with the initial settings in runs that the search did not
// use.
func holdoutSection(t *judge.Tuning) present.PageSection {
	table := *holdoutTable(t.HoldoutMetrics())
	table.Head[4] = "relative"
	table.Title = fmt.Sprintf("Trial %d in %s that the search did not use", t.Best, words.Plural(t.Holdout.RunsB, "run"))
	table.Note = "The best of many trials is partly luck: these runs show how much of its lead remains. Differences are best minus before, with 95 % intervals over pairs of runs with the same random numbers."
	table.Note = strings.Join(append([]string{table.Note}, coverage(t.Holdout.Joins)...), " ")
	section := present.PageSection{Section: present.Section{ID: "holdout", Title: "Comparison in other runs", Tables: []present.Table{table}}}
	if worse := t.HoldoutWorse(); len(worse) > 0 {
		table := *holdoutTable(worse)
		table.Head[4], table.Title = "relative", worseHeading
		section.Tables = append(section.Tables, table)
	}
	return section
}

// tuningGoals describes the goals of the search.
func tuningGoals(t *judge.Tuning) string {
	var parts []string
	for _, goal := range t.Goals {
		if goal.Maximise {
			parts = append(parts, goal.Name+" as high as possible")
		} else {
			parts = append(parts, goal.Name+" as low as possible")
		}
	}
	text := fmt.Sprintf("The search tried %s: %s", words.Plural(len(t.Trials)-1, "trial"), strings.Join(parts, ", "))
	if len(t.Bounds) > 0 {
		text += fmt.Sprintf(", within %s", words.Plural(len(t.Bounds), "constraint"))
	}
	if len(t.Guard) > 0 {
		text += "; guarded: " + guardTerms(t.Guard, "the initial settings")
	}
	return text + ". All trials are simulated with the same players and random numbers."
}

// tuningAnswers shows every goal before and after the search, in the holdout runs if there are
// any.
func tuningAnswers(t *judge.Tuning) []present.Answer {
	if t.Best == 0 {
		return nil
	}
	if t.Holdout != nil {
		var list []*judge.Difference
		metrics := t.HoldoutMetrics()
		for i := range metrics {
			list = append(list, &metrics[i])
		}
		return differenceAnswers(list[:min(len(list), len(t.Goals))], "before", "with the best, in runs that the search did not use")
	}
	var answers []present.Answer
	for k := range t.Goals {
		answers = append(answers, present.Answer{Name: t.Goals[k].Name, Value: judge.MetricText(t, t.Best, k), Note: judge.MetricText(t, 0, k) + " before"})
	}
	return present.UnbrokenAnswers(answers)
}

// limitTables shows the constraints and the guard: with the verdicts in runs that the search did not
// use, and by the means of the search.
func limitTables(t *judge.Tuning) []present.Table {
	table := present.Table{Title: "Limits in the search", Note: "The search judges trials by their means, whatever their intervals.", Head: []string{"metric", "limit", "before", "best", "verdict"}, Left: []int{1, 4}, Verdicts: []int{4}}
	if t.Best == 0 {
		table.Head, table.Verdicts = table.Head[:3], nil
	}
	for _, limit := range slices.Concat(t.Bounds, t.Guard) {
		k := slices.Index(t.Names, limit.Name)
		r := judge.LimitResult{Kind: limit.Kind, Bound: limit.Bound, Relative: limit.Relative, In: t.Units[k]}
		row := []string{limit.Name, strings.Replace(limitBound(&r), "the baseline", "before", 1), judge.MetricText(t, 0, k)}
		if t.Best > 0 {
			row = append(row, judge.MetricText(t, t.Best, k), string(t.Holds(&limit, t.Best)))
		}
		table.Rows = append(table.Rows, row)
	}
	if t.Holdout == nil || len(t.Checked) == 0 {
		return []present.Table{table}
	}
	checked := limitsTable("Limits in the runs that the search did not use", "Held or broken if the whole 95 % interval is within or beyond the limit; otherwise undecided.", true)
	for i := range t.Checked {
		checked.add(&t.Checked[i])
	}
	checked.leaveOutEmpty()
	return []present.Table{checked.Table, table}
}

// trialsTable shows the simulated trials with their phase, the simulated share of the day, and
// how far each trial exceeds the constraints.
func trialsTable(t *judge.Tuning) present.Table {
	table := present.Table{Title: "Every trial", Head: []string{"trial", "phase"}, Left: []int{1}}
	hasParts := slices.ContainsFunc(t.Trials, func(trial judge.TuningTrial) bool { return trial.Share < 1 })
	if hasParts {
		table.Head, table.Note = append(table.Head, "share"), "Share: the simulated part of the day. "
	}
	for i := range t.Settings {
		table.Left = append(table.Left, len(table.Head)+i)
	}
	table.Head = slices.Concat(table.Head, t.Settings, t.Names)
	limited := len(t.Bounds)+len(t.Guard) > 0
	if limited {
		table.Head = append(table.Head, "beyond limits")
		table.Note += "Beyond limits: how far the trial exceeds the constraints and the guard, as a sum of shares of each limit; 0 if all are met. "
	}
	table.Left, table.Head = append(table.Left, len(table.Head), len(table.Head)+1), append(table.Head, "front", "mark")
	for i := range t.Trials {
		trial := &t.Trials[i]
		if trial.Refused != "" {
			continue
		}
		row := []string{strconv.Itoa(i), trial.Phase}
		if hasParts {
			row = append(row, words.Percent(outcome.RoundShare(trial.Share)))
		}
		row = append(row, trial.Values...)
		for k := range t.Names {
			row = append(row, judge.MetricText(t, i, k))
		}
		if limited {
			row = append(row, strconv.FormatFloat(trial.Violation, 'g', 3, 64))
		}
		table.Rows = append(table.Rows, append(row, frontMark(t, i), strings.Join(t.Marks(i), "; ")))
	}
	table.LeaveOutIfAll("", "mark")
	return table
}

// frontMark returns the cell that marks the best trial and the other trials on the front.
func frontMark(t *judge.Tuning, trial int) string {
	switch {
	case trial == t.Best && trial > 0:
		return "best"
	case slices.Contains(t.Front, trial):
		return "yes"
	}
	return ""
}

// refusedTable shows the settings that are invalid together, and why.
func refusedTable(t *judge.Tuning) present.Table {
	table := present.Table{
		Title: "Settings that are invalid together", Note: "They were not simulated and did not use any of the budget.",
		Head: slices.Concat([]string{"trial"}, t.Settings, []string{"why"}),
	}
	for i := range len(t.Settings) + 1 {
		table.Left = append(table.Left, 1+i)
	}
	for i := range t.Trials {
		if trial := &t.Trials[i]; trial.Refused != "" {
			table.Rows = append(table.Rows, slices.Concat([]string{strconv.Itoa(i)}, trial.Values, []string{trial.Refused}))
		}
	}
	return table
}
