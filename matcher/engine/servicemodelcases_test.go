package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readModelCases reads the case files. They contain recorded outcomes of the released service.
func readModelCases(t *testing.T) (cases []*modelCase) {
	files, err := filepath.Glob("../dialect/accelbyte/testdata/service/*.json")
	if err != nil || len(files) < 222 {
		t.Fatalf("got %d cases (error %v), want at least 222", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := new(modelCase)
		if err := json.Unmarshal(data, c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// The model must reproduce every recorded outcome.
func TestModelOfScan(t *testing.T) {
	for _, c := range readModelCases(t) {
		got, err := runModel(c)
		if err != nil {
			if c.Expect.Error == "" || !strings.Contains(err.Error(), c.Expect.Error) {
				t.Errorf("%s: got error %v, want one that contains %q", c.Name, err, c.Expect.Error)
			}
			continue
		}
		if difference := c.Expect.differs(got); difference != "" || c.Expect.Error != "" {
			t.Errorf("%s: want error %q, got differences: %s", c.Name, c.Expect.Error, difference)
		}
	}
}

// differs describes how an outcome differs from the expected outcome of a case. It does not compare
// parts that the case omits.
func (want *modelOutcome) differs(got *modelOutcome) string {
	sets := func(m modelMatch) string {
		parts := slices.Sorted(slices.Values(m.Tickets))
		return m.Session + " " + strings.Join(parts, " ")
	}
	compare := func(label string, want, got []modelMatch) string {
		if len(want) != len(got) {
			return fmt.Sprintf("%s: want %v, got %v", label, want, got)
		}
		for _, w := range want {
			i := slices.IndexFunc(got, func(g modelMatch) bool { return sets(g) == sets(w) })
			switch {
			case i < 0:
				return fmt.Sprintf("%s: want %v, got %v", label, want, got)
			case w.Region != nil && (got[i].Region == nil || *w.Region != *got[i].Region):
				return fmt.Sprintf("%s %v: region %q", label, w.Tickets, *w.Region)
			case w.Teams != nil && teamSets(w.Teams) != teamSets(got[i].Teams):
				return fmt.Sprintf("%s %v: want teams %v, got %v", label, w.Tickets, w.Teams, got[i].Teams)
			}
		}
		return ""
	}
	if d := compare("matches", want.Matches, got.Matches); d != "" {
		return d
	}
	if want.Backfills != nil {
		return compare("backfills", want.Backfills, got.Backfills)
	}
	return ""
}

// teamSets returns teams as text that depends neither on the order of teams nor on the order of
// players.
func teamSets(teams [][]string) string {
	var list []string
	for _, team := range teams {
		list = append(list, strings.Join(slices.Sorted(slices.Values(team)), " "))
	}
	slices.Sort(list)
	return strings.Join(list, " | ")
}
