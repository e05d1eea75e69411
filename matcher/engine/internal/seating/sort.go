package seating

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/expression"
)

// sorting is a rule that orders candidates.
type sorting struct {
	*matcher.Sort
	column int
	keys   [][]keyed // of a map, by row
}

// keyed is one key of a map.
type keyed struct {
	key    matcher.Text
	number float64
}

// load reads the keys of a ticket's map, each merged over the players who have it.
func (s *sorting) load(row Row, players []matcher.Player) {
	if s.KeyColumn == nil {
		return
	}
	s.keys = expression.Grow(s.keys, int(row))
	s.keys[row] = s.keys[row][:0]
	for i := range players {
		for _, key := range players[i].Value(s.Column).Set {
			if !math.IsInf(s.number(row, key), -1) {
				continue
			}
			var numbers []float64
			for k := range players {
				if v := players[k].Value(s.KeyColumn(key)); v.Kind == matcher.IsNumber {
					numbers = append(numbers, v.Number)
				}
			}
			s.keys[row] = append(s.keys[row], keyed{key, expression.Aggregate(numbers, s.Party)})
		}
	}
}

// number returns the number of one key of a map; -Inf where a ticket lacks it.
func (s *sorting) number(row Row, key matcher.Text) float64 {
	for _, k := range s.keys[row] {
		if k.key == key {
			return k.number
		}
	}
	return math.Inf(-1)
}

// favourite returns the key with the seed's highest number (with HighestKey) or lowest number.
// Of equal ones it takes the one that load read first. It returns -1 if the seed has no keys.
func (s *sorting) favourite(seed Row) matcher.Text {
	best, key := math.Inf(-1), matcher.Text(-1)
	for _, k := range s.keys[seed] {
		x := k.number
		if !s.HighestKey {
			x = -x
		}
		if x > best {
			best, key = x, k.key
		}
	}
	return key
}

// value returns what a candidate is sorted by; +Inf where it lacks the key of a map: it then
// comes last, whatever the direction.
func (s *sorting) value(c *expression.Columns, seed, row Row) float64 {
	var own, anchor float64
	if s.KeyColumn != nil {
		key := s.favourite(seed)
		if own, anchor = s.number(row, key), s.number(seed, key); math.IsInf(own, -1) {
			return math.Inf(1)
		}
	} else {
		own, anchor = c.Cell(s.column, entry(row)).Number, c.Cell(s.column, entry(seed)).Number
	}
	if s.Distance {
		return math.Abs(own - anchor)
	}
	return own
}
