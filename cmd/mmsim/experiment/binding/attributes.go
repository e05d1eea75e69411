package binding

import (
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// Attribute is a player attribute that rules read.
type Attribute struct {
	Name string
	Kind matcher.ValueKind
	// Optional is set if the rules read the attribute only where players have it, so that a player
	// without it is nothing unusual.
	Optional bool
	Read     *matcher.Read // nil for rules that place players on servers
	Values   vendor.Values // which values such rules accept; nil for rules that make matches
}

// Attributes lists the player attributes that rules read, each once, in the order in which the rules
// read them.
func Attributes(rules *vendor.CompiledRules) []Attribute {
	var list []Attribute
	add := func(a Attribute) {
		if !slices.ContainsFunc(list, func(b Attribute) bool {
			return a.Name == b.Name && a.Kind == b.Kind && a.Optional == b.Optional
		}) {
			list = append(list, a)
		}
	}
	if rules.Placement != nil {
		for _, f := range rules.Placement.PlayerFields() {
			if f.Class || f.Weighed && !f.Alternative {
				add(Attribute{Name: f.Name, Kind: f.Kind, Optional: f.Class, Values: f.Values})
			}
		}
		return list
	}
	for i := range rules.Queue.Reads {
		if read := &rules.Queue.Reads[i]; !read.Identity && !read.Map { // the player's id is no attribute, and no attribute is a map
			add(Attribute{Name: read.Names[len(read.Names)-1], Kind: read.Kind, Optional: read.Joined || read.Flag || read.Optional, Read: read})
		}
	}
	return list
}
