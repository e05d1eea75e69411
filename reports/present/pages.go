package present

import "mmsim/reports/chart"

// A Page is what the page about a decision says: about runs that were compared, held
// against limits or searched through.
type Page struct {
	Kind     string // what it is about, such as "comparison"
	Title    string
	Facts    []string
	Partial  string // what it lacks after an interruption; "" if it is complete
	Answers  []Answer
	Words    []string
	Warnings []string
	Sections []PageSection
}

// A PageSection is a section with the pictures above its tables and the texts below them.
type PageSection struct {
	Section
	Plots    []chart.Plot
	Listings []Listing
}

// A Listing is a text to copy, such as a command or a configuration.
type Listing struct {
	Title, Text string
	Folded      bool // until the reader opens it
}

// Plots returns the pictures of a page in their order.
func (p *Page) Plots() []chart.Plot {
	var list []chart.Plot
	for i := range p.Sections {
		list = append(list, p.Sections[i].Plots...)
	}
	return list
}
