package population

// memo caches one player's number per slot. A player keeps a slot while searching, playing
// and searching again, and inverting a distribution function each time would take five
// times as long.
type memo []remembered

type remembered struct {
	entity uint64
	number float64
}

// remembering wraps a draw of a number that depends on Person.Entity alone.
func remembering(draw func(entity uint64) float64) func(*Person) float64 {
	var m memo
	first := remembered{0, draw(0)} // a valid entry to start with
	return func(p *Person) float64 {
		for int(p.Slot) >= len(m) {
			m = append(m, first)
		}
		e := &m[p.Slot]
		if e.entity != p.Entity {
			*e = remembered{p.Entity, draw(p.Entity)}
		}
		return e.number
	}
}
