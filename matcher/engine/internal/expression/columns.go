package expression

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Row is short for store.Row.
type Row = store.Row

// Entry identifies the occupant of a seat: a ticket by its row, or a player of a session by a
// negative number.
type Entry int32

// Columns are the values that rules read, by Entry. The values of a party's players are merged.
type Columns struct {
	list    []column
	rtts    []rttColumn
	players []int32     // by row
	seated  int         // number of players of sessions so far
	places  [][]float64 // round-trip times by matcher.Place
}

// column is an attribute merged with one aggregation.
type column struct {
	at      matcher.Column
	party   matcher.Aggregation
	rows    []Cell
	seats   []Cell       // for players of sessions
	bits    textset.Bits // of the texts
	numbers Span         // range of all numbers that were ever loaded
}

// Cell is the value of an Entry: a number, the text of each player, or a set.
type Cell struct {
	Number float64
	Texts  []matcher.Text
	All    uint64 // the texts that all of its players have, as bits; if there are none, Everything
	any    uint64 // the texts that at least one of its players has
	kind   matcher.Kind
}

// Everything is the set of all texts as bits.
const Everything = ^uint64(0)

// rttColumn is the round-trip times merged with one aggregation, by region; NaN if a player did
// not measure a region.
type rttColumn struct {
	party matcher.Aggregation
	rows  [][]float64
	own   [][]float64 // by row: its own memory
	seats [][]float64
}

// Column returns the number of a column. A new column gets the next number.
func (c *Columns) Column(at matcher.Column, party matcher.Aggregation) int {
	known := slices.IndexFunc(c.list, func(x column) bool { return x.at == at && x.party == party })
	if known < 0 {
		known = len(c.list)
		c.list = append(c.list, column{at: at, party: party, numbers: None()})
	}
	return known
}

// RTT returns the number of the round-trip times merged with one aggregation.
func (c *Columns) RTT(party matcher.Aggregation) int {
	known := slices.IndexFunc(c.rtts, func(x rttColumn) bool { return x.party == party })
	if known < 0 {
		known = len(c.rtts)
		c.rtts = append(c.rtts, rttColumn{party: party})
	}
	return known
}

// Grow extends a list so that it has an entry for a row.
func Grow[T any](list []T, row int) []T {
	for row >= len(list) {
		var zero T
		list = append(list, zero)
	}
	return list
}

// Load reads the values of a ticket. from is its place, if it has one.
func (c *Columns) Load(row Row, players []matcher.Player, from matcher.Place) {
	c.players = Grow(c.players, int(row))
	c.players[row] = int32(len(players))
	for i := range c.list {
		x := &c.list[i]
		x.rows = Grow(x.rows, int(row))
		x.load(&x.rows[row], players)
	}
	for i := range c.rtts {
		x := &c.rtts[i]
		x.rows = Grow(x.rows, int(row))
		if from != matcher.NoPlace {
			x.rows[row] = c.places[from]
			continue
		}
		x.own = Grow(x.own, int(row))
		x.own[row] = mergeRTTs(x.own[row][:0], players, x.party)
		x.rows[row] = x.own[row]
	}
}

// Seat reads the values of a player of a session and returns its Entry.
func (c *Columns) Seat(player matcher.Player, region matcher.Region) Entry {
	for i := range c.list {
		x := &c.list[i]
		x.seats = Grow(x.seats, c.seated)
		x.load(&x.seats[c.seated], []matcher.Player{player})
	}
	for i := range c.rtts {
		x := &c.rtts[i]
		x.seats = Grow(x.seats, c.seated)
		x.seats[c.seated] = mergeRTTs(nil, []matcher.Player{player}, x.party)
		if len(player.RTTMS) == 0 { // the player plays there already
			x.seats[c.seated] = nil
		}
		for i := range x.seats[c.seated] {
			if region != matcher.NoRegion && i != int(region) { // other players join in the region of the match
				x.seats[c.seated][i] = math.NaN()
			}
		}
	}
	c.seated++
	return Entry(-c.seated)
}

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

// mark stores the texts of an entry as bits.
func (x *column) mark(to *Cell) {
	to.any = 0
	for _, t := range to.Texts {
		x.bits.Add(t)
		to.any |= x.bits.Of(t)
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

// merge adds the set of a further player.
func (to *Cell) merge(set []matcher.Text, first bool, party matcher.Aggregation) {
	if first || party != matcher.PartyIntersection {
		to.Texts = append(to.Texts, set...)
		slices.Sort(to.Texts)
		to.Texts = slices.Compact(to.Texts)
		return
	}
	to.Texts = slices.DeleteFunc(to.Texts, func(t matcher.Text) bool { return !slices.Contains(set, t) })
}

// mergeRTTs appends the merged round-trip times of a party by region.
func mergeRTTs(dst []float64, players []matcher.Player, party matcher.Aggregation) []float64 {
	regions := math.MaxInt
	for i := range players {
		regions = min(regions, len(players[i].RTTMS))
	}
	if len(players) == 1 {
		return append(dst, players[0].RTTMS...)
	}
	list := make([]float64, len(players))
	for region := range regions {
		for i := range players {
			list[i] = players[i].RTTMS[region]
		}
		dst = append(dst, Aggregate(list, party))
	}
	return dst
}

// Aggregate combines the numbers of a party into one.
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

// Cell returns the value of an Entry in a column.
func (c *Columns) Cell(column int, e Entry) *Cell {
	x := &c.list[column]
	if e < 0 {
		return &x.seats[-e-1]
	}
	return &x.rows[e]
}

// RTTOf returns the round-trip times of an Entry by region; nil: any region is allowed.
func (c *Columns) RTTOf(column int, e Entry) []float64 {
	x := &c.rtts[column]
	if e < 0 {
		return x.seats[-e-1]
	}
	return x.rows[e]
}

// Count returns the number of players of an Entry.
func (c *Columns) Count(e Entry) int32 {
	if e < 0 {
		return 1
	}
	return c.players[e]
}

// Exact reports whether every text of a column has a bit of its own. Otherwise different texts
// may share a bit.
func (c *Columns) Exact(column int) bool { return c.list[column].bits.Exact() }

// Domains returns the value of Group.Domains without any bounds.
func (c *Columns) Domains() []Span {
	return slices.Repeat([]Span{Anywhere()}, len(c.list))
}

// AddPlace stores the round-trip times of a place and returns their number.
func (c *Columns) AddPlace(rttMS []float64) int32 {
	if len(c.places) == 0 {
		c.places = append(c.places, nil) // NoPlace
	}
	c.places = append(c.places, slices.Clone(rttMS))
	return int32(len(c.places) - 1)
}

// Places returns the round-trip times of all places so far, by matcher.Place.
func (c *Columns) Places() [][]float64 { return c.places }
