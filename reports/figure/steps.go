package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Layout of the picture of steps.
const (
	stepRow   = 20
	stepsLeft = 330 // what opens is to the left of the bars
	stepsMax  = 12  // rows of a list; the last one is about all further steps
)

// plotSteps shows what opens while players wait.
func plotSteps(r *result.Result, _ Coast) []chart.Plot {
	return perQueue(r, func(q *outcome.QueueStats) (chart.Plot, bool) { return stepsOf(r, q.Name, &q.WaitFirst) })
}

// stepsOf returns the picture of the states and the stages of rules that open while the players of a
// queue wait: when on the curve of waits, and below it what each brings. ok is false without any.
func stepsOf(r *result.Result, queue string, waits *outcome.WaitStats) (p chart.Plot, ok bool) {
	var lists [][]result.Step
	for _, of := range [...]string{result.OfStates, result.OfRules} {
		list := slices.DeleteFunc(slices.Clone(r.Steps), func(s result.Step) bool { return s.Queue != queue || s.Of != of })
		if len(list) > 1 {
			lists = append(lists, list)
		}
	}
	if len(lists) == 0 || waits.Count == 0 {
		return p, false
	}
	const panel = 310 // height of the curve with its heading and its axis
	p = chart.Plot{
		Name: "steps", Section: SearchesSection,
		Title:  stepsTitle(lists[len(lists)-1], int(waits.Count)),
		Note:   "waits of first searches with a match; dashed lines: when a state or a stage of the rules opens, by the player's own wait",
		Height: chart.HeadingHeight + panel + chart.Margin,
	}
	if lists[0][0].Of == result.OfStates {
		p.Note += "; without a datacenter within the ideal threshold, EXPAND or WARMBODY opens at once"
	}
	for _, list := range lists {
		p.Height += 44 + float64(stepRow*float64(min(len(list), stepsMax)))
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		drawStepTimes(s, top+40, top+panel-54, r.QueueDistribution(queue, result.MeasureWaitFirst), lists)
		top += panel + 24
		for _, list := range lists {
			drawSteps(s, top, list, int(waits.Count))
			top += 44 + float64(stepRow*float64(min(len(list), stepsMax)))
		}
	}
	return p, true
}

// stepsTitle says how many players are matched in each state or, for rules, how many before anything
// opens, and which step brings most of the others.
func stepsTitle(steps []result.Step, players int) string {
	share := func(s *result.Step) string { return words.PercentOf(outcome.Count(s.Players), outcome.Count(players)) }
	first, most := &steps[0], slices.MaxFunc(steps[1:], func(a, b result.Step) int { return cmp.Compare(a.Players, b.Players) })
	if first.Of == result.OfStates {
		title := fmt.Sprintf("%s of first searches are matched in %s", share(first), first.Opens)
		for i := range steps[1:] {
			title += fmt.Sprintf(", %s in %s", share(&steps[i+1]), steps[i+1].Opens)
		}
		return title
	}
	title := fmt.Sprintf("%s of first searches are matched before any rule is relaxed (%s)", share(first), stepTime("at", &steps[1]))
	if most.Players > 0 {
		title += fmt.Sprintf("; of the later steps, that %s brings most: %s", stepTime("at", &most), share(&most))
	}
	return title
}

// stepTime says when a step opens. Some vendors relax a rule at a wait, others after it, which in
// milliseconds is 1 ms later.
func stepTime(at string, s *result.Step) string {
	if ms := math.Round(1000 * float64(s.At)); math.Mod(ms, 1000) == 1 {
		return "after " + words.Span(outcome.Seconds((ms-1)/1000))
	}
	return at + " " + words.Span(s.At)
}

// drawStepTimes draws the cumulative distribution of waits, with a line at the time of each step.
func drawStepTimes(s *chart.Canvas, top, bottom float64, waits result.Distribution, lists [][]result.Step) {
	xs, ys := Cumulative(waits, shortestWait)
	longest := highest([]float64{10}, xs)
	p := SharesPanel(s, 1, top, bottom, shortestWait, longest, " s", "share of first searches with a match that wait at most")
	p.Steps(chart.Ink, 1.8, xs, ys)
	free := p.X.Lo
	for _, step := range slices.SortedStableFunc(slices.Values(slices.Concat(lists...)), func(a, b result.Step) int { return cmp.Compare(a.At, b.At) }) {
		at := float64(step.At)
		if at <= shortestWait || at > longest {
			continue
		}
		x, name := p.X.At(at), words.Printable(step.Opens)
		p.Line(chart.Muted, 1, x, p.Y.Hi-4, x, p.Y.Lo, 5, 4)
		switch width := chart.SmallFace.Width(name); {
		case x+4 >= free && x+4+width <= p.X.Hi:
			p.Text(chart.SmallFace, chart.Ink, x+4, p.Y.Hi-6, chart.ToRight, name)
			free = x + 12 + width
		case x-4-width >= free: // at the right edge
			p.Text(chart.SmallFace, chart.Ink, x-4, p.Y.Hi-6, chart.ToLeft, name)
			free = x
		}
	}
}

// drawSteps draws a bar for the players whom each step brings.
func drawSteps(s *chart.Canvas, top float64, steps []result.Step, players int) {
	rows := slices.Clone(steps[:min(len(steps), stepsMax)])
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = stepTime("from", &rows[i]) + ": " + words.Printable(rows[i].Opens)
	}
	if rest := steps[len(rows):]; len(rest) > 0 {
		last := len(rows) - 1
		names[last] = fmt.Sprintf("%s: %d further steps", stepTime("from", &rows[last]), len(rest)+1)
		for _, step := range rest {
			rows[last].Players += step.Players
		}
	}
	head := "share of first searches by the stage of the rules at the end of their wait"
	if steps[0].Of == result.OfStates {
		head = "share of first searches by the state in which they were matched"
	}
	bars := chart.Bars{Head: head, Left: stepsLeft, Width: chart.PlotRight - stepsLeft - 150, Row: stepRow, Rows: len(rows), Colour: chart.Blue,
		Value: func(i int) chart.Bar {
			n := outcome.Count(rows[i].Players)
			return chart.Bar{Value: outcome.Ratio(float64(n), float64(players)), Label: fmt.Sprintf("%s (%s)", words.PercentOf(n, outcome.Count(players)), words.Thousands(n))}
		}}
	bars.Draw(s, top, func(i int) string { return names[i] })
}
