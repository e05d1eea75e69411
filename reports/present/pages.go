package present

import "mmsim/reports/chart"

// A Page is the content of a page about a decision; see package decision.
type Page struct {
	Kind     string // such as "comparison"
	Title    string
	Facts    []string
	Partial  string // what an interruption left out; "" if the page is complete
	Answers  []Answer
	Words    []string
	Warnings []string
	Sections []PageSection
}

// A PageSection is a section with pictures above its tables and listings below them.
type PageSection struct {
	Section
	Plots    []chart.Plot
	Listings []Listing
}

// A Listing is text to copy, such as a command or a configuration.
type Listing struct {
	Title, Text string
	Folded      bool // hidden until the reader opens it
}

// Plots returns all pictures of the page, in order.
func (p *Page) Plots() []chart.Plot {
	var list []chart.Plot
	for i := range p.Sections {
		list = append(list, p.Sections[i].Plots...)
	}
	return list
}
