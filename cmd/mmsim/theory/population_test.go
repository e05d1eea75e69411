package theory_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A player's attributes do not depend on other settings, and each decile has a tenth of the
// players.
func TestGeneratedAttributesAreKeyed(t *testing.T) {
	t.Parallel()
	const mmr = "mmr: {normal: {mean: 1500, sd: 300, min: 0, max: 3000}}"
	byRow := map[string]string{}
	for _, settings := range [][]string{
		{"players.attributes={" + mmr + "}"},
		{"players.attributes={age: {uniform: {min: 13, max: 80}}, " + mmr + "}", "match.size=2", "dataset.scale=0.5", "clock.tick=5s"},
	} {
		settings = append(settings, "clock.warmup=0s", "output.records=csv")
		f := theoryRun{day: poisson(0.4, atOnePlace), settings: settings}.simulate(t)
		shared := 0
		for _, r := range f.records(t) {
			row, value := r["row"], r["mmr"]
			first, again := byRow[row]
			if again {
				shared++
			}
			if again && first != value || value == "" {
				t.Fatalf("row %s: got value %q in the second run, want %q as in the first", row, value, first)
			}
			byRow[row] = value
		}
		if len(settings) > 3 && shared < 12_000 {
			t.Errorf("got %d players in both runs, want at least 12000", shared)
		}
		deciles := f.ByAttributeDecile["mmr"]
		if len(deciles) != 10 {
			t.Fatalf("got %d deciles, want 10", len(deciles))
		}
		all := total(deciles)
		same := float64(f.Players.Matched) / 10
		for i, d := range deciles {
			near(t, fmt.Sprint("decile ", i), float64(d.Players), same, 0.06)
		}
		if all.Entries != f.Players.Entries || all.Players != f.Players.Matched || all.Matches != f.Matches.Count {
			t.Errorf("got deciles that add up to %+v, want the totals of the run", all)
		}
	}
}

// Texts and lists appear in the records with their probabilities.
func TestGeneratedTexts(t *testing.T) {
	t.Parallel()
	anywhere := func(r *rand.Rand) string { return []string{"48.85,2.35", "50.11,8.68"}[r.IntN(2)] }
	f := theoryRun{day: poisson(0.5, anywhere), settings: []string{"output.records=csv",
		`players.attributes={build: {choice: {"1.4": 0.9, "1.5": 0.1}}, maps: {subset: {of: [dust, mill], min: 1, max: 2}}, ` +
			`language: {by_country: {FR: fr, default: en}}, level: {choice: {1: 0.5, 3: 0.5}, kind: number}}`}}.simulate(t)
	counts := map[string]float64{}
	records := f.records(t)
	for _, r := range records {
		counts[r["build"]]++
		counts[r["maps"]]++
		counts["level "+r["level"]]++
		if french := r["longitude"] == "2.35"; french != (r["language"] == "fr") || r["language"] == "" {
			t.Fatalf("got record %v, want language fr in Paris alone", r)
		}
	}
	for text, want := range map[string]float64{
		"1.4": 0.9, "1.5": 0.1, "dust": 0.25, "mill": 0.25, "dust;mill": 0.5, "level 1": 0.5, "level 3": 0.5,
	} {
		near(t, text, counts[text]/float64(len(records)), want, 0.05)
	}
	if len(f.Attributes) != 1 || len(f.ByAttributeDecile["level"]) != 2 {
		t.Errorf("got attributes %v with deciles %v, want one number with two deciles of level", f.Attributes, f.ByAttributeDecile)
	}
}
