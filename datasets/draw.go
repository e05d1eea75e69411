package datasets

// A Draw returns 64 uniform bits, the k-th draw for an entity. It must be a pure function: the same
// arguments give the same bits in any order and from any goroutine. This allows two runs to have
// the same joins.
type Draw func(entity, k uint64) uint64

// Draws has a Draw for each purpose. Draws for different purposes must be independent of each
// other. A Draw that the options do not need is never called and may be nil.
type Draws struct {
	Resample Draw // how many times to take each row or player
	Thin     Draw // which rows to keep if several days were merged
	Copies   Draw // whether a fractional scale gives a row another copy
	Jitter   Draw // time and place of the copies of a row
	Spread   Draw // instant within the second of a join
	Party    Draw // sizes of generated parties
	Burst    Draw // rows and generated parties of a Burst
	Arrivals Draw // towns and joins of the built-in day

	Attributes Draw // generated attributes, by Person.Entity
	Friends    Draw // generated friends, by Person.Entity
}
