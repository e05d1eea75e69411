package population

import (
	"fmt"
	"math"
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/internal/wording"
)

// Graph is a random graph of friends over the rows of the day, for the attribute friends.
// The number of a player's friends has a Poisson distribution with mean Mean, which includes
// friends whose rows are left out of a day. Two players are friends if either lists the other.
// SameContinent is the share of friends that are chosen from the player's own continent, all
// equally likely; the others come from the whole world.
type Graph struct{ Mean, SameContinent float64 }

// Validate implements Generator.
func (g Graph) Validate() error {
	if !(g.Mean > 0 && g.Mean <= MaxFriends) {
		return fmt.Errorf("mean %v: expected more than 0, at most %d (MaxFriends)", g.Mean, MaxFriends)
	}
	if !(g.SameContinent >= 0 && g.SameContinent <= 1) {
		return fmt.Errorf("same_continent %v: expected 0 to 1", g.SameContinent)
	}
	return nil
}

// attach does nothing: friends are not values of an attribute.
func (Graph) attach(*Attribute, *maker) {}

// friendship appends the rows of the persons that p lists as friends.
type friendship func(p *Person, to []uint32) []uint32

// HasFriends reports whether players have friends.
func (p *Population) HasFriends() bool { return p.friends != nil }

// Friends appends the rows of a person's listed friends: distinct rows, without the
// person's own. The friends are the persons of these rows with the same Copy. It is a pure
// function of the person. A generated graph takes three draws a friend and a comparison a
// pair.
func (p *Population) Friends(of *Person, to []uint32) []uint32 {
	if p.friends == nil {
		return to
	}
	return p.friends(of, to)
}

// friendTries is the largest number of draws for one friend: a draw of the player itself or
// of a friend already listed is repeated. A player that needs more lists one friend fewer.
const friendTries = 32

// generateFriends makes each player list half of the wanted number of friends, because as
// many others list that player.
func (p *Population) generateFriends(g Graph, m *maker, draw datasets.Draw) {
	rows := m.day.Rows()
	world := newContinents(m)
	others := float64(rows - 1)
	if g.Mean > others/2 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("friends: a mean of %v friends among %s: half of the others is used",
			g.Mean, wording.Counted(rows, "player")))
		g.Mean = others / 2
	}
	if rows == 1 {
		p.friends = func(_ *Person, to []uint32) []uint32 { return to }
		return
	}
	// Two may list each other, which counts once: (1-q)² is the chance that neither does.
	listed := others * (1 - math.Sqrt(1-g.Mean/others))
	number, near := newPoisson(listed), draws.NewChance(g.SameContinent)
	p.friends = func(of *Person, to []uint32) []uint32 {
		have := len(to)
		k := uint64(1)
		for range number.of(draw(of.Entity, 0)) {
			from := world.all()
			if near.Holds(draw(of.Entity, k)) {
				from = world.of(of)
			}
			k++
			for range friendTries {
				row := from[draws.Below(draw(of.Entity, k), uint64(len(from)))]
				k++
				if row != of.Row && !slices.Contains(to[have:], row) {
					to = append(to, row)
					break
				}
			}
		}
		return to
	}
}

// newPoisson returns the chances of 0, 1, 2, … of a Poisson distribution.
func newPoisson(mean float64) choices {
	probability, sum := math.Exp(-mean), 0.0
	var weights []float64
	for n := 0.0; n <= mean || probability > sum*0x1p-60; n++ {
		weights = append(weights, probability)
		sum += probability
		probability *= mean / (n + 1)
	}
	return newChoices(weights)
}

// continents lists the rows of a day by the continent where they join.
type continents struct {
	rows    []uint32 // by continent
	start   [datasets.SouthAmerica + 2]uint32
	ofPlace []datasets.Continent
}

func newContinents(m *maker) *continents {
	c := &continents{rows: make([]uint32, m.day.Rows()), ofPlace: make([]datasets.Continent, len(m.day.Places))}
	for place := range c.ofPlace {
		c.ofPlace[place], _ = m.where(uint32(place))
	}
	for j := range m.day.Joins() {
		c.start[c.ofPlace[j.Place]+1]++
	}
	for i := range c.start[1:] {
		c.start[i+1] += c.start[i]
	}
	next := c.start
	for j := range m.day.Joins() {
		continent := c.ofPlace[j.Place]
		c.rows[next[continent]] = j.Row
		next[continent]++
	}
	return c
}

func (c *continents) all() []uint32 { return c.rows }

// of returns the rows on a person's continent, or all rows if no other row is there.
func (c *continents) of(p *Person) []uint32 {
	continent := c.ofPlace[p.Place]
	rows := c.rows[c.start[continent]:c.start[continent+1]]
	if len(rows) <= 1 {
		return c.rows
	}
	return rows
}

// nameFriends takes friends from a column of player_id values. A value that several rows
// share means all of them.
func (p *Population) nameFriends(day *datasets.Day, column *datasets.Column) {
	ids, ok := day.Column(datasets.ColumnPlayer)
	if !ok {
		p.Warnings = append(p.Warnings, "the data has a column friends but no column player_id, which friends refer to: no player has friends")
		return
	}
	rowsOf := make(map[string][]uint32)
	for row, id := range ids.Texts {
		if id != 0 {
			name := ids.Dictionary[id]
			rowsOf[name] = append(rowsOf[name], uint32(row))
		}
	}
	byEntry := make([][]uint32, len(column.Lists))
	unknown, first := 0, ""
	for entry, list := range column.Lists {
		for _, id := range list {
			rows, ok := rowsOf[id]
			if !ok {
				if unknown++; unknown == 1 {
					first = id
				}
			}
			byEntry[entry] = append(byEntry[entry], rows...)
		}
		slices.Sort(byEntry[entry])
		byEntry[entry] = slices.Compact(byEntry[entry])
	}
	if unknown > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("friends: %s of no player_id, such as %s: not used", wording.Counted(unknown, "name"), wording.Quoted(first)))
	}
	p.friends = func(of *Person, to []uint32) []uint32 {
		for _, row := range byEntry[column.Texts[of.Row]] {
			if row != of.Row {
				to = append(to, row)
			}
		}
		return to
	}
}
