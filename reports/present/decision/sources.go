package decision

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Sources is what a page needs from files beside its numbers.
type Sources struct {
	Command  string            // that makes the result again
	Here     bool              // the command names files from the folder of the page, not from where it was given first
	Listings []present.Listing // configurations and other files, to copy
}

// reproduceSection says how to make the result of a page again.
func (s *Sources) reproduceSection(origins []judge.Origin) present.PageSection {
	section := present.PageSection{Section: present.Section{ID: "reproduce", Title: "Reproduce"}}
	if len(origins) > 0 {
		section.Tables = append(section.Tables, originsTable(origins))
	}
	if s.Command != "" {
		title := "Command, where it was given first"
		if s.Here {
			title = "Command, in the folder of this page"
		}
		section.Listings = append(section.Listings, present.Listing{Title: title, Text: s.Command + "\n"})
	}
	section.Listings = append(section.Listings, s.Listings...)
	return section
}

// originsTable says from which runs the samples come, a column for each.
func originsTable(origins []judge.Origin) present.Table {
	t := present.Table{
		Title: "Runs behind the numbers", Note: "The same version with the same settings and input files gives the same numbers again. The configuration and the data set are those of the first run.",
		Head: []string{"sample"},
	}
	for i := range origins {
		t.Left = append(t.Left, i+1)
		t.Head = append(t.Head, origins[i].Name)
	}
	for _, row := range []struct {
		name string
		cell func(o *judge.Origin) string
	}{
		{"seed", func(o *judge.Origin) string { return fmt.Sprint(o.Seed) }},
		{"replications", runNumbers},
		{"simulated", func(o *judge.Origin) string { return words.Span(o.Duration) }},
		{"warm-up", func(o *judge.Origin) string { return words.Span(o.Warmup) }},
		{"mmsim", func(o *judge.Origin) string { return o.Version }},
		{"configuration", func(o *judge.Origin) string { return o.ConfigSHA256[:min(12, len(o.ConfigSHA256))] }},
		{"data set", func(o *judge.Origin) string { return o.DatasetSHA256[:min(12, len(o.DatasetSHA256))] }},
	} {
		cells := []string{row.name}
		for i := range origins {
			cells = append(cells, row.cell(&origins[i]))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// runNumbers writes the numbers of the runs of a sample, and their count.
func runNumbers(o *judge.Origin) string {
	if len(o.Runs) == 0 {
		return fmt.Sprintf("the mean of %d", o.Replications)
	}
	var ranges []string
	for first := 0; first < len(o.Runs); {
		last := first
		for last+1 < len(o.Runs) && o.Runs[last+1] == o.Runs[last]+1 {
			last++
		}
		if text := fmt.Sprint(o.Runs[first]); first == last {
			ranges = append(ranges, text)
		} else {
			ranges = append(ranges, text+" to "+fmt.Sprint(o.Runs[last]))
		}
		first = last + 1
	}
	return strings.Join(ranges, ", ")
}

// originFacts says briefly from which runs the first sample comes.
func originFacts(origins []judge.Origin) []string {
	if len(origins) == 0 {
		return nil
	}
	o := &origins[0]
	facts := []string{fmt.Sprint("seed ", o.Seed)}
	if len(o.Runs) == 1 {
		facts = append(facts, "run "+runNumbers(o))
	} else if len(o.Runs) > 1 {
		facts = append(facts, "runs "+runNumbers(o))
	}
	return append(facts, words.Span(o.Duration)+" simulated", words.Span(o.Warmup)+" warm-up", "mmsim "+o.Version)
}

// meaningsTable explains metrics by their declarations, families once.
func meaningsTable(names []string) present.Table {
	t := present.Table{
		Title: "What the metrics mean", Note: "mmsim help metrics lists all of them.",
		Head: []string{"metric", "unit", "better", "meaning"}, Left: []int{1, 2, 3},
	}
	for _, name := range names {
		m, is := outcome.Find(name)
		if !is || slices.ContainsFunc(t.Rows, func(row []string) bool { return row[0] == name }) {
			continue
		}
		t.Rows = append(t.Rows, []string{name, string(m.Unit), string(m.Better), m.Meaning})
	}
	return t
}
