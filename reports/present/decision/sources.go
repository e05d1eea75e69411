package decision

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// Sources has what a page about a decision shows besides its numbers: how to reproduce them.
type Sources struct {
	Command  string            // reproduces the result
	Here     bool              // whether Command runs in the folder of the page rather than in the original directory
	Listings []present.Listing // configurations and other files to copy
}

// reproduceSection returns the section that explains how to reproduce the result. s may be nil.
func (s *Sources) reproduceSection(origins []judge.Origin) present.Section {
	section := present.Section{ID: "reproduce", Title: "Reproduce"}
	if len(origins) > 0 {
		section.More = present.Tables(originsTable(origins))
	}
	if s == nil {
		return section
	}
	if s.Command != "" {
		title := "Command, in the directory where it was first run"
		if s.Here {
			title = "Command, in the folder of this page"
		}
		section.More = append(section.More, present.Listings(present.Listing{Title: title, Text: s.Command + "\n"})...)
	}
	section.More = append(section.More, present.Listings(s.Listings...)...)
	return section
}

// originsTable describes the runs of the samples, with a column for each sample.
func originsTable(origins []judge.Origin) present.Table {
	t := present.Table{
		Title: "Runs behind the numbers", Note: "The same version with the same settings and input files reproduces these numbers. The configuration and the data set are those of the first run.",
		Head: append([]string{"sample"}, words.Each(origins, func(o judge.Origin) string { return o.Name })...), Left: columns(1, len(origins)),
	}
	for _, row := range []struct {
		name string
		cell func(o judge.Origin) string
	}{
		{"seed", func(o judge.Origin) string { return fmt.Sprint(o.Seed) }},
		{"replications", runNumbers},
		{"simulated", func(o judge.Origin) string { return words.Span(o.Duration) }},
		{"warm-up", func(o judge.Origin) string { return words.Span(o.Warmup) }},
		{"mmsim", func(o judge.Origin) string { return o.Version }},
		{"configuration", func(o judge.Origin) string { return o.ConfigSHA256[:min(12, len(o.ConfigSHA256))] }},
		{"data set", func(o judge.Origin) string { return o.DatasetSHA256[:min(12, len(o.DatasetSHA256))] }},
	} {
		t.Rows = append(t.Rows, append([]string{row.name}, words.Each(origins, row.cell)...))
	}
	return t
}

// runNumbers lists the run numbers of a sample, or says how many runs it has.
func runNumbers(o judge.Origin) string {
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

// originFacts briefly describes the runs of the first sample.
func originFacts(origins []judge.Origin) []string {
	if len(origins) == 0 {
		return nil
	}
	o := &origins[0]
	if o.Production && len(origins) > 1 {
		o = &origins[1]
	}
	facts := []string{fmt.Sprint("seed ", o.Seed)}
	if len(o.Runs) == 1 {
		facts = append(facts, "run "+runNumbers(*o))
	} else if len(o.Runs) > 1 {
		facts = append(facts, "runs "+runNumbers(*o))
	}
	return append(facts, words.Span(o.Duration)+" simulated", words.Span(o.Warmup)+" warm-up", "mmsim "+o.Version)
}

// meaningsTable lists metrics with their meanings, one row per family.
func meaningsTable(names []string) present.Table {
	t := present.Table{
		Title: "What the metrics mean", Note: "mmsim help metrics lists all metrics.",
		Head: []string{"metric", "unit", "better", "meaning"}, Left: []int{1, 2, 3},
	}
	for _, name := range names {
		m, is := outcome.Find(name)
		if !is || slices.ContainsFunc(t.Rows, func(row []string) bool { return row[0] == name }) {
			continue
		}
		t.Rows = append(t.Rows, []string{name, string(m.Unit), string(m.Better), m.Meaning})
	}
	t.Named(phrase.Metric)
	return t
}
