package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/external"
)

// MaxRegions is the largest number of regions of one ruleset.
const MaxRegions = matcher.MaxRegions

// Rules are a vendor's ruleset as a queue of a run goes by it. They belong to one
// engine: describing players may enter texts into the schema.
type Rules struct {
	Set    *matcher.Ruleset
	Schema *matcher.Schema

	// Regions are the datacenters of every region of the schema, a bit each. The RTT
	// to a region is the lowest to one of them.
	Regions []uint64

	// Describe fills in what the rules look at about a person, by column: player,
	// and ticket from the first of a party, nil for the others. Both come in as all
	// missing. It keeps neither, and may hand out the same sets again and again.
	Describe func(p *Person, player, ticket []matcher.Value)

	// Refuse returns why the service takes no ticket of so many players, nil: it does.
	Refuse func(players int) error

	// Outside is a matchmaker outside of the simulator, which decides in place of Set;
	// nil: the engine does. It belongs to one queue of one run. Backfills tells that a
	// match of it which has begun takes further tickets.
	Outside   *external.Pool
	Backfills bool

	// Required are the columns in which the service wants a value of every player.
	Required []RequiredColumn
}

// RequiredColumn is a column, and why a ticket is refused of which a player has nothing
// in it.
type RequiredColumn struct {
	Column  matcher.Column
	Refusal error
}

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
