package season

import (
	"fmt"
	"math"

	"mmsim/reports/chart"
	"mmsim/reports/estimate"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

const calibrationHeight = 620

// calibrationPlot shows how often favourites won, by the chance that the ratings gave them.
func calibrationPlot(sides []Side) (chart.Plot, bool) {
	if !every(sides, func(s *Side) bool { return s.Value("season.prediction.matches") > 0 && len(s.Predictions) > 0 }) {
		return chart.Plot{}, false
	}
	first := &sides[0]
	won, predicted, off := first.Value("season.prediction.favourite_wins"), first.Value("season.prediction.favourite_predicted"), first.Value("season.prediction.calibration_error")
	p := chart.Plot{
		Name: Calibration,
		Title: fmt.Sprintf("Favourites win %s of matches, and the ratings predicted %s; predictions are off by %.1f points on average",
			words.Percent(share(won)), words.Percent(share(predicted)), 100*off),
		Note:   "finished matches of two teams, by the chance that the ratings gave to the favourite; 95 % intervals as if matches were independent",
		Height: calibrationHeight,
		Key:    append(key(sides, "won", ""), chart.KeyEntry{Text: "predictions come true", Colour: chart.Ink, Line: true}),
	}
	p.Draw = func(s *chart.Canvas, top float64) {
		bottom := p.Height - 210
		drawCalibration(s, top+24, bottom, sides)
		drawPredictions(s, bottom+66, p.Height-52, sides)
	}
	return p, true
}

// shares returns the mean predicted chance of the bins with matches, and the share won with its interval.
func shares(bins []result.PredictionBin) (xs []float64, won []estimate.Estimate) {
	for i := range bins {
		if b := &bins[i]; b.Matches > 0 {
			xs = append(xs, b.Predicted/float64(b.Matches))
			e := estimate.Share(int(math.Round(b.Won)), b.Matches)
			e.Value = b.Won / float64(b.Matches)
			won = append(won, e)
		}
	}
	return xs, won
}

func drawCalibration(s *chart.Canvas, top, bottom float64, sides []Side) {
	var ends []float64
	for i := range sides {
		_, won := shares(sides[i].Predictions)
		for _, e := range won {
			if ends = append(ends, e.Value); e.High-e.Low < 0.5 {
				ends = append(ends, e.Low, e.High)
			}
		}
	}
	p := chart.Panel{Canvas: s, X: chart.Scale{Min: 0.5, Max: 1, Lo: chart.PlotLeft, Hi: chart.PlotRight}}
	var ticks []chart.Tick
	p.Y, ticks = percentAxis(bottom, top, 6, ends, []float64{0.5, 1})
	p.Head("share of matches that the favourite won")
	p.YAxis(ticks)
	p.Line(chart.Ink, 1.2, p.X.At(0.5), p.Y.At(0.5), p.X.At(1), p.Y.At(1), 5, 4)
	for i := range sides {
		xs, won := shares(sides[i].Predictions)
		ys := make([]float64, len(won))
		for k, e := range won {
			ys[k] = e.Value
			p.Line(strong[i], 1.5, p.X.At(xs[k]), p.Y.At(max(e.Low, p.Y.Min)), p.X.At(xs[k]), p.Y.At(min(e.High, p.Y.Max)))
		}
		p.Curve(strong[i], 0.8, xs, ys)
		for k, e := range won {
			p.Dot(strong[i], 4, false, xs[k], ys[k], sides[i].named(fmt.Sprintf("%s, 95 %% interval %s to %s", words.Plural(e.N, "match"), words.Percent(share(e.Low)), words.Percent(share(e.High)))))
		}
	}
	p.XAxis(chanceTicks())
	p.XName("chance that the ratings gave to the favourite")
}

func chanceTicks() (ticks []chart.Tick) {
	for percent := 50; percent <= 100; percent += 5 {
		ticks = append(ticks, chart.Tick{Value: float64(percent) / 100, Label: fmt.Sprint(percent, " %")})
	}
	return ticks
}

// drawPredictions draws the number of matches by predicted chance.
func drawPredictions(s *chart.Canvas, top, bottom float64, sides []Side) {
	most := 0
	for i := range sides {
		for _, b := range sides[i].Predictions {
			most = max(most, b.Matches)
		}
	}
	p := chart.Ticked(s, top, bottom, chart.PlotRight, 0.5, 1, "matches", chart.NiceTicks(float64(most), 3))
	for i := range sides {
		var bars [][]chart.Point
		var cells []chart.Cell
		for _, b := range sides[i].Predictions {
			width := (p.X.At(b.To) - p.X.At(b.From) - 4) / float64(len(sides))
			x := p.X.At(b.From) + 2 + float64(width*float64(i))
			bars = append(bars, p.Bar(x, x+width, p.Y.At(float64(b.Matches))))
			cells = append(cells, chart.Cell{Box: chart.Box{X0: x, Y0: p.Y.Hi, X1: x + width, Y1: p.Y.Lo},
				Texts: []string{sides[i].named(fmt.Sprintf("%.0f to %.0f %%", 100*b.From, 100*b.To)), words.Thousands(b.Matches)}})
		}
		p.Polygons(strong[i], bars...)
		s.Cells(sides[i].named("matches by predicted chance"), []string{"", "matches"}, cells)
	}
	p.XAxis(chanceTicks())
}
