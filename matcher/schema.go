package matcher

import (
	"fmt"
	"slices"
)

// MaxRegions is the largest number of regions of one schema: the regions that a
// ticket reaches are kept as the bits of a uint64.
const MaxRegions = 64

// Column is an attribute, as its index in Player.Values.
type Column int32

// Text is an interned string. Two texts of one schema are equal exactly when
// their strings are.
type Text int32

// Region is a vendor's name for a set of datacenters, as its index in Player.RTTMS.
type Region int32

// NoRegion means that no region was chosen or is known.
const NoRegion Region = -1

// Schema maps names to numbers: attributes to columns, strings to texts, region names to
// regions. Names are resolved once, so matching never looks up a name. A ruleset, its
// tickets and its pool share one schema, which may grow at any time. The zero Schema is
// empty and ready to use.
type Schema struct {
	columns names
	texts   names
	regions names
}

// Column returns the column of an attribute and adds the attribute if it is new. The dialect
// chooses the form of names; one that reads attributes from several sources includes the
// source in the name.
func (s *Schema) Column(name string) Column { return Column(s.columns.id(name)) }

// Columns returns the number of columns.
func (s *Schema) Columns() int { return len(s.columns.list) }

// Intern returns the text of a string and adds the string if it is new.
func (s *Schema) Intern(text string) Text { return Text(s.texts.id(text)) }

// Set interns texts as a set: sorted, without duplicates.
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

// Region returns the region of a name and adds it if it is new. A region beyond MaxRegions
// is an error.
func (s *Schema) Region(name string) (Region, error) {
	if _, known := s.regions.ids[name]; !known && len(s.regions.list) == MaxRegions {
		return NoRegion, fmt.Errorf("region %q is one too many: at most %d regions", name, MaxRegions)
	}
	return Region(s.regions.id(name)), nil
}

// Regions returns the number of regions.
func (s *Schema) Regions() int { return len(s.regions.list) }

// RegionName returns a region's name, "" for NoRegion.
func (s *Schema) RegionName(r Region) string {
	if r == NoRegion {
		return ""
	}
	return s.regions.list[r]
}

// names numbers strings in the order in which they were added.
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
