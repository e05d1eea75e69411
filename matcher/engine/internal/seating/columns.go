package seating

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/store"
)

// Row is short for store.Row.
type Row = store.Row

// entry is who sits in a team: a ticket by its row, or a player of a session, below 0.
type entry int32

// columns are the values that rules read, by entry, merged over the players of a party.
type columns struct {
	list    []column
	rtts    []rttColumn
	players []int32     // by row
	seated  int         // players of sessions so far
	vantage [][]float64 // round-trip times by matcher.Vantage
}

// column is one attribute as some rules read it.
type column struct {
	at     matcher.Column
	party  matcher.Aggregation
	rows   []cell
	seats  []cell  // of players of sessions
	lowest float64 // of all numbers that were ever loaded
	most   float64
}

// cell is the value of an entry: a number, the text of each player, or a set.
type cell struct {
	number float64
	texts  []matcher.Text
	kind   matcher.Kind
}

// rttColumn is the round-trip times as rules of one aggregation read them, by region; NaN
// where a player did not measure one.
type rttColumn struct {
	party matcher.Aggregation
	rows  [][]float64
	own   [][]float64 // by row: its own memory
	seats [][]float64
}

// column returns the number of a column, a new one at first sight.
func (c *columns) column(at matcher.Column, party matcher.Aggregation) int {
	known := slices.IndexFunc(c.list, func(x column) bool { return x.at == at && x.party == party })
	if known < 0 {
		known = len(c.list)
		c.list = append(c.list, column{at: at, party: party, lowest: math.Inf(1), most: math.Inf(-1)})
	}
	return known
}

func (c *columns) rtt(party matcher.Aggregation) int {
	known := slices.IndexFunc(c.rtts, func(x rttColumn) bool { return x.party == party })
	if known < 0 {
		known = len(c.rtts)
		c.rtts = append(c.rtts, rttColumn{party: party})
	}
	return known
}

// grow makes room for a row.
func grow[T any](list []T, row int) []T {
	for row >= len(list) {
		var zero T
		list = append(list, zero)
	}
	return list
}

// load reads the values of a ticket. from is its vantage, where it has one.
func (c *columns) load(row Row, players []matcher.Player, from matcher.Vantage) {
	c.players = grow(c.players, int(row))
	c.players[row] = int32(len(players))
	for i := range c.list {
		x := &c.list[i]
		x.rows = grow(x.rows, int(row))
		x.load(&x.rows[row], players)
	}
	for i := range c.rtts {
		x := &c.rtts[i]
		x.rows, x.own = grow(x.rows, int(row)), grow(x.own, int(row))
		if from != matcher.NoVantage {
			x.rows[row] = c.vantage[from]
			continue
		}
		x.own[row] = mergeRTTs(x.own[row][:0], players, x.party)
		x.rows[row] = x.own[row]
	}
}

// seat reads the values of a player of a session and returns its entry.
func (c *columns) seat(player matcher.Player, region matcher.Region) entry {
	for i := range c.list {
		x := &c.list[i]
		x.seats = grow(x.seats, c.seated)
		x.load(&x.seats[c.seated], []matcher.Player{player})
	}
	for i := range c.rtts {
		x := &c.rtts[i]
		x.seats = grow(x.seats, c.seated)
		x.seats[c.seated] = mergeRTTs(nil, []matcher.Player{player}, x.party)
		if len(player.RTTMS) == 0 { // it plays there already
			x.seats[c.seated] = nil
		}
		for i := range x.seats[c.seated] {
			if region != matcher.NoRegion && i != int(region) { // others come where the match runs
				x.seats[c.seated][i] = math.NaN()
			}
		}
	}
	c.seated++
	return entry(-c.seated)
}

func (x *column) load(to *cell, players []matcher.Player) {
	to.texts = to.texts[:0]
	var few [8]float64
	numbers := few[:0]
	for i := range players {
		v := players[i].Value(x.at)
		switch to.kind = v.Kind; v.Kind {
		case matcher.IsNumber:
			numbers = append(numbers, v.Number)
		case matcher.IsText:
			to.texts = append(to.texts, v.Text)
		case matcher.IsSet:
			to.merge(v.Set, i == 0, x.party)
		}
	}
	if len(numbers) > 0 {
		to.number = aggregate(numbers, x.party)
		x.lowest, x.most = min(x.lowest, to.number), max(x.most, to.number)
	}
}

// merge takes the set of a further player in.
func (to *cell) merge(set []matcher.Text, first bool, party matcher.Aggregation) {
	if first || party != matcher.PartyIntersection {
		to.texts = append(to.texts, set...)
		slices.Sort(to.texts)
		to.texts = slices.Compact(to.texts)
		return
	}
	to.texts = slices.DeleteFunc(to.texts, func(t matcher.Text) bool { return !slices.Contains(set, t) })
}

// mergeRTTs appends the round-trip times of a party by region.
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
		dst = append(dst, aggregate(list, party))
	}
	return dst
}

// aggregate makes one number of those of a party.
func aggregate(numbers []float64, how matcher.Aggregation) float64 {
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

// cell returns the value of an entry in a column.
func (c *columns) cell(column int, e entry) *cell {
	x := &c.list[column]
	if e < 0 {
		return &x.seats[-e-1]
	}
	return &x.rows[e]
}

// rttOf returns the round-trip times of an entry by region; nil: it may play anywhere.
func (c *columns) rttOf(column int, e entry) []float64 {
	x := &c.rtts[column]
	if e < 0 {
		return x.seats[-e-1]
	}
	return x.rows[e]
}

// count returns the players of an entry.
func (c *columns) count(e entry) int32 {
	if e < 0 {
		return 1
	}
	return c.players[e]
}
