package expression

import (
	"math"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Sorting is a rule by which candidates are sorted.
type Sorting struct {
	*matcher.Sort
	column int
	keys   [][]keyed // for each row, the entries of its map attribute; unused if the rule does not sort by a map
}

// NewSorting returns the sorting by a rule whose attribute is in this column of the columns that
// Value is called with.
func NewSorting(of *matcher.Sort, column int) Sorting { return Sorting{Sort: of, column: column} }

// keyed is one entry of a ticket's map attribute.
type keyed struct {
	key    matcher.Text
	number float64
}

// Load stores a ticket's map attribute. If several players have a key, their numbers are
// aggregated.
func (s *Sorting) Load(row store.Row, players []matcher.Player) {
	if s.KeyColumn == nil {
		return
	}
	s.keys = Grow(s.keys, int(row))
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
			s.keys[row] = append(s.keys[row], keyed{key, Aggregate(numbers, s.Party)})
		}
	}
}

// number returns the number of a key in a row's map attribute, or -Inf if the key is missing.
func (s *Sorting) number(row store.Row, key matcher.Text) float64 {
	for _, k := range s.keys[row] {
		if k.key == key {
			return k.number
		}
	}
	return math.Inf(-1)
}

// favourite returns the key for which the seed has its highest number if HighestKey is set, and
// otherwise its lowest number. If several keys have that number, it returns the one that Load read
// first. It returns -1 if the seed has no keys.
func (s *Sorting) favourite(seed store.Row) matcher.Text {
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

// Value returns the number by which a candidate is sorted. If the candidate's map attribute does
// not have the key, Value returns +Inf, so such candidates come last in both directions.
func (s *Sorting) Value(c *Columns, seed, row store.Row) float64 {
	var own, anchor float64
	if s.KeyColumn != nil {
		key := s.favourite(seed)
		if own, anchor = s.number(row, key), s.number(seed, key); math.IsInf(own, -1) {
			return math.Inf(1)
		}
	} else {
		own, anchor = c.Cell(s.column, Entry(row)).Number, c.Cell(s.column, Entry(seed)).Number
	}
	if s.Distance {
		return math.Abs(own - anchor)
	}
	return own
}
