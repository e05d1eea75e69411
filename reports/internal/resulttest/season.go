package resulttest

import (
	"math"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Season returns a season of ten days with 10,000 persons. Their ratings follow skill with a slope of 0.8
// and an error of 100.
func Season() *result.Result {
	const persons, days = 10_000, 10
	r := Synthetic(24*days, 3, 100_000)
	nan := math.NaN()
	s := &outcome.Season{
		Attribute: "mmr", Visits: persons * days, MatchesPerVisit: 4, AgainChance: 0.75, QuitChance: 0.03,
		Persons: outcome.SeasonPersons{Start: persons, New: 2_700, Quit: 2_950, End: persons - 250},
		Stay:    outcome.SeasonStay{D1: 0.97, D7: 0.808, D14: outcome.Share(nan), D28: outcome.Share(nan)},
		Rating:  outcome.SeasonRating{Mean: 1512, SD: 260, SkillSD: 300, Correlation: 0.923, Error: 115, Slope: 0.8, SlopePerfect: 1},
		Prediction: outcome.SeasonPrediction{Matches: 180_000, FavouritePredicted: 0.62, FavouriteWins: 0.613, LogLoss: 0.64,
			CalibrationError: 0.0125},
		Fairness: outcome.SeasonFairness{FavouriteChance: 0.609, Share4555: 0.34, ShareBelow40: 0.4},
	}
	for i := range days {
		s.ByDay = append(s.ByDay, outcome.SeasonDay{Visits: persons, New: 300 * outcome.Count(min(i, 1)), Quit: 295,
			RatingMean: outcome.Value(1500 + float64(1.2*float64(i))), RatingSD: outcome.RoundValue(260 * (1 - math.Exp(-float64(i+1)/3))), RatingError: 120})
	}
	for i := range 10 {
		win := outcome.RoundShare(0.12 + float64(0.085*float64(i)))
		s.BySkillDecile = append(s.BySkillDecile, outcome.SeasonDecile{From: outcome.Value(600 + 180*i), To: outcome.Value(779 + 180*i), Persons: persons / 10,
			WinShare: win, StayD1: 0.95 + win/30, StayD7: 0.74 + win/7, StayD14: outcome.Share(nan), MatchesPerVisit: 4, WaitMean: 12, RTTMean: 40, FavouriteChance: 0.62})
	}
	for i, name := range outcome.ExperienceKeys {
		s.ByMatches = append(s.ByMatches, outcome.SeasonGroup{Name: name, Persons: outcome.Count(1_000 + 450*i), RatingError: outcome.Value(240 - 30*i)})
	}
	r.Summary.Season = s
	normal := func(i, of int) float64 { return math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/float64(of)-1) }
	r.Ratings = result.RatingsOf(func(yield func(rating, skill float64)) {
		for i := range 100 {
			for k := range 97 {
				skill := 1500 + float64(300*normal(i, 100))
				yield(1512+float64(0.8*(skill-1500))+float64(100*normal(k, 97)), skill)
			}
		}
	})
	for i := range 10 {
		predicted := 0.525 + float64(0.05*float64(i))
		r.Predictions = append(r.Predictions, result.NewPredictionBin(i, 36_000/(1+i), predicted, predicted-0.0125))
	}
	return r
}

// seasonOfTwo returns a day of two persons who play one match.
func seasonOfTwo() *result.Result {
	r := Synthetic(24, 1, 2)
	nan := math.NaN()
	r.Summary.Season = &outcome.Season{
		Attribute: "mmr", Visits: 2, MatchesPerVisit: 1, AgainChance: 0, QuitChance: 0, Persons: outcome.SeasonPersons{Start: 2, End: 2},
		Stay:       outcome.SeasonStay{D1: outcome.Share(nan), D7: outcome.Share(nan), D14: outcome.Share(nan), D28: outcome.Share(nan)},
		Rating:     outcome.SeasonRating{Mean: 1500, SD: 16, SkillSD: 0, Correlation: outcome.Value(nan), Error: 0, Slope: outcome.Value(nan), SlopePerfect: 1},
		Prediction: outcome.SeasonPrediction{Matches: 1, FavouritePredicted: 0.5, FavouriteWins: 0.5, LogLoss: 0.693147, CalibrationError: 0},
		Fairness:   outcome.SeasonFairness{FavouriteChance: 0.5, Share4555: 1},
		ByDay:      []outcome.SeasonDay{{Visits: 2, RatingMean: 1500, RatingSD: 16}},
		ByMatches:  outcome.SeasonGroups{{Name: outcome.ExperienceKeys[0], Persons: 2}},
	}
	for i := range 10 {
		of := outcome.SeasonDecile{From: 1500, To: 1500, Persons: outcome.Count(1 - min(i%5, 1)), StayD1: outcome.Share(nan), StayD7: outcome.Share(nan), StayD14: outcome.Share(nan)}
		r.Summary.Season.BySkillDecile = append(r.Summary.Season.BySkillDecile, of)
	}
	r.Ratings = result.RatingsOf(func(yield func(rating, skill float64)) {
		yield(1516, 1500)
		yield(1484, 1500)
	})
	for i := range 10 {
		r.Predictions = append(r.Predictions, result.NewPredictionBin(i, 1-min(i, 1), 0.5, 0.5))
	}
	return r
}
