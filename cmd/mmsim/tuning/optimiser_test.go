package tuning

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"mmsim/sim"
)

// testProblem is a problem whose solution is known.
type testProblem struct {
	settings []Setting
	goals    int
	value    func(x Point, share float64) ([]float64, float64)
	budget   float64 // in trials at full cost
	start    int
	shares   []float64
}

// search searches a problem. It counts the cost, and checks that all candidates are valid and
// new.
func (w testProblem) search(t *testing.T, seed uint64) []Trial {
	t.Helper()
	stream := sim.NewStream(seed, 0, sim.PurposeTuning)
	var drawn uint64
	next := func() uint64 { drawn++; return drawn }
	spent := 0.0
	seen := map[string]bool{}
	p := Problem{
		Settings: w.settings, Goals: w.goals, Start: w.start, Shares: w.shares,
		Uniform: func() float64 { return stream.Uniform(0, next()) },
		Normal:  func() float64 { return stream.Normal(0, next()) },
		Try: func(candidates []Candidate) ([]Result, error) {
			cost := 0.0
			var results []Result
			for _, c := range candidates {
				cost += c.Share
				for i, x := range c.Point {
					if x < 0 || x > 1 || x != w.settings[i].snap(x) {
						t.Fatalf("trial %v: setting %d is not a value from 0 to 1 on its grid", c.Point, i)
					}
				}
				if key := keyOf(c.Point, c.Share); seen[key] {
					t.Fatalf("trial %v was repeated", c)
				} else {
					seen[key] = true
				}
				goals, violation := w.value(c.Point, c.Share)
				results = append(results, Result{goals, violation})
			}
			if spent += cost; spent > w.budget {
				return nil, ErrSpent
			}
			return results, nil
		},
	}
	trials, err := Search(p)
	if err != nil {
		t.Fatal(err)
	}
	return trials
}

func (w testProblem) best(trials []Trial) Trial { return trials[Front(trials)[0]] }

var halved = []float64{0.25, 0.5, 1}

// The search finds the bottom of a curved valley. Cheap trials have noise, which is the same
// for all trials at the same share.
func TestFindsMinimum(t *testing.T) {
	for seed := range uint64(20) {
		w := testProblem{
			settings: []Setting{{}, {}, {}}, goals: 1, budget: 300, start: 24, shares: halved,
			value: func(x Point, share float64) ([]float64, float64) {
				y := 10*(x[0]-0.3)*(x[0]-0.3) + 100*(x[1]-x[0]*x[0]-0.2)*(x[1]-x[0]*x[0]-0.2) + 3*(x[2]-0.9)*(x[2]-0.9)
				return []float64{y + (1-share)*math.Sin(40*x[0])}, 0
			},
		}
		best := w.best(w.search(t, seed))
		if best.Goals[0] > 0.02 { // values range up to 10 along the valley and 100 across it
			t.Errorf("seed %d: got best goal %.4f at %.3f, want 0 at 0.3, 0.29, 0.9", seed, best.Goals[0], best.Point)
		}
	}
}

// The smallest x + y with x·y ≥ 0.25 is at x = y = 0.5, on the boundary of the constraint.
func TestMeetsConstraints(t *testing.T) {
	for seed := range uint64(20) {
		w := testProblem{
			settings: []Setting{{}, {}}, goals: 1, budget: 200, start: 16, shares: halved,
			value: func(x Point, _ float64) ([]float64, float64) {
				return []float64{x[0] + x[1]}, max(0, 0.25-x[0]*x[1])
			},
		}
		best := w.best(w.search(t, seed))
		if best.Violation > 0 || best.Goals[0] > 1.03 || math.Abs(best.Point[0]-0.5) > 0.1 {
			t.Errorf("seed %d: got best trial %+v, want about 0.5 and 0.5 without a violation", seed, best)
		}
	}
}

// The result depends on a number, a whole number and a word. The best word is bad for half of
// the whole numbers.
func TestFindsChoicesAndWholeNumbers(t *testing.T) {
	offsets := []float64{0.3, 0, 0.5, 0.4}
	for seed := range uint64(20) {
		w := testProblem{
			settings: []Setting{{Levels: 30, Ordered: true}, {Levels: 4}, {}}, goals: 1, budget: 200, start: 16, shares: halved,
			value: func(x Point, _ float64) ([]float64, float64) {
				size, word := float64(Setting{Levels: 30}.Level(x[0])), Setting{Levels: 4}.Level(x[1])
				y := math.Abs(size-21)/30 + offsets[word] + (x[2]-0.4)*(x[2]-0.4)
				if word == 1 && size < 15 {
					y++
				}
				return []float64{y}, 0
			},
		}
		best := w.best(w.search(t, seed))
		if best.Goals[0] > 0.01 {
			t.Errorf("seed %d: got best trial %+v, want level 21 of 30, word 1 and 0.4", seed, best)
		}
	}
}

// The front of two goals is known. It is f2 = 1 - f1², which is concave.
func TestFindsParetoFront(t *testing.T) {
	for seed := range uint64(4) {
		w := testProblem{
			settings: []Setting{{}, {}, {}}, goals: 2, budget: 300, start: 24, shares: halved,
			value: func(x Point, _ float64) ([]float64, float64) {
				g := 1 + 4*((x[1]-0.5)*(x[1]-0.5)+(x[2]-0.25)*(x[2]-0.25))
				return []float64{x[0], g * (1 - x[0]*x[0]/g/g)}, 0
			},
		}
		trials := w.search(t, seed)
		front := Front(trials)
		// Measure how far the front that was found is from each point of the true front.
		for f := 0.0; f <= 1; f += 0.05 {
			nearest := math.Inf(1)
			for _, i := range front {
				goals := trials[i].Goals
				nearest = min(nearest, max(goals[0]-f, goals[1]-(1-f*f)))
			}
			if nearest > 0.12 {
				t.Errorf("seed %d: got a front of %d trials whose nearest to (%.2f, %.2f) is %.3f away, want at most 0.12", seed, len(front), f, 1-f*f, nearest)
			}
		}
	}
}

// The three goals are the squared distances from three corners, so the front is the whole
// triangle.
func TestFindsParetoFrontOfThreeGoals(t *testing.T) {
	w := testProblem{
		settings: []Setting{{}, {}}, goals: 3, budget: 200, start: 24, shares: []float64{1},
		value: func(x Point, _ float64) ([]float64, float64) {
			var goals []float64
			for _, corner := range [][2]float64{{0, 0}, {1, 0}, {0.5, 1}} {
				dx, dy := x[0]-corner[0], x[1]-corner[1]
				goals = append(goals, dx*dx+dy*dy)
			}
			return goals, 0
		},
	}
	trials := w.search(t, 1)
	front := Front(trials)
	for goal := range 3 {
		least := math.Inf(1)
		for _, i := range front {
			least = min(least, trials[i].Goals[goal])
		}
		if least > 0.02 {
			t.Errorf("goal %d: got lowest value %.3f, want 0", goal, least)
		}
	}
	middle := trials[Compromise(trials, front)]
	if math.Abs(middle.Point[0]-0.5) > 0.15 || math.Abs(middle.Point[1]-0.4) > 0.2 {
		t.Errorf("got compromise at %v, want about 0.5 and 0.4", middle.Point)
	}
}

// The same draws give the same trials. A larger budget continues where a smaller one ended.
func TestSameDrawsSameTrials(t *testing.T) {
	w := testProblem{
		settings: []Setting{{}, {Levels: 3}}, goals: 1, budget: 60, start: 8, shares: halved,
		value: func(x Point, _ float64) ([]float64, float64) { return []float64{x[0] * x[1]}, 0 },
	}
	one, same := w.search(t, 7), w.search(t, 7)
	if !reflect.DeepEqual(one, same) {
		t.Error("two searches with one seed differ, want equal trials")
	}
	w.budget = 90
	if longer := w.search(t, 7); len(longer) <= len(one) || !reflect.DeepEqual(one, longer[:len(one)]) {
		t.Errorf("got %d trials that do not begin with the %d of a smaller budget", len(longer), len(one))
	}
	if other := w.search(t, 8); reflect.DeepEqual(one[0], other[0]) {
		t.Error("another seed gives the same first trial, want another")
	}
}

// The search ends when all points have been tried.
func TestEndsWhenAllPointsAreTried(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		w := testProblem{
			settings: []Setting{{Levels: 3, Ordered: ordered}, {Levels: 2}}, goals: 1, budget: 1e9, start: 4, shares: halved,
			value: func(x Point, _ float64) ([]float64, float64) { return []float64{x[0] + x[1]}, 0 },
		}
		if best := w.best(w.search(t, 1)); best.Goals[0] > 0.5 {
			t.Errorf("got best trial %+v, want the first level of both settings", best)
		}
	}
}

// The search continues if goals are NaN or no point meets the constraints.
func TestSearchWithoutValidResults(t *testing.T) {
	w := testProblem{
		settings: []Setting{{}, {}}, goals: 2, budget: 40, start: 8, shares: halved,
		value: func(x Point, _ float64) ([]float64, float64) {
			if x[0] < 0.5 {
				return []float64{math.NaN(), x[1]}, 0
			}
			return []float64{x[0], x[1]}, 1
		},
	}
	if trials := w.search(t, 1); len(trials) < 20 || len(Front(trials)) != 0 {
		t.Errorf("got %d trials and a front of %d, want at least 20 and none, because no trial satisfies the constraints", len(trials), len(Front(trials)))
	}
	_, err := Search(Problem{
		Settings: []Setting{{}}, Goals: 1, Start: 2, Shares: []float64{1},
		Uniform: func() float64 { return 0.5 },
		Try:     func([]Candidate) ([]Result, error) { return nil, errors.New("broken") },
	})
	if err == nil {
		t.Error("got no error, want that of the trial")
	}
}

func TestDominates(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		a, b Result
		want bool
	}{
		{Result{Goals: []float64{1, 2}}, Result{Goals: []float64{1, 3}}, true},
		{Result{Goals: []float64{1, 2}}, Result{Goals: []float64{1, 2}}, false},
		{Result{Goals: []float64{1, 3}}, Result{Goals: []float64{2, 2}}, false},
		{Result{Goals: []float64{9, 9}}, Result{Goals: []float64{1, 1}, Violation: 0.1}, true},
		{Result{Goals: []float64{9, 9}, Violation: 0.1}, Result{Goals: []float64{1, 1}, Violation: 0.2}, true},
		{Result{Goals: []float64{9, 9}}, Result{Goals: []float64{nan, 9}}, true},
		{Result{Goals: []float64{nan, 9}}, Result{Goals: []float64{9, 9}}, false},
	} {
		if got := test.a.Dominates(test.b); got != test.want {
			t.Errorf("%v.Beats(%v): got %t, want %t", test.a, test.b, got, test.want)
		}
	}
}

func TestHypercubeFillsEveryPart(t *testing.T) {
	stream := sim.NewStream(1, 0, sim.PurposeTuning)
	k := uint64(0)
	s := &optimiser{Problem: Problem{
		Settings: []Setting{{}, {Levels: 5}}, Start: 10,
		Uniform: func() float64 { k++; return stream.Uniform(0, k) },
	}}
	parts, levels := make([]int, 10), make([]int, 5)
	for _, point := range s.hypercube() {
		parts[int(point[0]*10)]++
		levels[Setting{Levels: 5}.Level(point[1])]++
	}
	for i, n := range parts {
		if n != 1 || levels[i/2] != 2 {
			t.Fatalf("got %v points per part and %v per level, want 1 and 2", parts, levels)
		}
	}
}

func TestSnap(t *testing.T) {
	for _, test := range []struct {
		setting  Setting
		at, want float64
	}{
		{Setting{}, 0.25, 0.25}, {Setting{}, -0.25, 0.25}, {Setting{}, 1.25, 0.75}, {Setting{}, -2.25, 0.25},
		{Setting{Levels: 2}, 0.1, 0.25}, {Setting{Levels: 2}, 1, 0.75}, {Setting{Levels: 4}, 0.5, 0.625},
	} {
		if got := test.setting.snap(test.at); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%+v: snap(%g): got %g, want %g", test.setting, test.at, got, test.want)
		}
	}
}
