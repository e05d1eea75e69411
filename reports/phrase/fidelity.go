package phrase

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/reports/fidelity"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Fidelity is the conclusion about a simulation of production: which limits are broken, and by how much.
func Fidelity(r *fidelity.Result) string {
	broken, undecided := r.Check.Count(judge.LimitBroken), r.Check.Count(judge.LimitUndecided)
	switch {
	case len(r.Check.Limits) == 0:
		return "No limit says whether the simulation repeats production"
	case broken+undecided == 0:
		return fmt.Sprintf("The simulation repeats production: %s held", words.Plural(r.Check.Count(judge.LimitHeld), "limit"))
	case broken == 0:
		return fmt.Sprintf("The runs do not tell whether the simulation repeats production: %s undecided, %d held; %s",
			words.Plural(undecided, "limit"), r.Check.Count(judge.LimitHeld), farthest(r.Check, judge.LimitUndecided)[0])
	}
	parts := farthest(r.Check, judge.LimitBroken)
	text := "The simulation differs from production: " + strings.Join(parts[:min(len(parts), effectsMax)], "; ")
	if more := broken - min(len(parts), effectsMax); more > 0 {
		text += fmt.Sprintf("; %s %s broken", words.Plural(more, "more limit"), words.Verb(more, "is", "are"))
	}
	return text
}

// farthest describes, for each line of a gate with limits of a verdict, the metric that is farthest beyond
// its limit.
func farthest(g *judge.GateResult, v judge.LimitVerdict) (parts []string) {
	for _, line := range g.Lines() {
		members := line.With(v)
		if len(members) == 0 {
			continue
		}
		l := &members[0]
		if l.Kind.IsChange() && !math.IsNaN(float64(l.Difference)) {
			d := &judge.Difference{Name: l.Metric, In: l.In, A: l.Baseline, B: l.Value, Difference: l.Difference}
			parts = append(parts, Effect(d, true)+", limit "+bound(l))
		} else {
			parts = append(parts, Metric(l.Metric)+": "+Apart(l))
		}
	}
	return parts
}

// Apart says how far a metric or a distribution is from production, and what its limit is.
func Apart(l *judge.LimitResult) string {
	switch {
	case l.Reason != "":
		return l.Reason
	case l.Kind == judge.LimitMaxDistance:
		return "distance " + Measured(l) + ", limit " + bound(l)
	case !l.Kind.IsChange():
		return Measured(l) + ", " + Bound(l)
	case l.Relative && l.Baseline != 0:
		return words.SignedPercent(float64(l.Difference)/math.Abs(float64(l.Baseline))) + ", limit " + bound(l)
	}
	return Change(l)[1] + ", limit " + bound(l)
}

// RowVerdict returns the gravest verdict of the limits of a row, and how far it is from them. Both are ""
// without limits.
func RowVerdict(row *fidelity.Row) (judge.LimitVerdict, string) {
	for _, verdict := range judge.LimitVerdicts {
		if members := judge.GateLine(row.Limits).With(verdict); len(members) > 0 {
			return verdict, Apart(&members[0])
		}
	}
	return "", ""
}

// FidelityCells returns the cells of a row: production, simulation, the range of a run, and the distance of
// the distributions.
func FidelityCells(row *fidelity.Row) []string {
	production, simulation, runs := rangeCells(&row.Range, row.Production)
	cells := []string{production, simulation, runs, ""}
	if !math.IsNaN(row.Distance) {
		cells[3] = Share(row.Distance)
		if !math.IsNaN(row.Noise) {
			cells[3] += " (noise " + Share(row.Noise) + ")"
		}
	}
	return cells
}

// Share formats a share with three digits.
func Share(x float64) string {
	return words.Quantity(outcome.UnitShare, x, words.Decimals(outcome.UnitShare, x/10), false)
}

// rangeCells formats a value of production, the mean of the simulation and the range of a run.
func rangeCells(r *judge.Range, of float64) (production, simulation, runs string) {
	decimals := Decimals(r.Unit, judge.Optional(r.Mean-of), judge.Optional(r.Low), judge.Optional(r.High), judge.Optional(of))
	quantity := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return words.Quantity(r.Unit, x, decimals, false)
	}
	if !math.IsNaN(r.Low) {
		runs = words.Number(r.Unit, r.Low, decimals, false) + " to " + quantity(r.High)
	}
	return quantity(of), quantity(r.Mean), runs
}

// Unexplained names a group that the simulation does not repeat, and what differs: "mean wait at 4:00 to
// 6:59 UTC (41 s in production, 55 s simulated, 3,120 players)".
func Unexplained(u *fidelity.Unexplained, zone string) string {
	production, simulation, _ := rangeCells(&u.Range, u.Production)
	text := fmt.Sprintf("%s (%s in production, %s simulated", unexplainedName(u, zone), production, simulation)
	if !strings.HasSuffix(u.Name, ".players") {
		text += fmt.Sprintf(", %s players", words.Thousands(int(u.Players)))
	}
	return text + ")"
}

// unexplainedName names the metric and the group.
func unexplainedName(u *fidelity.Unexplained, zone string) string {
	name := Metric(u.Name)
	before, isHour := strings.CutSuffix(name, ":00")
	if !isHour {
		return name
	}
	var first int
	at := strings.LastIndexByte(before, ' ')
	if _, err := fmt.Sscan(before[at+1:], &first); err == nil && u.Hours > 1 {
		name += fmt.Sprintf(" to %d:59", first+u.Hours-1)
	}
	return name + " " + zone
}

// UnexplainedCells returns the cells of a table row.
func UnexplainedCells(u *fidelity.Unexplained, zone string) []string {
	production, simulation, runs := rangeCells(&u.Range, u.Production)
	relative := words.SignedPercent((u.Mean - u.Production) / math.Abs(u.Production))
	return []string{unexplainedName(u, zone), production, simulation, relative, runs, words.Thousands(int(u.Players))}
}

// NotExplained is a sentence about the groups that the simulation does not repeat.
func NotExplained(r *fidelity.Result) string {
	if r.Check.Runs < 2 {
		return "not known: the range of a run needs 2 or more (--runs)"
	}
	if len(r.Unexplained) == 0 {
		return "no group of at least 20 players is outside the range of the runs"
	}
	return Enumerate(words.Each(r.Unexplained, func(u fidelity.Unexplained) string { return Unexplained(&u, words.Zone(r.TimeZone)) }))
}

// estimated says in what the estimates of settings are measured, and what they are made from.
var estimated = []struct{ key, unit, from string }{
	{"players.play_again", "", "finished ticket"},
	{"players.between_matches", " s", "return"},
	{"match.length.mean", " s", "match"},
	{"match.length.sd", " s", "match"},
	{"players.give_up_after", " s", "expired ticket"},
}

// EstimateCells returns the name, the value, the interval and the basis of an estimate.
func EstimateCells(e fidelity.Estimate) []string {
	i := max(0, slices.IndexFunc(estimated, func(of struct{ key, unit, from string }) bool { return of.key == e.Name }))
	of, decimals := estimated[i], 1
	if of.unit == "" {
		decimals = 4
	}
	basis := words.Plural(e.N, of.from)
	if e.Assumed {
		basis += "; assumed: no match has an end, so each lasts match.length"
	}
	return []string{e.Name, fmt.Sprintf("%.*f%s", decimals, e.Value, of.unit), fmt.Sprintf("%.*f to %.*f", decimals, e.Low, decimals, e.High), basis}
}

// PatienceCells returns the same of an entry of players.patience.
func PatienceCells(e fidelity.Entry) []string {
	percent := func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
	return []string{"players.patience, by " + words.Span(outcome.Seconds(e.At)), percent(e.Share), fmt.Sprintf("%.1f to %s", 100*e.Low, percent(e.High)), ""}
}

// LogCount is what a log has, with its number.
type LogCount struct {
	Name  string
	Count int
}

// LogCounts lists what a log has. Some counts are left out if they are 0.
func LogCounts(c *fidelity.Calibration) (list []LogCount) {
	list = []LogCount{{"tickets", c.Tickets}, {"players", c.Players}, {"joining players", c.Joins}, {"joining parties", c.Parties}, {"returning players", c.Returns}}
	add := func(name string, count int) {
		if count > 0 {
			list = append(list, LogCount{name, count})
		}
	}
	add("events", c.Events)
	add("tickets with a lost end", c.Lost)
	add("searches before the end of the match before", c.LeftEarly)
	add("cancelled tickets, with another one of a player within a minute", c.AskedAgain)
	add("tickets cut by another one of the same player", c.Cut)
	add("times put right by up to 2 s", c.Skewed)
	add("ids of tickets used again", c.Reused)
	add("matches without a datacenter", c.Unlocated)
	for _, d := range c.Dropped {
		add("left out: "+d.Why, d.Count)
	}
	return list
}

// Assumed lists what a calibration assumes, in sentences.
func Assumed(c *fidelity.Calibration) []string {
	list := []string{
		"Joins, parties, attributes, places and measured RTTs are the rows of the log: they are replayed, not estimated. Rules, datacenters, regions, placement and acceptance are those of the configuration; the log does not say whether production had the same.",
		"A search within the session gap after a match is a return; every other search is a join. Every player returns with the same chance, whatever the hour and the skill.",
	}
	if len(c.KaplanMeier) > 0 {
		list = append(list, "Who cancels knows no more than its own wait: a search that was matched early would have been cancelled as often as the others, had it waited as long (Kaplan and Meier).")
	}
	if c.AskedAgain > 0 {
		list = append(list, fmt.Sprintf("%s %s cancelled, and a player searched again within a minute. Both count as searches of their own, the second as a join: patience is shorter, and there are more joins, than if a player had searched on.",
			words.Plural(c.AskedAgain, "ticket"), words.Verb(c.AskedAgain, "was", "were")))
	}
	if slices.ContainsFunc(c.Estimates, func(e fidelity.Estimate) bool { return e.Assumed }) {
		list = append(list, "The log tells no end of a match: each lasts match.length of the configuration, on which players.play_again and players.between_matches depend.")
	} else if slices.ContainsFunc(c.Estimates, func(e fidelity.Estimate) bool { return e.Name == "match.length.sd" && e.Value > 0 }) {
		list = append(list, "Lengths of matches vary log-normally around their mean; the intervals of the mean and of the standard deviation are normal.")
	}
	if c.Unlocated > 0 {
		list = append(list, fmt.Sprintf("The log does not tell the datacenter of %s: each is where the highest RTT of its players is lowest.", words.Plural(c.Unlocated, "match")))
	}
	return append(list, fmt.Sprintf("Groups of fewer than %d players are left out of this page.", fidelity.PlayersMin))
}

// StarVerdict returns the gravest verdict of the limits that a star matches, and how many have it.
func StarVerdict(line judge.GateLine) (judge.LimitVerdict, string) {
	for _, verdict := range judge.LimitVerdicts {
		if members := line.With(verdict); len(members) > 0 {
			text := fmt.Sprintf("%d of %d", len(members), len(line))
			if verdict != judge.LimitSkipped {
				text += "; " + Metric(members[0].Metric) + ": " + Apart(&members[0])
			}
			return verdict, text
		}
	}
	return "", ""
}
