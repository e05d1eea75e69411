package result_test

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/result"
)

// ratingsOf returns the cells of persons, each with a rating and a skill.
func ratingsOf(persons [][2]float64) []result.RatingCell {
	return result.RatingsOf(func(yield func(rating, skill float64)) {
		for _, p := range persons {
			yield(p[0], p[1])
		}
	})
}

// Every person is in the cell around its numbers, there are at most 64 cells in each direction, and the
// widths are powers of two.
func TestRatingsOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []float64{1e-300, 0.001, 1, 300, 1e9, 1e300} {
		for range 50 {
			var persons [][2]float64
			middle := float64(scale * rng.NormFloat64() * 10)
			for range 1 + rng.IntN(300) {
				persons = append(persons, [2]float64{middle + float64(scale*rng.NormFloat64()), float64(scale * rng.NormFloat64())})
			}
			cells := ratingsOf(append(persons, [2]float64{1, math.NaN()}))
			skills, ratings := map[float64]bool{}, map[float64]bool{}
			for _, c := range cells {
				skills[c.SkillFrom], ratings[c.RatingFrom] = true, true
				for _, width := range []float64{c.SkillTo - c.SkillFrom, c.RatingTo - c.RatingFrom} {
					if m, _ := math.Frexp(width); m != 0.5 {
						t.Fatalf("scale %g: got a width of %g, want a power of two", scale, width)
					}
				}
				inside := 0
				for _, p := range persons {
					if p[1] >= c.SkillFrom && p[1] < c.SkillTo && p[0] >= c.RatingFrom && p[0] < c.RatingTo {
						inside++
					}
				}
				if inside != c.Persons {
					t.Fatalf("scale %g: %+v has %d persons", scale, c, inside)
				}
			}
			if len(skills) > 64 || len(ratings) > 64 || len(cells) == 0 {
				t.Fatalf("scale %g: got %d × %d cells, want at most 64 × 64", scale, len(skills), len(ratings))
			}
		}
	}
	if cells := ratingsOf([][2]float64{{1500, math.NaN()}}); cells != nil {
		t.Errorf("without a skill: got %v, want no cells", cells)
	}
	want := []result.RatingCell{{SkillFrom: 7, SkillTo: 8, RatingFrom: -3, RatingTo: -2, Persons: 2}}
	if diff := cmp.Diff(want, ratingsOf([][2]float64{{-2.5, 7}, {-2.5, 7}})); diff != "" {
		t.Errorf("equal persons (-want +got):\n%s", diff)
	}
}

// A sketch adds the persons and the matches of several runs, whose cells may have other widths, in any
// order. Its files, and those of a run, read back as they were written.
func TestSeasonsOfSketches(t *testing.T) {
	wide, narrow := resulttest.Season(), resulttest.Season()
	narrow.Ratings = ratingsOf([][2]float64{{1500.25, 1000.5}, {1500.75, 1001.5}, {1501.5, 1001.75}})
	var sides [2]result.Sketch
	for _, r := range []*result.Result{wide, narrow} {
		sides[0].AddRun(r)
	}
	for _, r := range []*result.Result{narrow, wide} {
		sides[1].AddRun(r)
	}
	if diff := cmp.Diff(sides[0].Ratings, sides[1].Ratings); diff != "" {
		t.Errorf("ratings in another order (-first +second):\n%s", diff)
	}
	persons := 0
	for _, c := range sides[0].Ratings {
		persons += c.Persons
	}
	if persons != 9_700+3 {
		t.Errorf("got %d persons, want the 9,700 and 3 of both runs", persons)
	}
	if got, want := sides[0].Predictions[0], (result.PredictionBin{From: 0.5, To: 0.55, Matches: 72_000, Predicted: 37_800, Won: 36_900}); got != want {
		t.Errorf("got predictions %+v, want %+v", got, want)
	}
	files := resulttest.Memory{}
	if err := result.WriteSketches(&sides, files.Create); err != nil {
		t.Fatal(err)
	}
	back, err := result.LoadSketches(files.FS())
	if err != nil {
		t.Fatal(err)
	}
	for i := range back {
		if diff := cmp.Diff(sides[i].Ratings, back[i].Ratings) + cmp.Diff(sides[i].Predictions, back[i].Predictions); diff != "" {
			t.Errorf("side %d, read back (-want +got):\n%s", i, diff)
		}
	}
	files = resulttest.Memory{}
	if err := narrow.WriteBrief(files.Create); err != nil {
		t.Fatal(err)
	}
	read, err := result.LoadBrief(files.FS())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(narrow.Ratings, read.Ratings) + cmp.Diff(narrow.Predictions, read.Predictions); diff != "" {
		t.Errorf("a run, read back (-want +got):\n%s", diff)
	}
}

// A file that no run can have written is an error that names the line.
func TestSeasonFilesAreChecked(t *testing.T) {
	files := resulttest.Memory{}
	if err := resulttest.Season().WriteBrief(files.Create); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ file, row, want string }{
		{result.RatingsFile, "1500,1500,1500,1532,3", "season_ratings.csv:2:1: 3 persons with skill 1500 to 1500"},
		{result.RatingsFile, "1500,1532,1500,1532,0", "season_ratings.csv:2:1: 0 persons"},
		{result.RatingsFile, "a,1532,1500,1532,1", "season_ratings.csv:2:1: skill_from is"},
		{result.PredictionsFile, "0.5,0.55,10,5.2,10.5", "season_predictions.csv:2:1: 10.5 wins, 5.2 predicted, of 10 matches"},
		{result.PredictionsFile, "0.4,0.55,10,5.2,5", "season_predictions.csv:2:1: 5 wins"},
	} {
		changed := maps.Clone(files)
		head, _, _ := strings.Cut(changed[test.file].String(), "\n")
		changed[test.file] = bytes.NewBufferString(head + "\n" + test.row + "\n")
		if _, err := result.LoadBrief(changed.FS()); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s with %s: got error %v, want %s …", test.file, test.row, err, test.want)
		}
	}
}
