package present

import (
	"slices"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

func TestTextOfRules(t *testing.T) {
	golden(t, "text-rules.golden", Text(&resulttest.Rules().Summary, false))
	r := resulttest.Rules().Summary.Rules
	r.ShareRelaxed = 0
	if got := rulesInWords(r); got != "in no match" {
		t.Errorf("got %q, want \"in no match\"", got)
	}
}

func TestTextOfProposals(t *testing.T) {
	s := resulttest.Rules().Summary
	s.Acceptance = &outcome.Acceptance{Proposals: 1000, Started: 599, ShareStarted: 0.599, PerStart: 1.669, LostPerMatch: 4.25}
	declined := outcome.Count(120)
	s.Players.Declined = &declined
	outcome.SetEnds(&s.Players)
	text := Text(&s, false)
	for _, want := range []string{
		"Acceptance          59.9 % of proposals start, 1.67 proposals a match; 4.25 s lost per player; 0.002 % of searches declined\n",
		"Without a match     0.7 % of searches (40,211 expired, 310 were rejected, 120 declined): fair\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %q", text, want)
		}
	}
	if _, more := blocksOf(&s)[0].items(); !slices.ContainsFunc(more, func(i Item) bool { return i.Table != nil && i.Table.Title == "Proposals" }) {
		t.Errorf("got items %+v, want a table of proposals", more)
	}
}

// Names from data files cannot send control characters to the terminal.
func TestNameOf(t *testing.T) {
	for name, want := range map[string]string{"mmr": "mmr", "a\x1b[31m": `a\u001b[31m`, strings.Repeat("é", 40): strings.Repeat("é", 29) + "…"} {
		if got := words.Name(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	for x, want := range map[outcome.Value]string{0: "0", 0.12345: "0.123", 31.25: "31.2", 212.4: "212", 1234567: "1,234,567", -31.25: "-31.2", 999.7: "1,000", 18: "18"} {
		if got := words.Digits(x); got != want {
			t.Errorf("%v: got %q, want %q", float64(x), got, want)
		}
	}
}
