package decision

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// A Choice is the configuration of a trial on the front.
type Choice struct {
	Trial      int
	File, Text string
}

// Tuning describes a tuning. choices has the configurations of the front.
func Tuning(t *judge.Tuning, choices []Choice, from *Sources) *present.Page {
	p := &present.Page{Kind: "tuning", Title: phrase.Tuning(t), Facts: originFacts(t.Samples), Answers: tuningAnswers(t), Warnings: slices.Clone(t.Warnings)}
	p.Warnings = append(p.Warnings, words.Each(t.AtEnd, func(e judge.RangeEnd) string { return phrase.RangeEnd(&e) })...)
	if !t.Complete {
		p.Partial = "This search was interrupted: this is what it has found so far. The same command continues it."
	}
	lead := []present.Item{present.Say("", tuningGoals(t))}
	if t.Budget != "" {
		lead = append(lead, present.Tell(t.Budget)...)
	}
	found := append(present.Pictures(pictures.Tuning(t)...), present.Show(tuningTable(t)))
	for _, choice := range choices {
		title := fmt.Sprintf("Configuration of trial %d (%s): %s", choice.Trial, phrase.Assignments(t.Settings, t.Trials[choice.Trial].Values), choice.File)
		found = append(found, present.Listings(present.Listing{Title: title, Text: choice.Text, Closed: true})...)
	}
	p.Sections = []present.Section{{Items: lead}, {ID: "found", Title: "Results", Items: found}}
	if t.Holdout != nil {
		p.Sections = append(p.Sections, holdoutSection(t))
	}
	if len(t.Bounds)+len(t.Guard) > 0 {
		p.Sections = append(p.Sections, present.Section{ID: "constraints", Title: "Constraints", Items: limitItems(t)})
	}
	trials := present.Tables(trialsTable(t))
	if t.Refused() > 0 {
		trials = append(trials, present.Tables(refusedTable(t))...)
	}
	trials = append(trials, present.Tables(meaningsTable(t.Metrics))...)
	p.Sections = append(p.Sections, present.Section{ID: "trials", Title: "Every trial", More: trials}, from.reproduceSection(t.Samples))
	return p
}

// tuningGoals describes the goals of the search.
func tuningGoals(t *judge.Tuning) string {
	var parts []string
	for _, goal := range t.Goals {
		if goal.Maximise {
			parts = append(parts, phrase.Metric(goal.Name)+" as high as possible")
		} else {
			parts = append(parts, phrase.Metric(goal.Name)+" as low as possible")
		}
	}
	text := fmt.Sprintf("The search tried %s", words.Plural(len(t.Trials)-1, "trial"))
	if refused := t.Refused(); refused > 0 {
		text += fmt.Sprintf(", %d of them with settings that are invalid together", refused)
	}
	text += ": " + strings.Join(parts, ", ")
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
		list := pointers(t.HoldoutMetrics())
		return differenceAnswers(list[:min(len(list), len(t.Goals))], "before", "with the best, in runs that the search did not use")
	}
	var answers []present.Answer
	for k := range t.Goals {
		of := func(trial int) string { return estimateText(&t.Trials[trial].Figures[k], t.Units[k]) }
		answers = append(answers, metricAnswer(t.Goals[k].Name, of(t.Best), of(0)+" before"))
	}
	return answers
}

// rowsOfTrials is the number of trials that are shown where there is little room.
const rowsOfTrials = 21

// tuningTable returns a table of the trials that Shown returns.
func tuningTable(t *judge.Tuning) present.Table {
	table := present.Table{Head: slices.Concat([]string{"trial"}, t.Settings, t.Metrics, []string{"mark"}), Most: rowsOfTrials, Rest: "trials, which --json lists"}
	table.NamedHeads(phrase.Metric, t.Metrics...)
	switch {
	case len(t.Front) == 0:
		table.Note = "No trial over the whole day meets all constraints; these come closest."
	case len(t.Goals) == 1:
		table.Note = "These are the numbers of the search. In the folder of this page, mmsim run --config best.yaml simulates the best trial."
	default:
		table.Note = "The choices that no other choice beats in all goals, by the numbers of the search. The best is the compromise between them. In the folder of this page, mmsim run --config front/N.yaml simulates trial N."
	}
	table.Left = append(columns(1, len(t.Settings)), len(table.Head)-1)
	for _, i := range t.Shown() {
		name := strconv.Itoa(i)
		switch i {
		case 0:
			name = "before"
		case t.Best:
			name += " (best)"
		}
		row := append([]string{name}, t.Trials[i].Values...)
		for k := range t.Metrics {
			row = append(row, phrase.TrialMetric(t, i, k))
		}
		table.Rows = append(table.Rows, append(row, strings.Join(phrase.Marks(t, i), "; ")))
	}
	table.LeaveOutIfAll("", "mark")
	return table
}

// holdoutSection compares the best trial with the initial settings in runs that the search did not
// use.
func holdoutSection(t *judge.Tuning) present.Section {
	of := func(title string, metrics judge.Differences) present.Table {
		table := differenceTable(pointers(metrics))
		table.Title, table.Head[2], table.Head[3] = title, "before", "best"
		return table
	}
	table := of(fmt.Sprintf("Trial %d in %s that the search did not use", t.Best, words.Plural(t.Holdout.RunsB, "run")), t.HoldoutMetrics())
	table.Note = withCoverage("The best of many trials is partly luck: these runs show how much of its lead remains. Differences are best minus before, with 95 % intervals over pairs of runs with the same random numbers.", t.Holdout.Joins)
	section := present.Section{ID: "holdout", Title: "Comparison in other runs", Items: []present.Item{present.Show(table)}}
	if worse := t.HoldoutWorse(); len(worse) > 0 {
		section.Items = append(section.Items, present.Show(of("Worse than before in these runs, outside the goals", worse)))
	}
	return section
}

// limitItems shows the constraints and the guard: with the verdicts in runs that the search did not
// use, and by the means of the search.
func limitItems(t *judge.Tuning) (items []present.Item) {
	if t.Holdout != nil && len(t.Checked) > 0 {
		checked := limitsTable("Limits in the runs that the search did not use")
		checked.Note = "Held or broken if the whole 95 % interval is within or beyond the limit; otherwise undecided."
		for i := range t.Checked {
			add(&checked, &t.Checked[i])
		}
		for _, row := range checked.Rows {
			row[3] = strings.Replace(row[3], "the baseline", "before", 1)
		}
		items = append(items, present.Show(withoutEmpty(checked)))
	}
	table := present.Table{Title: "Limits in the search", Note: "The search judges trials by their means, whatever their intervals.", Head: []string{"metric", "limit", "before", "best", "verdict"}, Left: []int{1, 4}, Verdicts: []int{4}}
	if t.Best == 0 {
		table.Head, table.Verdicts = table.Head[:3], nil
	}
	for _, limit := range slices.Concat(t.Bounds, t.Guard) {
		k := slices.Index(t.Metrics, limit.Name)
		r := judge.LimitResult{Kind: limit.Kind, Bound: judge.Optional(limit.Bound), Relative: limit.Relative, In: t.Units[k]}
		row := []string{limit.Name, strings.Replace(phrase.Bound(&r), "the baseline", "before", 1), phrase.TrialMetric(t, 0, k)}
		if t.Best > 0 {
			row = append(row, phrase.TrialMetric(t, t.Best, k), string(t.Holds(&limit, t.Best)))
		}
		table.Rows = append(table.Rows, row)
	}
	table.Named(phrase.Metric)
	return append(items, present.Tables(table)...)
}

// trialsTable shows the simulated trials with their phase, the simulated share of the day, and
// how far each trial exceeds the constraints.
func trialsTable(t *judge.Tuning) present.Table {
	table := present.Table{Head: []string{"trial", "phase"}, Left: []int{1}}
	hasParts := slices.ContainsFunc(t.Trials, func(trial judge.TuningTrial) bool { return trial.Share < 1 })
	if hasParts {
		table.Head, table.Note = append(table.Head, "share"), "Share: the simulated part of the day. "
	}
	table.Left = append(table.Left, columns(len(table.Head), len(t.Settings))...)
	table.Head = slices.Concat(table.Head, t.Settings, t.Metrics)
	table.NamedHeads(phrase.Metric, t.Metrics...)
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
		for k := range t.Metrics {
			row = append(row, phrase.TrialMetric(t, i, k))
		}
		if limited {
			row = append(row, strconv.FormatFloat(float64(trial.Violation), 'g', 3, 64))
		}
		table.Rows = append(table.Rows, append(row, frontMark(t, i), strings.Join(phrase.Marks(t, i), "; ")))
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
		Head: slices.Concat([]string{"trial"}, t.Settings, []string{"why"}), Left: columns(1, len(t.Settings)+1),
	}
	for i := range t.Trials {
		if trial := &t.Trials[i]; trial.Refused != "" {
			table.Rows = append(table.Rows, slices.Concat([]string{strconv.Itoa(i)}, trial.Values, []string{trial.Refused}))
		}
	}
	return table
}
