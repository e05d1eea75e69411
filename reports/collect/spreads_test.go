package collect

import (
	"math"
	"testing"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/result"
)

// The bins of spreads count every match of the summary once, and their middles are near its means.
func TestSpreadBins(t *testing.T) {
	checked := 0
	for seed := range uint64(8) {
		r := resultOf(randomFacts(seed))
		if len(r.Summary.Queues) > 0 {
			if len(r.Spreads) > 0 {
				t.Errorf("seed %d: got %d bins of several queues, want none", seed, len(r.Spreads))
			}
			continue
		}
		for _, a := range r.Summary.Attributes {
			for of, mean := range map[string]float64{result.OfSpread: float64(a.SpreadMean), result.OfTeamGap: float64(a.TeamGapMean)} {
				matches, low, high := 0, 0.0, 0.0
				for _, b := range r.Spreads {
					if b.Attribute == a.Name && b.Of == of {
						matches, low, high = matches+b.Matches, low+b.From*float64(b.Matches), high+b.To*float64(b.Matches)
					}
				}
				if matches == 0 && (a.Matches == 0 || of == result.OfTeamGap && mean == 0) {
					continue
				}
				checked++
				n := float64(matches)
				if matches != int(a.Matches) || mean < low/n-1e-3 || mean > high/n+1e-3 {
					t.Errorf("seed %d, %s of %s: got %d matches with a mean from %v to %v, want %v and %v", seed, of, a.Name, matches, low/n, high/n, a.Matches, mean)
				}
			}
		}
	}
	if checked < 4 {
		t.Errorf("only %d distributions were checked, want those of several attributes", checked)
	}
}

// Bins have a round width, are adjacent, and contain the numbers from their lower edge.
func TestSpreadBinsOf(t *testing.T) {
	for _, test := range []struct {
		highest, width float64
		bins           int
	}{{0, 1, 1}, {1, 0.05, 21}, {39, 1, 40}, {40, 2, 21}, {480, 20, 25}, {0.25, 0.01, 26}} {
		var h histogram.Histogram
		h.Add(histogram.SpreadKey(0))
		h.Add(histogram.SpreadKey(test.highest))
		bins := spreadBinsOf("mmr", result.OfSpread, &h)
		last := bins[len(bins)-1]
		if len(bins) != test.bins || math.Abs(last.To-last.From-test.width) > 1e-9 || last.Matches == 0 {
			t.Errorf("up to %v: got %d bins, the last %+v, want %d of width %v", test.highest, len(bins), last, test.bins, test.width)
		}
		for i := 1; i < len(bins); i++ {
			if bins[i].From != bins[i-1].To {
				t.Errorf("up to %v: a bin from %v follows one to %v, want no gap", test.highest, bins[i].From, bins[i-1].To)
			}
		}
	}
}
