package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/external"
)

// MaxRegions is the largest number of regions of one ruleset.
const MaxRegions = matcher.MaxRegions

// Rules are a vendor's ruleset for one queue of one run. They must not be shared between
// engines: to describe players may add texts to the schema.
type Rules struct {
	Set    *matcher.Ruleset
	Schema *matcher.Schema

	// Regions are the datacenters of every region of the schema, a bit each. The RTT
	// to a region is the lowest to one of them.
	Regions []uint64

	// Describe fills in the attributes of a person that the rules look at, by column. ticket
	// takes those of the ticket; it is nil except for the first person of a party. All values
	// are missing before the call. Describe must not keep the slices; it may hand out the same
	// sets in every call.
	Describe func(p *Person, player, ticket []matcher.Value)

	// Refuse returns why the service refuses tickets of so many players; nil: it does not.
	Refuse func(players int) error

	// Outside is a matchmaker outside of the simulator, which makes the matches instead of the
	// rule engine; nil: the rule engine does. It belongs to one queue of one run. Backfills
	// says that its matches take further tickets after they have begun.
	Outside   *external.Pool
	Backfills bool

	// Required are the columns in which the service wants a value of every player.
	Required []RequiredColumn
}

// RequiredColumn is a column in which every player must have a value, and why a ticket is
// refused otherwise.
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
