package decision

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	pictures "mmsim/reports/figure/decision"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Site describes a site search. setLine is as for Sweep. maps shows the chosen set, if there is one.
func Site(s *judge.Site, from *Sources, setLine func(point int) string, maps ...present.Item) *present.Page {
	t := s.Table()
	p, lead, reproduce := sweepPage(s.Sweep, "site", phrase.Site(s), "set", from)
	if says := undecidedWords(s); says != "" {
		lead.Items = slices.Insert(lead.Items, 1, present.Say("", says))
	}
	sets := present.Section{ID: "sets", Title: "Sets of datacenters"}
	for _, plot := range pictures.Site(s) {
		sets.Items = append(sets.Items, present.Pictures(plot)...)
	}
	sets.Items = append(sets.Items, present.Show(siteTable(s, t)))
	sets.More = append(present.Tables(meaningsTable(t.Metrics)), commands("Commands to simulate a single set", s.Sweep, t.EveryPoint(), setLine)...)
	p.Sections = []present.Section{lead, sets}
	if best := s.Cheapest(); best >= 0 {
		chosen := present.Section{ID: "chosen", Title: "Datacenters of " + s.Points[best].Set.Name, Items: []present.Item{present.Show(chosenTable(s, best))}}
		if says := removalWords(s, best); says != "" {
			chosen.Items = append(chosen.Items, present.Say("", says))
		}
		chosen.Items = append(chosen.Items, maps...)
		p.Sections = append(p.Sections, chosen)
	}
	p.Sections = append(p.Sections, reproduce)
	return p
}

// undecidedWords names the limits that the runs of the chosen set leave undecided. It returns "" if there
// are none.
func undecidedWords(s *judge.Site) string {
	best := s.Cheapest()
	if best < 0 {
		return ""
	}
	var undecided []string
	for _, l := range s.Holds(best) {
		if l.Verdict == judge.LimitUndecided {
			undecided = append(undecided, phrase.Metric(l.Metric))
		}
	}
	if len(undecided) == 0 {
		return ""
	}
	return fmt.Sprintf("By its means, %s meets the limit on %s, but so few runs cannot tell it from chance (--runs).", s.Points[best].Set.Name, phrase.Enumerate(undecided))
}

// siteTable returns the table of all sets. A star marks the cheapest that meets every limit.
func siteTable(s *judge.Site, t *judge.SweepTable) present.Table {
	table := present.Table{
		Note: "Best RTT: mean over the joins of run 0 of the lowest RTT to a datacenter of the set. *: " + phrase.SiteStar(s) + ".",
		Head: slices.Concat([]string{"set", "datacenters", "best RTT"}, t.Metrics, []string{"limits"}),
	}
	table.Left = []int{0, 1, len(table.Head) - 1}
	table.NamedHeads(phrase.Metric, t.Metrics...)
	front, best := s.Front(), s.Cheapest()
	for i := range s.Points {
		set := s.Points[i].Set
		name := set.Name
		if i == best {
			name += " *"
		}
		row := []string{name, phrase.SiteSet(set), words.Quantity(outcome.UnitMillis, float64(set.MeanBestRTT), 1, false)}
		for m := range t.Metrics {
			row = append(row, estimateText(&t.Estimates[m][i], t.Units[m]))
		}
		limits := []string{phrase.BrokenLimits(s.Broken(i), shortNames(t.Metrics))}
		if limits[0] == "" {
			limits[0] = "met"
		}
		limits = append(limits, phrase.Marks(t, i)...)
		if slices.Contains(front, i) {
			limits = append(limits, "on the front")
		}
		table.Rows = append(table.Rows, append(row, strings.Join(limits, "; ")))
	}
	return table
}

// chosenTable returns a table of the datacenters of a set, and of what the removal of each would do.
func chosenTable(s *judge.Site, best int) present.Table {
	table := present.Table{
		Note: "Players and RTTs of the datacenter's matches. Without it: changes of the whole, from simulations of the set without that datacenter. Nearest to it: joins of run 0, and by how much their lowest RTT rises without it.",
		Head: []string{"datacenter", "players", "mean RTT", "machine hours", "most machines", "cost per day", "without it: cost per day", "without it: mean RTT", "without it: limits", "nearest to it"}, Left: []int{0, 8, 9},
	}
	runs := s.Points[best].Runs
	of := func(runs []*outcome.Summary, metric string) float64 { x, _ := judge.Of(runs, metric); return x }
	cell := func(u outcome.Unit, x float64, decimals int, signed bool) string {
		if math.IsNaN(x) {
			return ""
		}
		return words.Quantity(u, x, decimals, signed)
	}
	for i, name := range s.Points[best].Set.Datacenters {
		part := func(key string) float64 { return of(runs, "by_datacenter."+name+"."+key) }
		row := []string{words.Printable(name), cell(outcome.UnitNone, part("players"), 0, false), cell(outcome.UnitMillis, part("rtt_mean_ms"), 1, false),
			cell(outcome.UnitNone, part("machine_hours"), 0, false), cell(outcome.UnitNone, part("machines_peak"), 0, false), cell(outcome.UnitNone, part("cost_per_day"), 0, false)}
		if i >= len(s.Removals) {
			table.Rows = append(table.Rows, append(row, "", "", "", ""))
			continue
		}
		r := &s.Removals[i]
		if r.Reason != "" {
			row = append(row, "", "", "", r.Reason)
		} else {
			change := func(metric string) float64 { return of(r.Runs, metric) - of(runs, metric) }
			row = append(row, cell(outcome.UnitNone, change(judge.CostMetric), 0, true), cell(outcome.UnitMillis, change("rtt_ms.mean"), 1, true), limitsWithout(s, r), nearestWords(r))
		}
		table.Rows = append(table.Rows, row)
	}
	for _, head := range []string{"machine hours", "most machines", "cost per day", "without it: cost per day", "without it: limits"} {
		table.LeaveOutIfAll("", head)
	}
	return table
}

// shortNames returns a function that names a metric without its block, share_le_100 for
// rtt_ms.share_le_100, unless another of the metrics would have the same name.
func shortNames(metrics []string) func(metric string) string {
	within := func(metric string) string {
		_, name, _ := strings.Cut(metric, ".")
		return name
	}
	return func(metric string) string {
		if slices.ContainsFunc(metrics, func(other string) bool { return other != metric && within(other) == within(metric) }) {
			return metric
		}
		return cmp.Or(within(metric), metric)
	}
}

// limitsWithout says which limits a removal breaks. It returns "" if there are no limits.
func limitsWithout(s *judge.Site, r *judge.Removal) string {
	if len(s.Bounds) == 0 {
		return ""
	}
	return cmp.Or(phrase.BrokenLimits(s.BrokenWithout(r), shortNames(s.Table().Metrics)), "met")
}

// nearestWords says whose nearest datacenter a removal takes away.
func nearestWords(r *judge.Removal) string {
	if r.Players == 0 {
		return "nobody"
	}
	return fmt.Sprintf("%s players of %s, +%s", words.Thousands(outcome.Count(r.Players)), strings.Join(r.Countries, ", "), words.Quantity(outcome.UnitMillis, float64(r.BestRTT), 0, false))
}

// removalWords says which datacenter of a set would be missed least: the one whose removal saves most
// or, without prices, raises the mean RTT least.
func removalWords(s *judge.Site, best int) string {
	metric := "rtt_ms.mean"
	if s.Goals[0] == judge.CostMetric {
		metric = judge.CostMetric
	}
	before, unit := judge.Of(s.Points[best].Runs, metric)
	least := -1
	var change float64
	for i := range s.Removals {
		after, _ := judge.Of(s.Removals[i].Runs, metric)
		if s.Removals[i].Reason == "" && !math.IsNaN(after) && (least < 0 || after-before < change) {
			least, change = i, after-before
		}
	}
	if least < 0 {
		return ""
	}
	r := &s.Removals[least]
	text := fmt.Sprintf("Removing %s from it: %s %s", words.Printable(r.Datacenter), phrase.Metric(metric), words.Change(unit, change, words.Decimals(unit, math.Abs(change)/10)))
	if r.Players > 0 {
		text += fmt.Sprintf(", lowest RTT of %s +%s (%s players)", strings.Join(r.Countries, ", "), words.Quantity(outcome.UnitMillis, float64(r.BestRTT), 0, false), words.Thousands(outcome.Count(r.Players)))
	}
	switch says := phrase.BrokenLimits(s.BrokenWithout(r), phrase.Metric); {
	case says != "":
		text += "; that breaks a limit: " + says
	case len(s.Bounds) > 0:
		text += "; every limit is still met"
	}
	return text + "."
}
