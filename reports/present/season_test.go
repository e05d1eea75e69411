package present

import (
	"strings"
	"testing"

	"mmsim/reports/figure"
	"mmsim/reports/internal/resulttest"
)

// The first sentence about persons who stay or quit says whose model of retention it is. The page lists
// what a season leaves out, and has its five pictures.
func TestSeasonPage(t *testing.T) {
	r := resulttest.Season()
	p := Run(r, figure.Plots(r, resulttest.Square))
	first, all := "", ""
	for _, item := range p.Items() {
		if item.Sentence == nil {
			continue
		}
		text := item.Sentence.Label + " " + item.Sentence.Text
		all += text + "\n"
		if first == "" && (strings.Contains(text, "quit") || strings.Contains(text, "stay") || strings.Contains(text, "Still playing")) {
			first = text
		}
	}
	if !strings.Contains(first, "with the retention that you set") {
		t.Errorf("the first sentence about staying is %q, want it to say whose model it is", first)
	}
	for _, want := range []string{RetentionModel, "skill is one number that never changes", "no draws", "no friends", "persons decide independently"} {
		if !strings.Contains(all, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	names := ""
	for _, plot := range p.Plots() {
		if strings.HasPrefix(plot.Name, "season-") {
			names += plot.Name + " "
		}
	}
	if want := "season-rating season-calibration season-stay season-days season-converge "; names != want {
		t.Errorf("got the pictures %q, want %q", names, want)
	}
}
