package population

// memo remembers the number of whoever was asked about last in each slot: there people
// stay while they search, play and search again, and to invert a distribution function
// each time costs five times as much.
type memo []remembered

type remembered struct {
	entity uint64
	number float64
}

// remembering wraps a draw of a number that depends on Person.Entity alone.
func remembering(draw func(entity uint64) float64) func(*Person) float64 {
	var m memo
	first := remembered{0, draw(0)} // as good as anybody
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
