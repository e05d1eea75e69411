package datasets

// A Draw returns 64 uniform bits, a pure function of its arguments: the k-th
// draw about an entity. The same arguments always give the same bits, in any
// order and from any goroutine; that is what lets two runs see the same joins.
type Draw func(entity, k uint64) uint64

// Draws holds one Draw for every purpose of this package. The streams must be independent
// of each other. A Draw that the options do not need is never called and may be nil.
type Draws struct {
	Thin     Draw // which rows of a file of several days are kept
	Copies   Draw // whether a fractional scale gives a row one more copy
	Jitter   Draw // when and where the copies of a row join
	Spread   Draw // the instant inside the second of a join
	Party    Draw // sizes of generated parties
	Arrivals Draw // the built-in day: its towns and its joins

	Attributes Draw // generated attributes, by Person.Entity
	Friends    Draw // the generated graph of friends, by Person.Entity
}
