package pivot

import (
	"encoding/binary"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/candidate"
	"mmsim/matcher/internal/textset"
)

// traits are the properties of a row that few rules use.
type traits struct {
	strength float64 // sum over the players of the values by which teams are balanced
	newOnly  bool    // it never joins an open session
	named    bool    // it has people or blocked
	people   []matcher.Text
	blocked  []matcher.Text
	options  [][]matcher.Text // by option; empty: the row does not have the option
	own      [][]matcher.Text
}

// Load reads a row: the values of a ticket or a session as a whole, and its players. Its
// round-trip times are those of a place, or those of the last Measure if there is none. at is
// the region of a session.
func (r *Rules) Load(row Row, values []matcher.Value, players []matcher.Player, from matcher.Place, at matcher.Region) {
	for int(row) >= len(r.traits) {
		r.traits = append(r.traits, traits{})
		r.kinds.list, r.kinds.same = append(r.kinds.list, 0), append(r.kinds.same, 0)
		for range r.numbers.perRow {
			r.numbers.list = append(r.numbers.list, 0)
		}
	}
	t, all := &r.traits[row], &matcher.Player{Values: values}
	t.newOnly = all.Value(r.Set.NewOnly).Kind != matcher.Missing
	t.people, t.blocked = t.people[:0], t.blocked[:0]
	for i := range players {
		if v := players[i].Value(r.Set.People); v.Kind == matcher.IsText {
			t.people = append(t.people, v.Text)
		}
	}
	if v := all.Value(r.Set.Blocked); v.Kind == matcher.IsSet {
		t.blocked = append(t.blocked, v.Set...)
	}
	if t.named = len(t.people)+len(t.blocked) > 0; len(t.people) > 1 {
		slices.Sort(t.people)
	}
	t.options, t.own = t.options[:0], t.own[:0]
	for i := range r.Set.Options {
		t.options = textset.AppendCopy(t.options, all.Value(r.Set.Options[i].Column).Set)
		t.own = textset.AppendCopy(t.own, all.Value(r.Set.Options[i].Own).Set)
	}
	numbers := r.numbers.of(row)
	t.strength = 0
	for i := range r.Set.Distances {
		d := &r.Set.Distances[i]
		sum := 0.0
		for k := range players {
			if v := players[k].Value(d.Column); v.Kind == matcher.IsNumber {
				sum += v.Number
			}
		}
		numbers[i] = sum / float64(max(1, len(players)))
		if d.Balanced {
			t.strength += strengthOf(d, sum)
		}
	}
	r.kinds.load(row, r.Set, all, t)
	r.Regions.load(row, from, at)
}

// Options returns the values of a row under each option.
func (r *Rules) Options(row Row) [][]matcher.Text { return r.traits[row].options }

// Strength returns the contribution of a row to the balance value of its team.
func (r *Rules) Strength(row Row) float64 { return r.traits[row].strength }

// StrengthOf returns the contribution of a session's player to the balance value of its team.
func (r *Rules) StrengthOf(player *matcher.Player) float64 {
	strength := 0.0
	for i := range r.Set.Distances {
		d := &r.Set.Distances[i]
		if v := player.Value(d.Column); d.Balanced && v.Kind == matcher.IsNumber {
			strength += strengthOf(d, v.Number)
		}
	}
	return strength
}

func strengthOf(d *matcher.PivotDistance, sum float64) float64 {
	if d.Scale > 0 {
		sum /= d.Scale
	}
	return sum
}

// Block reports whether one of two rows blocks the other.
func (r *Rules) Block(a, b Row) bool {
	x, y := &r.traits[a], &r.traits[b]
	return textset.Meet(x.blocked, y.people) || textset.Meet(y.blocked, x.people)
}

// kinds number the combinations of values that tickets must have in common to meet: the text of
// Same and the values of every SameSet option.
type kinds struct {
	candidate.Always
	known map[string]int32
	key   []byte  // scratch
	list  []int32 // by row
	same  []int64 // by row: the text of Same, -1 without one
}

// load determines the kind of a row.
func (k *kinds) load(row Row, set *matcher.PivotRules, all *matcher.Player, t *traits) {
	same := int64(-1)
	if v := all.Value(set.Same); v.Kind == matcher.IsText {
		same = int64(v.Text)
	}
	k.key = binary.AppendVarint(k.key[:0], same)
	for i := range set.Options {
		if set.Options[i].Kind != matcher.SameSet {
			continue
		}
		k.key = binary.AppendVarint(k.key, int64(len(t.options[i])))
		for _, text := range t.options[i] {
			k.key = binary.AppendVarint(k.key, int64(text))
		}
	}
	kind, known := k.known[string(k.key)]
	if !known {
		kind = int32(len(k.known))
		k.known[string(k.key)] = kind
	}
	k.list[row], k.same[row] = kind, same
}

// Mask implements candidate.Valued. With more than 64 kinds, several share a bit.
func (k *kinds) Mask(_ *Limit, row Row) uint64 { return 1 << (uint32(k.list[row]) % 64) }

// Filters implements candidate.Valued: if there is only one kind, no row is excluded.
func (k *kinds) Filters(*Limit) bool { return len(k.known) > 1 }
