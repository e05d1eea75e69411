package decision

import (
	"fmt"

	"mmsim/reports/fidelity"
	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Calibration describes a calibration. r compares the simulation with production, or is nil if nothing was
// simulated. settings says in which settings the simulation is not what was estimated; there may be none.
func Calibration(c *fidelity.Calibration, r *fidelity.Result, settings []string, from *Sources) *present.Page {
	p := &present.Page{Kind: "calibration", Title: "Nothing was simulated, so that nothing says whether prod.yaml repeats production"}
	p.Facts = []string{c.Format, c.From + " to " + c.To, words.Plural(c.Tickets, "ticket"), words.Plural(c.Players, "player")}
	p.Sections = []present.Section{{Items: words.Each(settings, func(says string) present.Item { return present.Say("Not as estimated", says) })}}
	var origins []judge.Origin
	if r != nil {
		p.Zone = r.TimeZone
		p.Title, p.Answers, p.Warnings, origins = phrase.Fidelity(r), fidelityAnswers(r), r.Check.Warnings, r.Check.Samples
		p.Sections[0].Items = append(p.Sections[0].Items, present.Tell(withCoverage(fmt.Sprintf("Production is what the log reports, and has no noise of its own. The simulation is the mean of %s.", words.Plural(r.Check.Runs, "run")), r.Check.Joins), "Differences are judged by the limits of fidelity.yaml, and not by chance: of many players, every difference is more than chance.")...)
		p.Sections = append(p.Sections, fidelitySections(r)...)
	}
	p.Sections = append(p.Sections, estimatesSection(c), assumedSection(c), from.reproduceSection(origins))
	return p
}

// fidelitySections shows the simulation beside production.
func fidelitySections(r *fidelity.Result) []present.Section {
	limits := limitsTable("Limits of fidelity.yaml")
	for _, line := range r.Check.Lines() {
		addLine(&limits, line)
	}
	beside := present.Section{ID: "fidelity", Title: "Production and simulation"}
	beside.Items = append(present.Pictures(pictures.Gate(r.Check)...), present.Show(fidelityTable(r)))
	names := words.Each(r.Rows, func(row fidelity.Row) string { return row.Name })
	beside.More = present.Tables(withoutEmpty(limits), meaningsTable(names))
	groups := present.Section{ID: "unexplained", Title: "Not explained", Items: []present.Item{present.Say("Not explained", phrase.NotExplained(r))}}
	if len(r.Unexplained) > 0 {
		t := present.Table{
			Note: fmt.Sprintf("The groups of at least %d players of which production is outside the range of a run, the largest difference first, weighted by the players of production.", fidelity.PlayersMin),
			Head: []string{"group", "production", "simulation", "relative", "95 % of runs", "players"},
			Rows: words.Each(r.Unexplained, func(u fidelity.Unexplained) []string { return phrase.UnexplainedCells(&u, words.Zone(r.TimeZone)) }),
		}
		groups.Items = append(groups.Items, present.Tables(t)...)
	}
	return []present.Section{beside, groups, {ID: "sides", Title: "Players and hours", Items: present.Pictures(pictures.Fidelity(r)...)}}
}

// fidelityTable compares the metrics of all players. Where there is little room, it shows those that have a
// limit. A limit with stars has one row.
func fidelityTable(r *fidelity.Result) present.Table {
	t := present.Table{
		Note: fmt.Sprintf("Simulation: the mean of %s. Of further runs, 95 %% are in the range of runs (Student's t). The distance of two distributions is the largest difference between the shares of players up to any value; 95 %% of the runs are no farther from the others than the noise.", words.Plural(r.Check.Runs, "run")),
		Head: []string{"metric", "production", "simulation", fmt.Sprintf("%s: 95 %% of runs", words.Plural(r.Check.Runs, "run")), "distance of distributions", "verdict", "by how much"}, Left: []int{5, 6}, Verdicts: []int{5},
	}
	var others [][]string
	for i := range r.Rows {
		verdict, why := phrase.RowVerdict(&r.Rows[i])
		row := append(append([]string{r.Rows[i].Name}, phrase.FidelityCells(&r.Rows[i])...), string(verdict), why)
		if verdict == "" {
			others = append(others, row)
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	patterns := map[string]int{}
	for _, line := range r.Check.Lines() {
		pattern := line[0].Pattern
		if pattern == "" {
			continue
		}
		verdict, why := phrase.StarVerdict(line)
		if at, is := patterns[pattern]; is {
			if row := t.Rows[at]; judge.Graver(verdict, judge.LimitVerdict(row[5])) {
				row[5], row[6] = string(verdict), why
			}
			continue
		}
		patterns[pattern] = len(t.Rows)
		t.Rows = append(t.Rows, []string{pattern, "", "", "", "", string(verdict), why})
	}
	for _, row := range others {
		t.WideRows, t.Rows = append(t.WideRows, len(t.Rows)), append(t.Rows, row)
	}
	t.Named(phrase.Metric)
	return t
}

// fidelityAnswers returns answers for the first few rows.
func fidelityAnswers(r *fidelity.Result) []present.Answer {
	var answers []present.Answer
	for i := range r.Rows[:min(len(r.Rows), answersMax)] {
		cells := phrase.FidelityCells(&r.Rows[i])
		a := metricAnswer(r.Rows[i].Name, cells[1], "production "+cells[0])
		if verdict, why := phrase.RowVerdict(&r.Rows[i]); verdict != "" {
			a.Mark, a.Limits = string(verdict), why
		}
		answers = append(answers, a)
	}
	return answers
}

// estimatesSection shows what was estimated, for all queues together and for each of several.
func estimatesSection(c *fidelity.Calibration) present.Section {
	s := present.Section{ID: "estimates", Title: "Estimates"}
	if plot, ok := pictures.Patience(c); ok {
		s.Items = present.Pictures(plot)
	}
	all := estimatesTable("", &c.Fit)
	all.Note = "Shares: Wilson's interval. Means and standard deviations: normal intervals. players.give_up_after: the median wait of expired tickets, with the interval of its ranks. players.patience: Kaplan and Meier, Greenwood."
	s.Items = append(s.Items, present.Tables(all)...)
	for i := range c.Queues {
		s.More = append(s.More, present.Tables(estimatesTable("Queue "+words.Name(c.Queues[i].Name), &c.Queues[i].Fit))...)
	}
	return s
}

func estimatesTable(title string, f *fidelity.Fit) present.Table {
	t := present.Table{Title: title, Head: []string{"setting", "estimate", "95 % interval", "from"}, Left: []int{3}}
	t.Rows = append(words.Each(f.Estimates, phrase.EstimateCells), words.Each(f.Patience, phrase.PatienceCells)...)
	return t
}

// assumedSection says what the calibration assumes, and what it counted.
func assumedSection(c *fidelity.Calibration) present.Section {
	t := present.Table{Title: "What the log has", Head: []string{"", "number"},
		Rows: words.Each(phrase.LogCounts(c), func(n phrase.LogCount) []string { return []string{n.Name, words.Thousands(n.Count)} })}
	return present.Section{ID: "assumed", Title: "What was assumed", Items: append(present.Tell(phrase.Assumed(c)...), present.Tables(t)...)}
}
