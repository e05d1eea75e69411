package season

import (
	"fmt"
	"math"
	"strings"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

const convergeHeight = 440

// convergePlot shows the error of ratings by the number of finished matches.
func convergePlot(sides []Side) (chart.Plot, bool) {
	if !every(sides, func(s *Side) bool { return known(s.errors()) }) {
		return chart.Plot{}, false
	}
	p := chart.Plot{
		Name: Converge, Title: convergeTitle(&sides[0]),
		Note:   "persons at the end of the season: root mean square distance of skill from the line that fits it to the rating best, within each group",
		Height: convergeHeight,
	}
	if len(sides) > 1 {
		p.Key = key(sides, "error", "")
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		drawConverge(s, top+30, p.Height-50-float64(14*float64(len(sides))), sides)
	}
	return p, true
}

func group(i int, metric string) string {
	return "season.by_matches." + outcome.ExperienceKeys[i] + "." + metric
}

// errors returns the errors by finished matches.
func (s *Side) errors() []float64 {
	list := make([]float64, len(outcome.ExperienceKeys))
	for i := range list {
		list[i] = math.NaN()
		if s.Value(group(i, "persons")) > 0 {
			list[i] = s.Value(group(i, "rating_error"))
		}
	}
	return list
}

// groupName returns the name of a group by finished matches.
func groupName(i int) string {
	name := strings.Replace(outcome.ExperienceKeys[i], "_", " to ", 1)
	if i == len(outcome.ExperienceKeys)-1 {
		name += " or more"
	}
	return name
}

// convergeTitle compares the groups with fewest and with most matches.
func convergeTitle(s *Side) string {
	list, first, last := s.errors(), -1, -1
	for i, x := range list {
		if !math.IsNaN(x) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	text := fmt.Sprintf("With %s finished matches, ratings miss skill by %s", groupName(first), digits(list[first]))
	if last > first {
		text += fmt.Sprintf("; with %s, by %s", groupName(last), digits(list[last]))
	}
	if sd := s.Value("season.rating.skill_sd"); sd > 0 {
		text += fmt.Sprintf(" (without any rating: %s)", digits(sd))
	}
	return text
}

func drawConverge(s *chart.Canvas, top, bottom float64, sides []Side) {
	n := len(outcome.ExperienceKeys)
	var errors []float64
	for i := range sides {
		errors = append(append(errors, sides[i].errors()...), sides[i].Value("season.rating.skill_sd"))
	}
	_, most := chart.Extent(errors)
	p := chart.Ticked(s, top, bottom, chart.PlotRight-110, -0.5, float64(n)-0.5, "error, in units of skill", chart.NiceTicks(most, 5))
	if sd := sides[0].Value("season.rating.skill_sd"); sd > 0 {
		p.HorizontalLines([]chart.Limit{{Name: "sd of skill: " + digits(sd), Value: sd}})
	}
	xs, names := make([]float64, n), []chart.Tick(nil)
	for i := range xs {
		xs[i] = float64(i)
		names = append(names, chart.Tick{Value: xs[i], Label: groupName(i)})
	}
	p.XAxis(names)
	for i := range sides {
		p.Curve(strong[i], 1.5, xs, sides[i].errors())
		for k, x := range sides[i].errors() {
			persons := sides[i].Value(group(k, "persons"))
			if math.IsNaN(persons) {
				continue
			}
			text := sides[i].named(words.Plural(outcome.Count(math.Round(persons)), "person"))
			p.Dot(strong[i], 4, false, xs[k], x, text)
			s.Text(chart.SmallFace, chart.Muted, p.X.At(xs[k]), bottom+32+float64(14*float64(i)), chart.Centred, text)
		}
	}
	s.Text(chart.HeadFace, chart.Ink, chart.PlotRight, bottom+16, chart.ToLeft, "finished matches")
}
