package seating

import (
	"cmp"
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
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
	s.keys = grow(s.keys, int(row))
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
			s.keys[row] = append(s.keys[row], keyed{key, aggregate(numbers, s.Party)})
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

// favourite returns the key of a seed's highest or lowest number, the first of equal ones
// in the order of the schema; -1: it has none.
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

// order sorts candidates for a seed: by the rules that sort, in their order, then by age.
func (r *Rules) order(list []Row, seed Row) {
	slices.SortFunc(list, func(a, b Row) int {
		for i := range r.sorts {
			s := &r.sorts[i]
			order := cmp.Compare(s.value(r, seed, a), s.value(r, seed, b))
			if s.Descending {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return r.rows.Compare(a, b)
	})
}

// CompareSorted compares rows by SeatRules.SortBy: numbers, and texts by their spelling.
// Sessions have no values there and come as zeros do.
func (r *Rules) CompareSorted(a, b Row) int {
	text := func(c cell) string {
		if len(c.texts) == 0 {
			return ""
		}
		return r.schema.TextString(c.texts[0])
	}
	for _, column := range r.sortBy {
		x, y := r.valueOf(column, a), r.valueOf(column, b)
		if order := cmp.Or(cmp.Compare(x.number, y.number), cmp.Compare(text(x), text(y))); order != 0 {
			return order
		}
	}
	return 0
}

// valueOf returns the value of a row in a column, none of a session.
func (r *Rules) valueOf(column int, row Row) cell {
	if rows := r.columns.list[column].rows; int(row) < len(rows) && r.rows.Kind[row] == store.Ticket {
		return rows[row]
	}
	return cell{}
}

// value returns what a candidate is sorted by.
func (s *sorting) value(r *Rules, seed, row Row) float64 {
	var own, anchor float64
	if s.KeyColumn != nil {
		key := s.favourite(seed)
		own, anchor = s.number(row, key), s.number(seed, key)
	} else {
		own, anchor = r.columns.cell(s.column, entry(row)).number, r.columns.cell(s.column, entry(seed)).number
	}
	if s.Distance {
		return math.Abs(own - anchor)
	}
	return own
}
