package datasets

// memo remembers the numbers of those who were asked about last. Whoever searches is
// asked about when he begins, by the rules, and when he is matched some seconds later;
// to invert a distribution function each time costs five times as much.
type memo struct {
	entries [memoSize]struct {
		entity uint64
		number float64
		known  bool
	}
}

// memoSize is a power of two above the number of those who wait in most runs. More
// would only be further away.
const memoSize = 1 << memoBits

const memoBits = 11

// remembering wraps a draw of a number that depends on Person.Entity alone.
func remembering(draw func(entity uint64) float64) func(Person) float64 {
	m := new(memo)
	return func(p Person) float64 {
		e := &m.entries[p.Entity*0x9e3779b97f4a7c15>>(64-memoBits)] // multiplying spreads them
		if e.entity != p.Entity || !e.known {
			e.entity, e.number, e.known = p.Entity, draw(p.Entity), true
		}
		return e.number
	}
}
