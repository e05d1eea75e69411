package present

import (
	"fmt"
	"slices"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Run describes the result of a run, or the means of several. plots are its pictures; a picture whose
// section the page does not have is in the section of pictures. configuration repeats the run.
func Run(r *result.Result, plots []chart.Plot, configuration ...Listing) *Page {
	s := &r.Summary
	p := &Page{Kind: "result of a run", Title: "Nothing was measured", Facts: facts(s), Zone: s.Run.TimeZone, Partial: partial(s), Warnings: s.Warnings}
	if s.Run.Production {
		p.Kind = "what a production log reports"
	}
	if s.Unmeasured() {
		p.Sections = configurationSection(configuration)
		return p
	}
	lead := Section{Items: []Item{Say("Players", playersWords(s))}}
	var sections []Section
	if s.Servers != nil {
		p.Title, p.Answers = serversTitle(s), serversAnswers(s)
		lead.Items = append(lead.Items, serversItems(s)...)
		sections = serversSections(r)
	} else {
		blocks := blocksOf(s)
		p.Title, p.Answers = title(s), answers(s, blocks)
		lead.Items, sections = matchesItems(lead.Items, s, blocks)
		if s.Season != nil {
			lead.Items = append(lead.Items, seasonItems(s.Season)...)
			sections = append(sections, seasonSection(s.Season))
		}
		sections = append(sections, groupSections(r)...)
	}
	lead.Items = append(lead.Items, fleetItems(s)...)
	lead.Items = append(lead.Items, replicationsItems(s)...)
	sections = append(sections, Section{ID: figure.SourcesSection, Title: "Sources", More: Tables(latencyTable(s))},
		Section{ID: figure.MetricsSection, Title: "Metrics", More: Tables(metricsTable(s))})
	p.Sections = slices.Insert(sections, 0, lead, Section{ID: PicturesSection, Title: "Pictures"})
	for i := range plots {
		at := slices.IndexFunc(p.Sections, func(section Section) bool { return section.ID == plots[i].Section && section.ID != "" })
		if at < 0 {
			p.Sections[1].Items = append(p.Sections[1].Items, Pictures(plots[i])...)
			continue
		}
		p.Sections[at].More = append(Pictures(plots[i]), p.Sections[at].More...)
	}
	if !s.Run.Production { // which its configuration does not reproduce
		p.Sections = append(p.Sections, configurationSection(configuration)...)
	}
	p.Sections = slices.DeleteFunc(p.Sections, func(s Section) bool { return len(s.Items)+len(s.More) == 0 })
	return p
}

func configurationSection(list []Listing) []Section {
	if len(list) == 0 {
		return nil
	}
	says := Tell("Every setting of this run. With the same version of mmsim and the same input files, it reproduces the same bytes.")
	return []Section{{ID: "configuration", Title: "Configuration", More: append(says, Listings(list...)...)}}
}

// PicturesSection is the section of the pictures that belong to no other section.
const PicturesSection = "pictures"

// Text returns a summary as text for a terminal; see [Page.Text].
func Text(s *outcome.Summary, colour bool) string {
	return Run(&result.Result{Summary: *s}, nil).Text(colour)
}

// partial says what the result of an interrupted run lacks. It returns "" if the run is complete.
func partial(s *outcome.Summary) string {
	switch {
	case s.Complete:
		return ""
	case s.Unmeasured():
		return "Interrupted before the measured window began: nothing was measured."
	case s.Run.Reached == s.Run.Duration: // an aggregate of the replications that finished
		return "Interrupted before all replications had finished: a partial result."
	}
	return fmt.Sprintf("Interrupted after %s of %s: a partial result.", words.Span(s.Run.Reached), words.Span(s.Run.Duration))
}

// facts identifies the run by its seed, run number, duration, warm-up, version and hashes.
func facts(s *outcome.Summary) []string {
	facts := []string{
		fmt.Sprint("seed ", s.Run.Seed), fmt.Sprint("run ", s.Run.Run),
		words.Span(s.Run.Reached) + " simulated", words.Span(s.Run.Warmup) + " warm-up",
	}
	if s.Run.Production {
		facts = []string{"a production log", words.Span(s.Run.Reached)}
	}
	facts = append(facts, "mmsim "+s.Run.Version)
	for _, hash := range [...]struct{ name, sum string }{{"configuration", s.Run.ConfigSHA256}, {"dataset", s.Run.DatasetSHA256}} {
		if hash.sum != "" {
			facts = append(facts, hash.name+" "+hash.sum[:min(12, len(hash.sum))])
		}
	}
	return facts
}

// playersWords says how many players joined and were matched.
func playersWords(s *outcome.Summary) string {
	if v := s.Servers; v != nil {
		return fmt.Sprintf("%s in %s: %s placed, %s of them on a server that was started for them", words.Plural(s.Players.Joins, "join"),
			words.Span(s.Run.Reached), words.Plural(v.Placed, "player"), words.Thousands(v.Opening))
	}
	return fmt.Sprintf("%s and %s in %s: %s matched", words.Plural(s.Players.Joins, "join"),
		words.Plural(s.Players.Returns, "return"), words.Span(s.Run.Reached), words.Plural(s.Players.Matched, "player"))
}

// matchesItems appends to the head of the page what a run says that matches players, and returns the
// sections of its queues. The only queue is part of the head.
func matchesItems(head []Item, s *outcome.Summary, blocks []block) (items []Item, sections []Section) {
	for i := range blocks {
		brief, more := blocks[i].items()
		if blocks[i].name == "" {
			head = append(head, brief...)
			sections = append(sections, Section{ID: figure.SearchesSection, Title: "Searches", More: more})
		} else {
			sections = append(sections, Section{ID: figure.QueueSection(i), Title: "Queue " + blocks[i].name, Items: brief, More: more})
		}
	}
	if len(s.Queues) > 0 {
		head = append(head, unmatchedItem(s, &s.Players), statesItem(s), matchesItem(s, &s.Matches.Count, nil))
		sections = append(sections, Section{ID: figure.SearchesSection, Title: "All queues", More: Tables(playersTable(&s.Players), statesTable(s))})
	}
	head = append(head, onlineItem(s), seatsItem(s))
	head = append(head, eventItems(s)...)
	head = append(head, unusual(s)...)
	return append(filled(head), worst(s)...), sections
}

// filled leaves out sentences that have nothing to say.
func filled(items []Item) []Item {
	return slices.DeleteFunc(items, func(item Item) bool { return item.Sentence != nil && item.Sentence.Text == "" })
}
