package estimate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestShare(t *testing.T) {
	for _, c := range []struct {
		k, n int
		want string
	}{
		{1, 3, "0.3333 (0.0615 to 0.7923)"},
		{7500, 10000, "0.7500 (0.7414 to 0.7584)"},
		{0, 10, "0.0000 (0.0000 to 0.2775)"}, // z²/(n+z²)
		{10, 10, "1.0000 (0.7225 to 1.0000)"},
	} {
		e := Share(c.k, c.n)
		if got := fmt.Sprintf("%.4f (%.4f to %.4f)", e.Value, e.Low, e.High); got != c.want || e.N != c.n {
			t.Errorf("%d of %d: got %s of %d, want %s", c.k, c.n, got, e.N, c.want)
		}
	}
}

func TestMeanAndSD(t *testing.T) {
	values := []float64{2, 4, 4, 4, 5, 5, 7, 9} // mean 5, squares of differences 32
	m, sd := Mean(values), SD(values)
	wantSD := math.Sqrt(32.0 / 7)
	for name, c := range map[string][2]float64{
		"mean":     {m.Value, 5},
		"mean low": {m.Low, 5 - 1.96*wantSD/math.Sqrt(8)},
		"sd":       {sd.Value, wantSD},
		"sd high":  {sd.High, wantSD + 1.96*wantSD/math.Sqrt(14)},
	} {
		if math.Abs(c[0]-c[1]) > 1e-3 {
			t.Errorf("%s: got %.5f, want %.5f", name, c[0], c[1])
		}
	}
	if m, sd := Mean([]float64{3}), SD([]float64{3}); m != (Estimate{3, 3, 3, 1}) || sd != (Estimate{0, 0, 0, 1}) {
		t.Errorf("got mean %v and sd %v of a single value, want 3 and 0 without a width", m, sd)
	}
}

// freireich are the weeks of remission of the patients with 6-MP in the study of Freireich and others
// (Blood 21, 1963). A plus sign stands for a patient who was still in remission.
const freireich = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+"

func TestSurvivalOfFreireich(t *testing.T) {
	var seen []Observation
	for word := range strings.FieldsSeq(freireich) {
		number, censored := strings.CutSuffix(word, "+")
		weeks, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, Observation{int32(weeks), !censored})
	}
	const want = `6 0.8571 0.6197-0.9516
7 0.8067 0.5631-0.9228
10 0.7529 0.5032-0.8894
13 0.6902 0.4316-0.8491
16 0.6275 0.3675-0.8049
22 0.5378 0.2678-0.7468
23 0.4482 0.1881-0.6801
`
	var got strings.Builder
	steps := Survival(seen)
	for _, s := range steps {
		fmt.Fprintf(&got, "%d %.4f %.4f-%.4f\n", s.At, s.Survival, s.Low, s.High)
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if s := steps[0]; s.AtRisk != 21 || s.Events != 3 {
		t.Errorf("got %d events of %d at risk in week 6, want 3 of 21", s.Events, s.AtRisk)
	}
	// The share that ended is 0.1429, 0.1933, 0.2471, 0.3098, 0.3725, 0.4622 and 0.5518. The thresholds
	// 1, 2, 5 and 10 % are passed in week 6, 15 % in week 7, and so on.
	var weeks []int32
	for _, s := range Patience(steps) {
		weeks = append(weeks, s.At)
	}
	if got, want := fmt.Sprint(weeks), "[6 7 10 13 16 22 23]"; got != want {
		t.Errorf("got entries in weeks %s, want %s", got, want)
	}
}

func TestSurvivalToTheEnd(t *testing.T) {
	steps := Survival([]Observation{{30, true}, {10, true}, {10, true}, {20, false}})
	// 2 of 4 end at 10: S = 1/2, variance of log S = 2/(4·2). The last one ends at 30: nobody is left.
	spread := 1.96 * 0.5 / math.Log(2)
	high := math.Pow(0.5, math.Exp(-spread))
	if len(steps) != 2 || steps[0].Survival != 0.5 || math.Abs(steps[0].High-high) > 1e-4 {
		t.Fatalf("got %+v, want S = 0.5 with an upper limit of %.4f", steps, high)
	}
	if s := steps[1]; s.Survival != 0 || s.Low != 0 || s.High != steps[0].High {
		t.Errorf("got %+v when nobody is left, want 0 with the upper limit before it", s)
	}
	if Survival(nil) != nil || Survival([]Observation{{1, false}}) != nil {
		t.Error("got steps without events, want none")
	}
}

// TestPatienceSkipsSteps: 1,000 waits of 1, 2, 3, … s pass the thresholds at 10, 20, 50, 100, 150 s, …
// and the last is at 1,000 s.
func TestPatienceSkipsSteps(t *testing.T) {
	var seen []Observation
	for i := range int32(1000) {
		seen = append(seen, Observation{i + 1, true})
	}
	var at []int32
	for _, s := range Patience(Survival(seen)) {
		at = append(at, s.At)
	}
	want := []int32{10, 20, 50}
	for w := int32(100); w <= 950; w += 50 {
		want = append(want, w)
	}
	if want = append(want, 1000); fmt.Sprint(at) != fmt.Sprint(want) {
		t.Errorf("got entries at %v, want %v", at, want)
	}
}

// TestMedian: of 1 to 100, the middle is 50. 1.96·√100/2 = 9.8 ranks to each side of 50 are 40.2 and
// 59.8, so the interval is from the 40th value to the 61st, rounded outwards.
func TestMedian(t *testing.T) {
	var values []float64
	for i := range 100 {
		values = append(values, float64(100-i))
	}
	if got := Median(values); got != (Estimate{50, 40, 61, 100}) {
		t.Errorf("got %+v, want 50 from 40 to 61", got)
	}
	if got := Median([]float64{7}); got != (Estimate{7, 7, 7, 1}) {
		t.Errorf("got %+v, want 7", got)
	}
}
