package decision

import (
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/phrase"
)

func TestSweepTable(t *testing.T) {
	s := resulttest.Grid([]string{"20ms", "30ms"}, []string{"2", "4"}, 3)
	var out strings.Builder
	if err := s.WriteCSV(&out, phrase.Marks); err != nil {
		t.Fatal(err)
	}
	// For means of 0.9, 1 and 1.1, sd is 0.1, t with 2 degrees of freedom 4.30265, and the margin
	// 0.248414.
	// Nobody is left without a match among 11,000 searches in each run, so the error of that share is
	// the rounding of a share in a file, 0.00001/√12, times t/√3.
	want := `states.ideal.rtt,match.size,runs,wait_s.mean,wait_s.mean.low,wait_s.mean.high,wait_s.mean.runs,rtt_ms.mean,rtt_ms.mean.low,rtt_ms.mean.high,rtt_ms.mean.runs,failed_wait_s.mean,failed_wait_s.mean.low,failed_wait_s.mean.high,failed_wait_s.mean.runs,players.unmatched_share,players.unmatched_share.low,players.unmatched_share.high,players.unmatched_share.runs,marks
20ms,2,3,1,0.751586,1.24841,3,100,99.9928,100.007,3,,,,0,0,-0.00000717109,0.00000717109,3,
20ms,4,3,2,1.75159,2.24841,3,100,99.9928,100.007,3,,,,0,0,-0.00000717109,0.00000717109,3,
30ms,2,3,2,1.75159,2.24841,3,90,89.9928,90.0072,3,,,,0,0,-0.00000717109,0.00000717109,3,
30ms,4,3,3,2.75159,3.24841,3,90,89.9928,90.0072,3,,,,0,0,-0.00000717109,0.00000717109,3,
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
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
  "guard": [],
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
          "high": 1.24841377,
          "runs": 3
        },
        "rtt_ms.mean": {
          "unit": "ms",
          "mean": 100,
          "low": 99.9928289,
          "high": 100.007171,
          "runs": 3
        },
        "failed_wait_s.mean": {
          "unit": "s",
          "mean": null,
          "low": null,
          "high": null,
          "runs": 0
        },
        "players.unmatched_share": {
          "unit": "%",
          "mean": 0,
          "low": -0.00000717108788,
          "high": 0.00000717108788,
          "runs": 3
        }
      },
      "beyond_guard": [],
      "not_comparable": []
    }
  ]
}
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestSweepText(t *testing.T) {
	text := Sweep(resulttest.Grid([]string{"20ms", "30ms"}, []string{"2", "4"}, 3), nil, nil).Text(false)
	for _, want := range []string{"20ms              2           1.00 ± 0.25 s  100.00 ± 0.01 ms                   -          0.000 ± 0.001 %\n", "Numbers are means of 3 runs each, with 95 % intervals"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
}
