package figure

import (
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// The picture of spreads has the attributes that rules use. It is absent without bins, and if all
// matches are in one bin.
func TestSpreads(t *testing.T) {
	r := resulttest.Rules() // rules use mmr, but not level
	if plots := plotSpreads(r, nil); len(plots) != 0 {
		t.Errorf("without spreads.csv: got %d pictures, want none", len(plots))
	}
	bin := func(attribute, of string, from, to float64, matches int) {
		r.Spreads = append(r.Spreads, result.SpreadBin{Attribute: attribute, Of: of, From: from, To: to, Matches: matches})
	}
	bin("mmr", result.OfSpread, 0, 200, 300_000)
	bin("level", result.OfSpread, 0, 50, 300_000)
	bin("level", result.OfSpread, 50, 100, 242_000)
	if plots := plotSpreads(r, nil); len(plots) != 0 {
		t.Errorf("all in one bin: got %d pictures, want none", len(plots))
	}
	bin("mmr", result.OfSpread, 200, 400, 200_000)
	bin("mmr", result.OfSpread, 400, 600, 42_600)
	checkTexts(t, plotSpreads(r, nil))
	bin("mmr", result.OfTeamGap, 0, 20, 500_000)
	bin("mmr", result.OfTeamGap, 20, 40, 42_600)
	plots := plotSpreads(r, nil)
	const want = "mmr: the players of a match are 212 apart on average, those of 5 % of matches more than 480; its teams differ by 31.2"
	if len(plots) != 1 || plots[0].Title != want {
		t.Fatalf("got pictures %+v, want one with the title %q", plots, want)
	}
	r.Summary.Attributes = append(r.Summary.Attributes, outcome.Attribute{Name: strings.Repeat("long <&> ", 20), Rules: []string{"a"}, Matches: 3, SpreadMean: 1, SpreadP95: 1})
	bin(r.Summary.Attributes[2].Name, result.OfSpread, 0, 1, 1)
	bin(r.Summary.Attributes[2].Name, result.OfSpread, 1, 2, 2)
	checkTexts(t, append(plots, plotSpreads(r, nil)...))
}
