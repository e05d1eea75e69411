package decision

import (
	"fmt"
	"math"
	"slices"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Runs describes replications of one configuration. sample has the replications, and total is their
// aggregate.
func Runs(total *outcome.Summary, sample *judge.Sample, from *Sources) *present.Page {
	origin := sample.Origin()
	origin.Name = "replications"
	p := present.Run(&result.Result{Summary: *total}, nil)
	p.Kind = fmt.Sprintf("%s of one configuration", words.Plural(total.Replications.Runs, "replication"))
	p.Facts, p.Answers = originFacts([]judge.Origin{origin}), replicatedAnswers(total, p.Answers)
	lead := []present.Section{{Items: present.Tell(withCoverage(replicationsWords(total.Replications), total.Replications.Joins))}}
	spread := present.Section{ID: "trust", Title: "How much the runs differ", Items: present.Tables(spreadsTable(headlineSpreads(total), total.Replications))}
	if len(sample.Runs) > 1 {
		spread.Items = append(spread.Items, present.Tables(runsTable(sample))...)
	}
	// Without measurements, the page of a run has no sections.
	p.Sections = append(append(lead, slices.Insert(p.Sections, min(1, len(p.Sections)), spread)...), from.reproduceSection([]judge.Origin{origin}))
	return p
}

// replicationsWords explains how to read the numbers of an aggregate.
func replicationsWords(r *outcome.Replications) string {
	if r.Runs < 2 {
		return "This is one replication: run a second one to see how much the numbers vary by chance."
	}
	return fmt.Sprintf("Every number is the mean of %s that differ only in their random numbers; each run has a page of its own in its folder.", words.Plural(r.Runs, "run"))
}

// answerMetrics are the metrics of the answers about a run, in the same order.
var answerMetrics = []string{"wait_first_s.p90", "rtt_ms.p90", judge.Unmatched, "ccu.peak"}

// replicatedAnswers adds the intervals of the means to the answers about an aggregate.
func replicatedAnswers(total *outcome.Summary, answers []present.Answer) []present.Answer {
	if total.Servers != nil || len(total.Queues) > 0 || total.Replications.Runs < 2 { // answerMetrics do not apply, or there are no intervals
		return answers
	}
	for i, name := range answerMetrics[:min(len(answers), len(answerMetrics))] {
		at := slices.IndexFunc(total.Replications.Metrics, func(s outcome.Spread) bool { return s.Name == name })
		if at < 0 {
			continue
		}
		s := &total.Replications.Metrics[at]
		answers[i].Note += spreadNote(s, total.Replications)
	}
	return answers
}

// headlineSpreads returns the metrics of judge.Headline that at least one run has, in that order.
// Like a comparison, it omits metrics that are 0 in every run and, with several queues, metrics for
// which judge.Pooled is true.
func headlineSpreads(total *outcome.Summary) []outcome.Spread {
	var list []outcome.Spread
	for _, wanted := range judge.Headline {
		for _, s := range total.Replications.Metrics {
			if len(total.Queues) > 0 && judge.Pooled(s.Name) {
				continue
			}
			if outcome.MatchesPattern(wanted, s.Name) && !outcome.IsGroup(s.Name) && s.Runs > 0 && (s.Mean != 0 || s.SD != 0) {
				list = append(list, s)
			}
		}
	}
	return list
}

// spreadNote says in a sentence what spreadInterval shows in a table.
func spreadNote(s *outcome.Spread, of *outcome.Replications) string {
	switch {
	case s.Low != nil:
		return " 95 % interval over runs: " + spreadInterval(s, of) + "."
	case s.Runs < of.Runs:
		return " Only " + words.RunsWith(s.Runs, of.Runs) + " have it, so it has no interval."
	case s.Runs > 1:
		return " It is equal in all runs."
	}
	return ""
}

// spreadInterval formats the interval of a mean with as many decimals as its width justifies. If
// there is no interval, it says how many runs have the metric, or that no run differs.
func spreadInterval(s *outcome.Spread, of *outcome.Replications) string {
	low, high := s.Interval()
	switch {
	case math.IsNaN(low) && s.Runs > 1 && s.Runs == of.Runs:
		return "equal in all runs"
	case math.IsNaN(low):
		return words.RunsWith(s.Runs, of.Runs)
	}
	unit, decimals := spreadUnit(s)
	return words.Number(unit, low, decimals, false) + " to " + words.Quantity(unit, high, decimals, false)
}

func spreadUnit(s *outcome.Spread) (outcome.Unit, int) {
	m, _ := outcome.Find(s.Name)
	low, high := s.Interval()
	return m.Unit, phrase.Decimals(m.Unit, 0, judge.Optional(low), judge.Optional(high), judge.Optional(s.Mean))
}

// spreadsTable returns a table of means with their intervals.
func spreadsTable(list []outcome.Spread, of *outcome.Replications) present.Table {
	t := present.Table{
		Title: "Means", Note: "The interval is the 95 % confidence interval of the mean (Student's t); sd is the standard deviation of single runs.",
		Head: []string{"metric", "mean", "95 % interval", "sd", "runs"},
	}
	for i := range list {
		s := &list[i]
		unit, decimals := spreadUnit(s)
		row := []string{s.Name, words.Quantity(unit, float64(s.Mean), decimals, false), "", "", fmt.Sprint(s.Runs)}
		if of.Runs > 1 {
			row[2] = spreadInterval(s, of)
		}
		if s.Runs > 1 {
			row[3] = words.Quantity(unit, float64(s.SD), decimals, false)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Named(phrase.Metric)
	return t
}

// runsTable returns a table with a row for every run.
func runsTable(sample *judge.Sample) present.Table {
	t := present.Table{
		Title: "Runs", Note: "Waits in seconds, RTTs in milliseconds.",
		Head: []string{"run", "joins", "entries", "mean wait, first search", "p95 wait, all searches", "mean RTT", "p95 RTT", "failed", "expired", "peak CCU"},
	}
	for _, s := range sample.Runs {
		t.Rows = append(t.Rows, []string{
			fmt.Sprint(s.Run.Run), words.Thousands(s.Players.Joins), words.Thousands(s.Players.Entries), s.WaitFirst.Mean.String(), s.Wait.P95.String(),
			s.RTT.Mean.String(), s.RTT.P95.String(), words.Thousands(s.Players.Failed), words.Thousands(s.Players.Expired), words.Thousands(s.CCU.Peak),
		})
	}
	if len(sample.Runs[0].Queues) > 0 { // omit RTTs, which are not averaged over queues
		t.LeaveOut([]string{"mean RTT", "p95 RTT"})
	}
	return t
}
