package playfab

import (
	"strings"

	"mmsim/matcher"
)

// Reads lists the attributes that the rules read. A data column may be named after an attribute's
// path with or without the leading "$.".
func (q *Queue) Reads() []matcher.Read {
	var list []matcher.Read
	for i := range q.Attributes {
		a := &q.Attributes[i]
		names := []string{a.Path}
		if short, cut := strings.CutPrefix(a.Path, "$."); cut {
			names = append(names, short)
		}
		read := matcher.Read{Names: names, Rule: a.rule, Kind: a.Kind, Column: a.Column, Kept: a.Source == PlayerEntity}
		if a.Required {
			read.Refusal = a.missing()
		}
		list = append(list, read)
	}
	return list
}

// HasRegionRule reports whether the queue has a RegionSelectionRule. Such a rule limits the regions
// in which a ticket may be matched.
func (q *Queue) HasRegionRule() bool { return q.latencies != nil }
