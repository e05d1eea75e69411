package reports

import (
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// gridOf makes a sweep of two settings whose metrics are sums and products of them.
func gridOf(rows, columns []string, runs int) *judge.Sweep {
	s := &judge.Sweep{Settings: []string{"states.ideal.rtt", "match.size"}, Metrics: []string{"wait_s.mean", "rtt_ms.mean", "failed_wait_s.mean"}}
	for i, row := range rows {
		for j, column := range columns {
			s.Points = append(s.Points, judge.SweepPoint{Values: []string{row, column}, Runs: sampleOf("", 1, runs, func(run int, sum *outcome.Summary) {
				sum.Wait.Mean = outcome.Seconds(1 + i + j)
				sum.Wait.Mean += outcome.Seconds(run-1) / 10
				sum.RTT.Mean = outcome.Millis(100 - 10*i)
			}).Runs})
		}
	}
	return s
}

func TestSweepTable(t *testing.T) {
	s := gridOf([]string{"20ms", "30ms"}, []string{"2", "4"}, 3)
	var out strings.Builder
	if err := s.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	// Means of 0.9, 1 and 1.1: sd 0.1, t with 2 degrees of freedom 4.30265, margin 0.248414.
	want := `states.ideal.rtt,match.size,runs,wait_s.mean,wait_s.mean.low,wait_s.mean.high,rtt_ms.mean,rtt_ms.mean.low,rtt_ms.mean.high,failed_wait_s.mean,failed_wait_s.mean.low,failed_wait_s.mean.high
20ms,2,3,1,0.751586,1.24841,100,100,100,,,
20ms,4,3,2,1.75159,2.24841,100,100,100,,,
30ms,2,3,2,1.75159,2.24841,90,90,90,,,
30ms,4,3,3,2.75159,3.24841,90,90,90,,,
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
	out.Reset()
	s.Points = s.Points[:1]
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	want = `{
  "schema": 1,
  "settings": [
    "states.ideal.rtt",
    "match.size"
  ],
  "runs": 3,
  "confidence": 0.95,
  "points": [
    {
      "values": {
        "match.size": "2",
        "states.ideal.rtt": "20ms"
      },
      "metrics": {
        "wait_s.mean": {
          "unit": "s",
          "mean": 1,
          "low": 0.751586229,
          "high": 1.24841377
        },
        "rtt_ms.mean": {
          "unit": "ms",
          "mean": 100,
          "low": 100,
          "high": 100
        },
        "failed_wait_s.mean": {
          "unit": "s",
          "mean": null,
          "low": null,
          "high": null
        }
      }
    }
  ]
}
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestSweepText(t *testing.T) {
	text := SweepText(gridOf([]string{"20ms", "30ms"}, []string{"2", "4"}, 3))
	for _, want := range []string{"20ms              2           1.00 ± 0.25 s     100.0 ms                   -\n", "Means of 3 runs each"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// The front are the points that none beats: here those of the lowest wait, and of the
// lowest RTT the one with the lowest wait.
func TestSweepFront(t *testing.T) {
	s := gridOf([]string{"20ms", "30ms"}, []string{"2", "4"}, 2)
	if front := sweepFront(s.Table(), 0, 1); len(front) != 2 || front[0] != 0 || front[1] != 2 {
		t.Errorf("the front is %v, want points 0 and 2", front)
	}
	s.Metrics = []string{"rtt_ms.share_le_50", "wait_s.mean"} // higher is better, and equal everywhere
	if front := sweepFront(s.Table(), 0, 1); len(front) != 1 || front[0] != 0 {
		t.Errorf("the front is %v, want point 0", front)
	}
}

// What is drawn depends on how many settings vary; values that are no numbers stand one
// after the other.
func TestSweepPlots(t *testing.T) {
	for _, test := range []struct {
		rows, columns []string
		want          string
	}{
		{[]string{"20ms", "30ms"}, []string{"2", "4", "8"}, "heat-wait_s-mean heat-rtt_ms-mean heat-failed_wait_s-mean trade-off"},
		{[]string{"20ms", "40ms", "50ms"}, []string{"2"}, "curves trade-off"},
		{[]string{"shuffle", "oldest"}, []string{"2"}, "curves"},
		{[]string{"20ms"}, []string{"2"}, ""},
	} {
		files := resulttest.Memory{}
		if err := PlotSweep(gridOf(test.rows, test.columns, 2), files.Create); err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(test.want)
		if len(files) != 2*len(names) {
			t.Errorf("%v: %d files, want %d pictures", test, len(files), len(names))
		}
		for _, name := range names {
			if files[name+".png"] == nil || files[name+".svg"] == nil || files[name+".png"].Len() == 0 {
				t.Errorf("%v: no %s", test, name)
			}
		}
	}
	for _, test := range []struct {
		values []string
		want   []float64
	}{
		{[]string{"20ms", "1s"}, []float64{0.02, 1}}, {[]string{"2", "8"}, []float64{2, 8}},
		{[]string{"8", "2"}, []float64{0, 1}}, {[]string{"a", "b", "c"}, []float64{0, 1, 2}},
	} {
		got := positions(test.values)
		for i := range test.want {
			if got[i] != test.want[i] {
				t.Errorf("%v: got %v", test.values, got)
			}
		}
	}
}
