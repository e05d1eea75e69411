package population

// remembered is the cached value of the last player in a slot. A player keeps a slot while
// searching and playing repeatedly. Computing the value anew, by inverting a distribution function,
// would take five times as long.
type remembered[T any] struct {
	entity uint64
	value  T
	known  bool
}

// remembering returns a function that calls draw and caches the result for the player's slot.
func remembering[T any](draw func(entity uint64) T) func(*Person) T {
	var m []remembered[T] // by slot
	return func(p *Person) T {
		for int(p.Slot) >= len(m) {
			m = append(m, remembered[T]{})
		}
		e := &m[p.Slot]
		if !e.known || e.entity != p.Entity {
			*e = remembered[T]{p.Entity, draw(p.Entity), true}
		}
		return e.value
	}
}
