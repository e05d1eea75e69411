package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A RatingCell is a row of season_ratings.csv: the persons at the end of a season, by skill and by rating,
// who have finished a match and not quit. Their skill is at least SkillFrom and less than SkillTo, and
// their rating likewise. All cells of a run are equally wide, by a power of two, and begin at multiples of
// their width, so that those of several runs can be added.
type RatingCell struct {
	SkillFrom  float64 `csv:"skill_from"`
	SkillTo    float64 `csv:"skill_to"`
	RatingFrom float64 `csv:"rating_from"`
	RatingTo   float64 `csv:"rating_to"`
	Persons    int     `csv:"persons"`
}

// A PredictionBin is a row of season_predictions.csv: the finished matches of two teams in which the
// ratings gave the favourite a chance from From to To.
type PredictionBin struct {
	From      float64 `csv:"from"`
	To        float64 `csv:"to"`
	Matches   int     `csv:"matches"`
	Predicted float64 `csv:"predicted"` // wins of favourites that the ratings predicted: the sum of their chances
	Won       float64 `csv:"won"`       // wins of favourites; a match without one counts as half a win
}

var (
	ratingsTable     = tableOf(RatingsFile, "", (*RatingCell).fault)
	predictionsTable = tableOf(PredictionsFile, "", (*PredictionBin).fault)
)

// fault describes what is wrong with a cell. It returns "" if nothing is wrong.
func (c *RatingCell) fault(int) string {
	if c.SkillTo <= c.SkillFrom || c.RatingTo <= c.RatingFrom || c.Persons < 1 {
		return fmt.Sprintf("%d persons with skill %v to %v and rating %v to %v, want 1 or more persons and from < to",
			c.Persons, c.SkillFrom, c.SkillTo, c.RatingFrom, c.RatingTo)
	}
	return ""
}

// fault describes what is wrong with a bin. It returns "" if nothing is wrong.
func (b *PredictionBin) fault(int) string {
	if most := float64(b.Matches); b.From < 0.5 || b.To <= b.From || b.To > 1 || b.Won > most || b.Predicted > most {
		return fmt.Sprintf("%v wins, %v predicted, of %d matches with a chance from %v to %v, want at most the number of matches, and 0.5 <= from < to <= 1",
			b.Won, b.Predicted, b.Matches, b.From, b.To)
	}
	return ""
}

// predictionBins is the number of bins of predictions.
const predictionBins = 10

// NewPredictionBin returns the bin with an index from 0 to 9. predicted and won are means over the
// matches, or NaN without matches.
func NewPredictionBin(index, matches int, predicted, won float64) PredictionBin {
	edge := func(i int) float64 { return float64(predictionBins+i) / (2 * predictionBins) }
	b := PredictionBin{From: edge(index), To: edge(index + 1), Matches: matches}
	if matches > 0 {
		b.Predicted, b.Won = wins(float64(matches)*predicted), wins(float64(matches)*won)
	}
	return b
}

// wins rounds a number of wins, so that a sum of several does not depend on their order.
func wins(x float64) float64 { return math.Round(x*1000) / 1000 }

// pooledPredictions adds the matches of two sets of bins.
func pooledPredictions(a, b []PredictionBin) []PredictionBin {
	sum := slices.Clone(a)
	for _, bin := range b {
		i := slices.IndexFunc(sum, func(known PredictionBin) bool { return known.From == bin.From && known.To == bin.To })
		if i < 0 {
			sum = append(sum, bin)
			continue
		}
		sum[i].Matches += bin.Matches
		sum[i].Predicted, sum[i].Won = wins(sum[i].Predicted+bin.Predicted), wins(sum[i].Won+bin.Won)
	}
	return sum
}

// cellsMax is the largest number of cells in each direction.
const cellsMax = 64

// ratingGrid counts persons by cell. The keys are multiples of the two widths.
type ratingGrid struct {
	skill, rating float64 // widths of a cell
	persons       map[[2]float64]int
}

func (g *ratingGrid) add(skill, rating float64, persons int) {
	g.persons[[2]float64{math.Floor(skill / g.skill), math.Floor(rating / g.rating)}] += persons
}

// cells returns the cells by skill and then by rating.
func (g *ratingGrid) cells() (list []RatingCell) {
	for at, n := range g.persons {
		list = append(list, RatingCell{float64(at[0] * g.skill), float64((at[0] + 1) * g.skill), float64(at[1] * g.rating), float64((at[1] + 1) * g.rating), n})
	}
	slices.SortFunc(list, func(a, b RatingCell) int {
		return cmp.Or(cmp.Compare(a.SkillFrom, b.SkillFrom), cmp.Compare(a.RatingFrom, b.RatingFrom))
	})
	return list
}

// RatingsOf returns the cells of persons. each is called twice and yields all persons. Those without a
// skill have no cell.
func RatingsOf(each func(yield func(rating, skill float64))) []RatingCell {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	each(func(rating, skill float64) {
		if !math.IsNaN(skill) {
			low = [2]float64{min(low[0], skill), min(low[1], rating)}
			high = [2]float64{max(high[0], skill), max(high[1], rating)}
		}
	})
	if high[0] < low[0] {
		return nil
	}
	g := ratingGrid{cellWidth(low[0], high[0]), cellWidth(low[1], high[1]), map[[2]float64]int{}}
	each(func(rating, skill float64) {
		if !math.IsNaN(skill) {
			g.add(skill, rating, 1)
		}
	})
	return g.cells()
}

// cellWidth returns the smallest power of two with which at most cellsMax cells have the numbers from low
// to high, and with which their edges differ in a float64. It returns at least 1 for equal numbers.
func cellWidth(low, high float64) float64 {
	width := 1.0
	if high > low {
		width = math.Exp2(math.Floor(math.Log2((high - low) / cellsMax)))
	}
	for !(math.Floor(high/width)-math.Floor(low/width) < cellsMax) || low+width == low || high+width == high {
		width *= 2
	}
	return width
}

// pooledRatings adds the persons of two sets of cells. The cells of the result are as wide as the wider
// ones of the two.
func pooledRatings(a, b []RatingCell) []RatingCell {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	g := ratingGrid{
		max(a[0].SkillTo-a[0].SkillFrom, b[0].SkillTo-b[0].SkillFrom), max(a[0].RatingTo-a[0].RatingFrom, b[0].RatingTo-b[0].RatingFrom), map[[2]float64]int{},
	}
	for _, cells := range [][]RatingCell{a, b} {
		for i := range cells {
			g.add(cells[i].SkillFrom, cells[i].RatingFrom, cells[i].Persons)
		}
	}
	return g.cells()
}
