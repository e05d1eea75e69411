// Package present has the content of a result as a [Page], and writes pages as text for a terminal and
// as markdown; package page writes them as HTML. Function Run describes a run; package
// present/decision describes decisions, such as comparisons.
package present

import (
	"regexp"

	"mmsim/reports/chart"
	"mmsim/reports/words"
)

// A Page is what a command has to say, as content without a form: the result of a run, or a decision
// such as a comparison. Text and Markdown write what a reader needs first; package page writes all of
// it as HTML. They do not know what the page is about.
type Page struct {
	Kind     string // such as "comparison"
	Title    string // the conclusion, without a full stop
	Facts    []string
	Zone     string // time zone of the times of day; "" is UTC
	Partial  string // what an interruption left out; "" if the page is complete
	Answers  []Answer
	Warnings []string
	Sections []Section // the most important first
}

// An Answer is one of the numbers at the top of a page, with a mark if there are limits for it.
type Answer struct {
	Name, Value, Note string
	Key               string // of the metric, for gates
	Mark              string // see ToneOf; "" without limits
	Limits            string // explains the marks
}

// A Section has the items under one heading. Those of a section without a title belong to the head of
// the page.
type Section struct {
	ID, Title string // ID is the target of links
	Items     []Item
	More      []Item // what a page hides until the reader opens it
}

// An Item is a sentence, a table, a picture or a listing.
type Item struct {
	Brief    bool // whether the item is also shown where there is little room: on a terminal and in markdown
	Sentence *Sentence
	Table    *Table
	Plot     *chart.Plot
	Listing  *Listing
}

// A Sentence says something about the result. Mark grades it; see ToneOf.
type Sentence struct{ Label, Text, Mark string }

// A Listing is text to copy, such as a command or a configuration.
type Listing struct {
	Title, Text string
	Closed      bool // whether a page hides the text until the reader opens it
}

// Say returns a sentence that is shown everywhere. label may be "".
func Say(label, text string) Item {
	return Item{Brief: true, Sentence: &Sentence{Label: label, Text: text}}
}

// Tell returns sentences that only a page has room for.
func Tell(texts ...string) []Item {
	return words.Each(texts, func(text string) Item { return Item{Sentence: &Sentence{Text: text}} })
}

// Show returns a table that is shown everywhere.
func Show(t Table) Item { return Item{Brief: true, Table: &t} }

// Tables returns tables that only a page has room for.
func Tables(tables ...Table) []Item {
	return words.Each(tables, func(t Table) Item { return Item{Table: &t} })
}

// Pictures returns pictures as items.
func Pictures(plots ...chart.Plot) []Item {
	return words.Each(plots, func(p chart.Plot) Item { return Item{Plot: &p} })
}

// Listings returns texts to copy as items.
func Listings(list ...Listing) []Item {
	return words.Each(list, func(l Listing) Item { return Item{Listing: &l} })
}

// Items returns the items of all sections, in order.
func (p *Page) Items() (items []Item) {
	for i := range p.Sections {
		items = append(append(items, p.Sections[i].Items...), p.Sections[i].More...)
	}
	return items
}

// Plots returns all pictures of the page, in order.
func (p *Page) Plots() (list []chart.Plot) {
	for _, item := range p.Items() {
		if item.Plot != nil {
			list = append(list, *item.Plot)
		}
	}
	return list
}

// A Tone says how a verdict or a mark looks.
type Tone struct {
	Class string // of a page: good, fair, poor or even
	style string // of a terminal; "" is plain
}

var tones = map[string]Tone{
	"good": {"good", Green}, "better": {"good", Green}, "held": {"good", ""},
	"fair": {"fair", ""}, "undecided": {"fair", Alarm},
	"poor": {"poor", Alarm}, "worse": {"poor", Alarm}, "broken": {"poor", Alarm},
}

// ToneOf returns how a verdict or a mark looks.
func ToneOf(mark string) Tone {
	if tone, is := tones[mark]; is {
		return tone
	}
	return Tone{Class: "even"}
}

// Unbroken replaces the space between a number and its unit by a no-break space.
func Unbroken(text string) string { return numberAndUnit.ReplaceAllString(text, "$1\u00a0$2") }

// numberAndUnit matches the end of a number, a space and a unit.
var numberAndUnit = regexp.MustCompile(`(\d) (%|ms\b|s\b|h\b)`)
