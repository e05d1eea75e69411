package expression

import (
	"cmp"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// Row is an alias of store.Row.
type Row = store.Row

// Entry identifies a ticket or session player in a team. For a ticket, it is the ticket's row.
// For a session player, it is a negative number.
type Entry int32

// Columns stores the attributes that rules read, for all entries. For a party, it aggregates the
// players' values.
type Columns struct {
	list    []column
	players []int32 // indexed by row: number of players
	entered int     // number of entries for session players, including unused ones
	unused  []Entry // unused entries for session players
}

// column contains all entries' values of one attribute, with parties aggregated in one way.
type column struct {
	at      matcher.Column
	party   matcher.Aggregation
	rows    []Cell
	entries []Cell           // values of session players
	bits    matcher.TextBits // the bit that represents each text
	numbers Span             // range of all numbers loaded so far
}

// Cell is the value of one entry in a column. Depending on the attribute, it is a number, one
// text for each player, or one set of texts for the whole party.
type Cell struct {
	Number float64
	Texts  []matcher.Text
	All    uint64 // mask of the texts that all players have, or Everything if no player has a text
	any    uint64 // mask of the texts that at least one player has
	kind   matcher.ValueKind
}

// Everything is the mask of all texts.
const Everything = ^uint64(0)

// Column returns the index of the column for an attribute and aggregation. It adds the column if
// it is new.
func (c *Columns) Column(at matcher.Column, party matcher.Aggregation) int {
	known := slices.IndexFunc(c.list, func(x column) bool { return x.at == at && x.party == party })
	if known < 0 {
		known = len(c.list)
		c.list = append(c.list, column{at: at, party: party, numbers: ranges.None()})
	}
	return known
}

// Grow extends a slice, if necessary, so that it has an element at index row.
func Grow[T any](list []T, row int) []T {
	for row >= len(list) {
		var zero T
		list = append(list, zero)
	}
	return list
}

// Load stores the values of a ticket.
func (c *Columns) Load(row Row, players []matcher.Player) {
	c.players = Grow(c.players, int(row))
	c.players[row] = int32(len(players))
	for i := range c.list {
		x := &c.list[i]
		x.rows = Grow(x.rows, int(row))
		x.load(&x.rows[row], players)
	}
}

// Enter stores the values of a session player and returns the player's new entry.
func (c *Columns) Enter(player matcher.Player) Entry {
	at := c.entered
	if last := len(c.unused) - 1; last >= 0 {
		at, c.unused = int(-c.unused[last]-1), c.unused[:last]
	} else {
		c.entered++
	}
	for i := range c.list {
		x := &c.list[i]
		x.entries = Grow(x.entries, at)
		x.load(&x.entries[at], []matcher.Player{player})
	}
	return Entry(-at - 1)
}

// Leave releases a session player's entry, which Enter may then reuse.
func (c *Columns) Leave(entry Entry) { c.unused = append(c.unused, entry) }

func (x *column) load(to *Cell, players []matcher.Player) {
	to.Texts = to.Texts[:0]
	var few [8]float64
	numbers := few[:0]
	for i := range players {
		v := players[i].Value(x.at)
		switch to.kind = v.Kind; v.Kind {
		case matcher.IsNumber:
			numbers = append(numbers, v.Number)
		case matcher.IsText:
			to.Texts = append(to.Texts, v.Text)
		case matcher.IsSet:
			to.merge(v.Set, i == 0, x.party)
		}
	}
	if len(numbers) > 0 {
		to.Number = Aggregate(numbers, x.party)
		x.numbers.Add(to.Number)
	}
	x.mark(to)
}

// mark computes the masks of a cell from its texts.
func (x *column) mark(to *Cell) {
	to.any = 0
	for _, t := range to.Texts {
		to.any |= x.bits.Add(t)
	}
	to.All = to.any
	different := func(t matcher.Text) bool { return t != to.Texts[0] }
	switch {
	case to.kind == matcher.IsSet:
	case len(to.Texts) == 0:
		to.All = Everything
	case slices.ContainsFunc(to.Texts, different):
		to.All = 0
	}
}

// merge adds the set of one more player to a party's set. first is set for the first player.
func (to *Cell) merge(set []matcher.Text, first bool, party matcher.Aggregation) {
	if first || party != matcher.PartyIntersection {
		to.Texts = append(to.Texts, set...)
		slices.Sort(to.Texts)
		to.Texts = slices.Compact(to.Texts)
		return
	}
	to.Texts = slices.DeleteFunc(to.Texts, func(t matcher.Text) bool { return !slices.Contains(set, t) })
}

// Aggregate combines the numbers of a party's players into one number.
func Aggregate(numbers []float64, how matcher.Aggregation) float64 {
	switch how {
	case matcher.PartyMin:
		return slices.Min(numbers)
	case matcher.PartyMax:
		return slices.Max(numbers)
	}
	if len(numbers) == 1 {
		return numbers[0]
	}
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	return sum / float64(len(numbers))
}

// Cell returns the value of an entry in a column.
func (c *Columns) Cell(column int, e Entry) *Cell {
	x := &c.list[column]
	if e < 0 {
		return &x.entries[-e-1]
	}
	return &x.rows[e]
}

// Count returns the number of players of an entry.
func (c *Columns) Count(e Entry) int32 {
	if e < 0 {
		return 1
	}
	return c.players[e]
}

// Exact reports whether each text in a column has its own bit. If there are too many texts, some
// of them share a bit.
func (c *Columns) Exact(column int) bool { return c.list[column].bits.Exact() }

// Domains returns a new slice for Group.Domains, in which no number is bounded.
func (c *Columns) Domains() []Span {
	return slices.Repeat([]Span{ranges.Anywhere()}, len(c.list))
}

// Compare compares the numbers of two cells, and then their first texts alphabetically.
func (c *Cell) Compare(other *Cell, schema *matcher.Schema) int {
	text := func(c *Cell) string {
		if len(c.Texts) == 0 {
			return ""
		}
		return schema.TextString(c.Texts[0])
	}
	return cmp.Or(cmp.Compare(c.Number, other.Number), cmp.Compare(text(c), text(other)))
}

// NumberKey sorts the candidate index by the number of a column. Most converts the bound of a rule
// to the largest difference between two numbers. The bound must not decrease with the wait. In a
// match, two rows' numbers then differ by at most the bound of the row that has waited longest.
type NumberKey struct {
	Columns *Columns
	Column  int
	Most    func(bound float64) float64
}

// Key implements candidate.Keyed, as do the other methods.
func (k NumberKey) Key(row Row) float64 { return k.Columns.Cell(k.Column, Entry(row)).Number }

// Certain returns true.
func (NumberKey) Certain(*store.Limit) bool { return true }

// Width returns the largest difference that a limit allows.
func (k NumberKey) Width(l *store.Limit) float64 { return k.Most(l.Bound) }

// Spread returns the same as Width.
func (k NumberKey) Spread(l *store.Limit) float64 { return k.Width(l) }

// TextValues makes the candidate index exclude rows that have no text in common with the seed.
type TextValues struct {
	Columns *Columns
	Column  int
}

// Certain returns true.
func (TextValues) Certain(*store.Limit) bool { return true }

// Filters returns true.
func (TextValues) Filters(*store.Limit) bool { return true }

// Mask implements candidate.Valued.
func (v TextValues) Mask(_ *store.Limit, row Row) uint64 {
	return v.Columns.Cell(v.Column, Entry(row)).All
}
