package playfab

import (
	"strings"

	"mmsim/matcher"
)

// Reads lists what the rules read about players. A path is found under its own
// spelling, or without the leading $.
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

// HasRegionRule tells whether a RegionSelectionRule says where tickets may be
// matched.
func (q *Queue) HasRegionRule() bool { return q.latencies != nil }
