package present

import "mmsim/reports/chart"

// A Page is the content of a page about a decision: about runs that were compared, checked
// against limits or searched for better settings.
type Page struct {
	Kind     string // its subject, such as "comparison"
	Title    string
	Facts    []string
	Partial  string // what is missing after an interruption; "" if it is complete
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
	Folded      bool // hidden until the reader opens it
}

// Plots returns the pictures of a page in their order.
func (p *Page) Plots() []chart.Plot {
	var list []chart.Plot
	for i := range p.Sections {
		list = append(list, p.Sections[i].Plots...)
	}
	return list
}
