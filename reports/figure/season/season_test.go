package season_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/chart"
	"mmsim/reports/figure/season"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/result"
)

// titles returns the titles of pictures by name.
func titles(plots []chart.Plot) map[string]string {
	list := map[string]string{}
	for _, p := range plots {
		list[p.Name] = p.Title
	}
	return list
}

// Titles state what the numbers show.
func TestTitles(t *testing.T) {
	want := map[string]string{
		season.Rating:      "The rating follows skill with a correlation of 0.923; differences in rating are 20 % too small",
		season.Calibration: "Favourites win 61.3 % of matches, and the ratings predicted 62.0 %; predictions are off by 1.2 points on average",
		season.Stay:        "After 7 days, 80.8 % still play: 75.7 % of the tenth with the lowest skill, 86.6 % of that with the highest",
		season.Days:        "From day 1 to day 10, the mean rating goes from 1,500 to 1,511, its standard deviation from 73.7 to 251, and the population from 9,705 to 9,750",
		season.Converge:    "With 0 to 9 finished matches, ratings miss skill by 240; with 100 or more, by 120 (without any rating: 300)",
	}
	got := titles(season.Plots(season.Run(resulttest.Season())))
	for name, title := range want {
		if got[name] != title {
			t.Errorf("%s: got title %q, want %q", name, got[name], title)
		}
	}
}

// The slope is that of a perfect rating if it differs by less than the title's precision.
func TestTitleOfScale(t *testing.T) {
	for _, test := range []struct {
		slope, perfect float64
		want           string
	}{
		{1, 1, "as large as they should be"}, {1.57, 1, "57 % too large"}, {0.0213, 0.0213, "as large as they should be"},
		{0.0106, 0.0212, "50 % too small"}, {math.NaN(), 1, "All persons are equally skilled"},
	} {
		side := season.Run(resulttest.Season())[0]
		known := side.Value
		side.Value = func(metric string) float64 {
			switch metric {
			case "season.rating.slope":
				return test.slope
			case "season.rating.slope_perfect":
				return test.perfect
			}
			return known(metric)
		}
		if got := titles(season.Plots([]season.Side{side}))[season.Rating]; !strings.Contains(got, test.want) {
			t.Errorf("slope %g, perfect %g: got title %q, want %q", test.slope, test.perfect, got, test.want)
		}
	}
}

// The curves of the picture are the quantiles of the ratings at each skill: the ratings of resulttest are
// normal around a line, with a standard deviation of 100.
func TestRatingCurves(t *testing.T) {
	plots := season.Plots(season.Run(resulttest.Season()))
	_, shown := plots[slices.IndexFunc(plots, func(p chart.Plot) bool { return p.Name == season.Rating })].Inline()
	panel := shown[slices.IndexFunc(shown, func(s chart.Shown) bool { return len(s.Series) == 3 })]
	median := slices.IndexFunc(panel.Series, func(s chart.Series) bool { return s.Name == "median" })
	edge := func(name string) chart.Numbers {
		return panel.Series[slices.IndexFunc(panel.Series, func(s chart.Series) bool { return s.Name == name })].Values
	}
	low, high := edge("10 % of persons are below"), edge("90 % of persons are below")
	checked := 0
	for i, skill := range panel.At[panel.Series[median].At] {
		if math.Abs(skill-1500) > 400 {
			continue // too few persons, unevenly spread over their cell
		}
		checked++
		line := 1512 + float64(0.8*(skill-1500))
		for _, c := range []struct{ got, want float64 }{
			{panel.Series[median].Values[i], line}, {low[i], line - 128}, {high[i], line + 128},
		} {
			if math.Abs(c.got-c.want) > 16 {
				t.Errorf("skill %g: got %g, want about %g", skill, c.got, c.want)
			}
		}
	}
	if checked < 10 {
		t.Errorf("checked %d skills, want at least 10", checked)
	}
}

// Two sides are drawn over each other, and every series says which side it is. A side without persons has
// no pictures, and ratings with other scales are converted.
func TestTwoSides(t *testing.T) {
	side := func(name string, r *result.Result) season.Side {
		s := season.Run(r)[0]
		s.Name = name
		return s
	}
	other := resulttest.Season()
	other.Summary.Season.Rating.SlopePerfect = 0.02
	for name, b := range map[string]*result.Result{"equal scales": resulttest.Season(), "other scales": other} {
		sides := []season.Side{side("A", resulttest.Season()), side("B", b)}
		if got, want := season.Comparable(sides), b != other; got != want {
			t.Errorf("%s: Comparable is %t, want %t", name, got, want)
		}
		plots := season.Plots(sides)
		if len(plots) != 5 {
			t.Fatalf("%s: got %d pictures, want 5", name, len(plots))
		}
		for i := range plots {
			for _, fault := range resulttest.TextFaults(&plots[i]) {
				t.Errorf("%s: %s", name, fault)
			}
			svg, shown := plots[i].Inline()
			if len(svg) > 300_000 || strings.Contains(string(svg), "NaN") {
				t.Errorf("%s: %s: got an SVG of %d bytes, want at most 300,000 without NaN", name, plots[i].Name, len(svg))
			}
			named := map[byte]bool{}
			for _, part := range shown {
				for _, s := range part.Series {
					named[(s.Name + "?")[0]] = true
				}
			}
			if !named['A'] || !named['B'] || named['?'] {
				t.Errorf("%s: %s: got series that begin with %v, want A and B", name, plots[i].Name, named)
			}
		}
	}
	none := resulttest.Season()
	none.Summary.Season, none.Ratings, none.Predictions = nil, nil, nil
	if plots := season.Plots([]season.Side{side("A", resulttest.Season()), side("B", none)}); len(plots) != 0 {
		t.Errorf("one side without a season: got %d pictures, want none", len(plots))
	}
}
