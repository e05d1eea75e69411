package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

const ruleRow = 26

// relaxColours has a colour for every outcome.RelaxClass.
var relaxColours = [outcome.RelaxClasses]color.RGBA{chart.Ramp[0], chart.Ramp[1], chart.Ramp[2], chart.Ramp[3], chart.Ramp[4], chart.Purple}

// plotRulesets shows the effects of each queue's ruleset.
func plotRulesets(r *result.Result, _ Coast) []chart.Plot {
	return perQueue(r, func(q *outcome.QueueStats) (p chart.Plot, ok bool) {
		if q.Rules == nil {
			return p, false
		}
		return plotRules(q.Rules, hoursOf(r)), true
	})
}

// hoursOf returns how many hours of the day the run covers, beginning at midnight.
func hoursOf(r *result.Result) int {
	return min(24, int(math.Ceil(r.Span()/3600)))
}

// plotRules shows how far the rules were relaxed, at what hours, and why tickets expired.
func plotRules(rules *outcome.Rules, hours int) chart.Plot {
	bending := slices.DeleteFunc(slices.Clone(rules.Relaxation), func(r outcome.Relaxation) bool { return r.ShareRelaxed == 0 })
	slices.SortStableFunc(bending, func(a, b outcome.Relaxation) int { return cmp.Compare(b.ShareRelaxed, a.ShareRelaxed) })
	reasons := words.ExpiryReasons(&rules.Expiry)
	slices.SortStableFunc(reasons, func(a, b outcome.Part) int { return cmp.Compare(b.Count, a.Count) })
	const byHour = 250 // height of the panel
	barsHeight := 44 + float64(ruleRow*float64(max(1, len(bending))))
	p := chart.Plot{
		Name: "rules", Section: SearchesSection,
		Title:  rulesTitle(rules),
		Note:   "matches by how far each rule was relaxed when they were made; rules that were never relaxed are omitted",
		Height: chart.HeadingHeight + 26 + barsHeight + byHour + float64(ruleRow*float64(len(reasons))) + chart.Margin,
	}
	for class, name := range words.RelaxNames {
		p.Key = append(p.Key, chart.KeyEntry{Text: name, Colour: relaxColours[class]})
	}
	if len(reasons) > 0 {
		p.Height += 44
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		drawRelaxation(s, top+34, bending)
		drawRulesByHour(s, top+barsHeight+34, top+barsHeight+byHour-chart.TimeAxisHeight-20, rules, hours)
		if len(reasons) > 0 {
			list := chart.Bars{Head: expiryHead(rules), Left: barsLeft, Width: chart.PlotRight - barsLeft - 150, Colour: chart.Red, Row: ruleRow,
				Rows: len(reasons), Value: func(i int) chart.Bar {
					return chart.Bar{Value: float64(reasons[i].Share), Label: fmt.Sprintf("%s (%s)", words.Percent(reasons[i].Share), words.Thousands(reasons[i].Count))}
				}}
			list.Draw(s, top+barsHeight+byHour+34, func(i int) string { return reasons[i].Name })
		}
	}
	return p
}

// expiryHead names the bars of the reasons for expiry. If some tickets have no known reason, it
// says how many do, because the bars do not add up to the number of these tickets.
func expiryHead(r *outcome.Rules) string {
	e, head := &r.Expiry, "tickets that "+words.EndedWord(r)+", by what kept them from a match"
	if e.Explained < e.Tickets {
		head += fmt.Sprintf(" (known for %s of %s)", words.Thousands(e.Explained), words.Thousands(e.Tickets))
	}
	return head
}

func rulesTitle(rules *outcome.Rules) string {
	switch {
	case rules.Matches == 0:
		return "No match was made"
	case rules.ShareRelaxed == 0:
		return "No rule was relaxed for any match"
	}
	title := fmt.Sprintf("Rules were relaxed for %s of matches", words.Percent(rules.ShareRelaxed))
	if e := &rules.Expiry; e.Tickets > 0 {
		title += fmt.Sprintf("; %s %s", words.Plural(e.Tickets, "ticket"), words.EndedWord(rules))
		if reasons := words.ExpiryReasons(e); len(reasons) > 0 {
			most := slices.MaxFunc(reasons, func(a, b outcome.Part) int { return cmp.Compare(a.Count, b.Count) })
			title += fmt.Sprintf(", most because of %s", words.Name(most.Name))
		}
	}
	return title
}

// barsLeft is the left edge of the bars. Their names are to the left of it.
const barsLeft = 190

// drawRelaxation draws a stacked bar for every rule: the shares of matches in each RelaxClass.
func drawRelaxation(s *chart.Canvas, top float64, rules []outcome.Relaxation) {
	s.Text(chart.HeadFace, chart.Ink, barsLeft, top-8, chart.ToRight, "share of matches")
	if len(rules) == 0 {
		s.Text(chart.TextFace, chart.Muted, barsLeft, top+16, chart.ToRight, "no rule was relaxed")
	}
	right := float64(chart.PlotRight - 150)
	var cells []chart.Cell
	for i := range rules {
		y := top + float64(ruleRow*float64(i))
		s.Text(chart.SmallFace, chart.Ink, barsLeft-10, y+16, chart.ToLeft, chart.SmallFace.ShortenName(rules[i].Name, barsLeft-10-chart.Margin))
		x := float64(barsLeft)
		cells = append(cells, chart.Cell{Box: chart.Box{X0: chart.Margin, Y0: y, X1: chart.PlotRight, Y1: y + ruleRow}, Texts: []string{words.Printable(rules[i].Name)}})
		for class, share := range rules[i].ByClass() {
			cells[i].Texts = append(cells[i].Texts, words.Percent(outcome.Share(share)))
			end := min(right, x+float64((right-barsLeft)*share))
			s.Rectangle(relaxColours[class], x, y+4, end, y+20)
			x = end
		}
		s.Text(chart.SmallFace, chart.Ink, right+8, y+16, chart.ToRight, words.Percent(rules[i].ShareRelaxed)+" relaxed")
	}
	s.Cells("share of matches", append([]string{""}, words.RelaxNames[:]...), cells)
}

// drawRulesByHour draws a stacked bar for every hour that has matches. The axis shows only the first
// hours of the day, as many as the run covers, so that a short run does not leave most of the panel
// empty.
func drawRulesByHour(s *chart.Canvas, top, bottom float64, rules *outcome.Rules, hours int) {
	p := chart.NewPanel(s, top, bottom, chart.PlotRight, 0, float64(hours)*3600, 1)
	p.Head("share of each hour's matches, by the rule that was relaxed most")
	if rules.Matches > 0 {
		p.YAxis(chart.PercentTicks())
	} else {
		p.Empty("no match to show")
	}
	var xs []float64
	layers := make([][]float64, len(relaxColours))
	for hour := range rules.ByHour[:min(hours, len(rules.ByHour))] {
		xs = append(xs, (float64(hour)+0.5)*3600)
		for class, share := range rules.ByHour[hour].ByClass() {
			layers[class] = append(layers[class], share)
		}
	}
	p.Columns(3600, 3, xs, layers, func(class, _ int) color.RGBA { return relaxColours[class] })
	p.TimeAxis()
}
