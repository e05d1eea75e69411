package matcher

import (
	"fmt"
	"math"
	"slices"
)

// MaxRegions is the largest number of regions in a schema, because the regions that a ticket
// reaches are stored as the bits of a uint64.
const MaxRegions = 64

// Column identifies an attribute. It is an index in Player.Values and in Ticket.Values.
type Column int32

// Text is an interned string. Two texts of one schema are equal if and only if their strings are
// equal.
type Text int32

// Region identifies a vendor's region, which is a named set of datacenters. It is an index in
// Player.RTTMS.
type Region int32

// NoRegion means that the region is not chosen or not known.
const NoRegion Region = -1

// Schema maps names to small integers: attributes to columns, strings to texts, and region names
// to regions. Names are resolved once, so matching never looks up a name. A ruleset, its tickets
// and its pool share one schema. Names may be added at any time. The zero Schema is empty and
// ready to use.
type Schema struct {
	columns names
	texts   names
	regions names
}

// Column returns the column of an attribute. If the attribute is new, it adds a column. The
// dialects choose the names. A dialect with several sources of attributes includes the source in
// the name.
func (s *Schema) Column(name string) Column { return Column(s.columns.id(name)) }

// Columns returns the number of columns.
func (s *Schema) Columns() int { return len(s.columns.list) }

// Intern returns the Text of a string. If the string is new, Intern adds it.
func (s *Schema) Intern(text string) Text { return Text(s.texts.id(text)) }

// Set interns strings and returns them as a set, sorted and without duplicates.
func (s *Schema) Set(texts []string) []Text {
	set := make([]Text, len(texts))
	for i, text := range texts {
		set[i] = s.Intern(text)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// Texts returns the number of texts.
func (s *Schema) Texts() int { return len(s.texts.list) }

// TextString returns the string of a text.
func (s *Schema) TextString(t Text) string { return s.texts.list[t] }

// Region returns the region with the given name. If the name is new, Region adds it, or returns an
// error if the schema already has MaxRegions regions.
func (s *Schema) Region(name string) (Region, error) {
	if _, known := s.regions.ids[name]; !known && len(s.regions.list) == MaxRegions {
		return NoRegion, fmt.Errorf("region %q is one too many: at most %d regions", name, MaxRegions)
	}
	return Region(s.regions.id(name)), nil
}

// Measured sets the round-trip time to the named region in a player's list, see Player.RTTMS, and
// returns the list. Regions without a measurement are NaN.
func (s *Schema) Measured(rttMS []float64, name string, ms float64) ([]float64, error) {
	region, err := s.Region(name)
	if err != nil {
		return rttMS, err
	}
	for len(rttMS) <= int(region) {
		rttMS = append(rttMS, math.NaN())
	}
	rttMS[region] = ms
	return rttMS, nil
}

// Regions returns the number of regions.
func (s *Schema) Regions() int { return len(s.regions.list) }

// RegionName returns a region's name, or "" for NoRegion.
func (s *Schema) RegionName(r Region) string {
	if r == NoRegion {
		return ""
	}
	return s.regions.list[r]
}

// names assigns numbers to strings, in the order in which the strings were added.
type names struct {
	list []string
	ids  map[string]int32
}

func (n *names) id(name string) int32 {
	id, known := n.ids[name]
	if !known {
		if n.ids == nil {
			n.ids = make(map[string]int32)
		}
		id = int32(len(n.list))
		n.ids[name] = id
		n.list = append(n.list, name)
	}
	return id
}
