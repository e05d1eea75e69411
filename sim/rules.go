package sim

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/external"
)

// MaxRegions is the largest number of regions of one ruleset.
const MaxRegions = matcher.MaxRegions

// Rules are the rules of one queue in one run, in any vendor's dialect. Engines must not share
// them, because Describe may add texts to the schema.
type Rules struct {
	Set    *matcher.Ruleset
	Schema *matcher.Schema

	// Regions holds one set of datacenters per region of the schema, as bits. The RTT to a region
	// is the lowest RTT to one of its datacenters.
	Regions []uint64

	// Describe sets the attributes that the rules use. The value in column c is player[c], or
	// ticket[c] for an attribute of the whole ticket. All values are missing before the call. The
	// slice ticket is nil unless p is the first person of a party. Describe must not keep the two
	// slices. The caller must not modify the slice Set of a value, because several values may share
	// it.
	Describe func(p *Person, player, ticket []matcher.Value)

	// Union lists columns of sets. In these, a ticket has the union of the sets that Describe gives
	// to its players.
	Union []matcher.Column

	// Refuse returns why the service refuses a ticket with this number of players, or nil if it
	// accepts the ticket.
	Refuse func(players int) error

	// Outside is an external matchmaker that makes the matches. It is nil if the rule engine makes
	// them. It belongs to one queue of one run. Backfills is set if the matches of the external
	// matchmaker accept tickets after they have begun.
	Outside   *external.Pool
	Backfills bool

	// Required lists the columns in which every player must have a value.
	Required []RequiredColumn
}

// RequiredColumn is a column in which every player must have a value, and the error for a ticket
// that lacks it.
type RequiredColumn struct {
	Column  matcher.Column
	Refusal error
}

// Validate returns an error if a field is missing or the fields do not fit together.
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
