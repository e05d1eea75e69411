package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/external"
)

// MaxRegions is the largest number of regions of one ruleset.
const MaxRegions = matcher.MaxRegions

// Rules are a vendor's ruleset for one queue of one run. They must not be shared between engines:
// Describe may add texts to the schema.
type Rules struct {
	Set    *matcher.Ruleset
	Schema *matcher.Schema

	// Regions holds the set of datacenters of every region of the schema, one bit per datacenter.
	// The RTT to a region is the lowest RTT to one of its datacenters.
	Regions []uint64

	// Describe fills in the attributes that the rules use: player[c] and ticket[c] are the values
	// of column c, all missing before the call. ticket is nil except for the first person of a
	// party. Describe must not keep the two slices. The Set of a value may be the same slice in
	// every call, so the caller must not change it.
	Describe func(p *Person, player, ticket []matcher.Value)

	// Refuse returns why the service refuses a ticket of this many players, or nil if it accepts
	// it.
	Refuse func(players int) error

	// Outside is an external matchmaker that makes the matches instead of the rule engine; nil:
	// the rule engine makes them. It belongs to one queue of one run. Backfills is set if its
	// matches accept tickets after they have begun.
	Outside   *external.Pool
	Backfills bool

	// Required lists the columns in which the service requires a value for every player.
	Required []RequiredColumn
}

// RequiredColumn is a column in which every player must have a value, and the reason for refusing
// a ticket without it.
type RequiredColumn struct {
	Column  matcher.Column
	Refusal error
}

// Validate returns an error if a field is missing or does not fit the others.
func (r *Rules) Validate(datacenters int) error {
	switch {
	case r.Set == nil || r.Schema == nil || r.Describe == nil || r.Refuse == nil:
		return fmt.Errorf("Rules are incomplete, want Set, Schema, Describe and Refuse")
	case len(r.Regions) != r.Schema.Regions():
		return fmt.Errorf("Rules.Regions has %d regions, want the %d of the schema", len(r.Regions), r.Schema.Regions())
	}
	for i, set := range r.Regions {
		if set == 0 || datacenters < MaxDatacenters && set>>datacenters != 0 {
			return fmt.Errorf("Rules.Regions[%d] is %b, want some of %d datacenters", i, set, datacenters)
		}
	}
	return r.Set.Validate()
}
