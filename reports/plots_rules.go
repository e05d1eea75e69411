package reports

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// ruleRow is the height of a rule in its picture.
const ruleRow = 26

// relaxColours are the colours of the classes of relaxed rules.
var relaxColours = [outcome.RelaxClasses]color.RGBA{rttColours[0], rttColours[1], rttColours[2], rttColours[3], rttColours[4], purple}

// plotRules shows how far the rules gave way, when, and why tickets expired.
func plotRules(rules *outcome.Rules) Plot {
	bending := slices.DeleteFunc(slices.Clone(rules.Relaxation), func(r outcome.Relaxation) bool { return r.ShareRelaxed == 0 })
	slices.SortStableFunc(bending, func(a, b outcome.Relaxation) int { return cmp.Compare(b.ShareRelaxed, a.ShareRelaxed) })
	reasons := words.ExpiryReasons(&rules.Expiry)
	slices.SortStableFunc(reasons, func(a, b outcome.Part) int { return cmp.Compare(b.Count, a.Count) })
	const hours = 250
	barsHeight := 44 + ruleRow*float64(max(1, len(bending)))
	p := Plot{
		Name: "rules", section: rulesSection,
		Title:  rulesTitle(rules),
		Note:   "matches by how far each rule had given way when they were made; rules that never did are left out",
		height: headingHeight + 26 + barsHeight + hours + ruleRow*float64(len(reasons)) + margin,
	}
	for class, name := range words.RelaxNames {
		p.key = append(p.key, keyEntry{name, relaxColours[class], false})
	}
	if len(reasons) > 0 {
		p.height += 44
	}
	p.draw = func(s *sheet, top float64) {
		drawRelaxation(s, top+34, bending)
		drawRulesByHour(s, top+barsHeight+34, top+barsHeight+hours-timeAxisHeight-20, rules)
		if len(reasons) > 0 {
			list := barList{head: "tickets that expired, by what kept them from a match", left: barsLeft, width: plotRight - barsLeft - 150, colour: red, row: ruleRow,
				rows: len(reasons), value: func(i int) (float64, float64, string) {
					return float64(reasons[i].Share), 0, fmt.Sprintf("%s (%s)", words.Percent(reasons[i].Share), words.Thousands(reasons[i].Count))
				}}
			list.draw(s, top+barsHeight+hours+34, func(i int) string { return reasons[i].Name })
		}
	}
	return p
}

func rulesTitle(rules *outcome.Rules) string {
	switch {
	case rules.Matches == 0:
		return "No match was made"
	case rules.ShareRelaxed == 0:
		return "All matches are made as the rules stand at the start of a wait"
	}
	title := fmt.Sprintf("Rules had given way for %s of matches", words.Percent(rules.ShareRelaxed))
	if e := &rules.Expiry; e.Tickets > 0 {
		title += fmt.Sprintf("; %s expired", words.Plural(e.Tickets, "ticket"))
		if reasons := words.ExpiryReasons(e); len(reasons) > 0 {
			most := slices.MaxFunc(reasons, func(a, b outcome.Part) int { return cmp.Compare(a.Count, b.Count) })
			title += fmt.Sprintf(", most because of %s", words.Name(most.Name))
		}
	}
	return title
}

// barsLeft is where bars begin that have names on their left.
const barsLeft = 190

// drawRelaxation draws a bar of a whole for every rule.
func drawRelaxation(s *sheet, top float64, rules []outcome.Relaxation) {
	s.text(headFace, ink, barsLeft, top-8, toRight, "share of matches")
	if len(rules) == 0 {
		s.text(textFace, muted, barsLeft, top+16, toRight, "no rule gave way")
	}
	right := float64(plotRight - 150)
	for i := range rules {
		y := top + ruleRow*float64(i)
		s.text(smallFace, ink, barsLeft-10, y+16, toLeft, smallFace.shorten(rules[i].Name, barsLeft-10-margin))
		x := float64(barsLeft)
		for class, share := range rules[i].ByClass() {
			end := min(right, x+(right-barsLeft)*share)
			s.box(relaxColours[class], x, y+4, end, y+20)
			x = end
		}
		s.text(smallFace, ink, right+8, y+16, toRight, words.Percent(rules[i].ShareRelaxed)+" gave way")
	}
}

// drawRulesByHour draws a bar of a whole for every hour of the day that has matches.
func drawRulesByHour(s *sheet, top, bottom float64, rules *outcome.Rules) {
	p := newPanel(s, top, bottom, plotRight, 0, 24*3600, 1)
	p.head("matches of an hour, by how far the rule went that gave way most")
	p.yAxis(percentTicks())
	for hour := range rules.ByHour {
		from, to := p.x.at(float64(hour)*3600)+1.5, p.x.at(float64(hour+1)*3600)-1.5
		y := 0.0
		for class, share := range rules.ByHour[hour].ByClass() {
			p.box(relaxColours[class], from, p.y.at(min(1, y+share)), to, p.y.at(y))
			y += share
		}
	}
	p.timeAxis()
}

// barList is a column of horizontal bars, each with a thin line on to its tail.
type barList struct {
	head             string
	left, width, row float64
	colour           color.RGBA
	rows             int
	value            func(i int) (v, tail float64, label string)
}

// draw draws the column below its head, and names on its left where there are any.
func (b *barList) draw(s *sheet, top float64, name func(i int) string) {
	longest := 0.0
	for i := range b.rows {
		v, tail, _ := b.value(i)
		longest = max(longest, v, tail)
	}
	if longest == 0 {
		longest = 1
	}
	s.text(headFace, ink, b.left, top-8, toRight, b.head)
	s.line(rule, 1, b.left, top, b.left, top+b.row*float64(b.rows))
	for i := range b.rows {
		y := top + b.row*float64(i)
		v, tail, label := b.value(i)
		end := b.left + b.width*v/longest
		reach := max(end, b.left+b.width*tail/longest)
		s.box(b.colour, b.left, y+0.15*b.row, end, y+0.8*b.row)
		s.line(b.colour, 1.5, end, y+0.475*b.row, reach, y+0.475*b.row)
		s.text(smallFace, ink, reach+6, y+0.475*b.row+4, toRight, label)
		if name != nil {
			s.text(smallFace, ink, b.left-10, y+0.475*b.row+4, toLeft, smallFace.shorten(name(i), b.left-10-margin))
		}
	}
}
