package population

import (
	"fmt"
	"math"
	"slices"

	"mmsim/datasets"
	"mmsim/datasets/internal/draws"
	"mmsim/datasets/internal/tables"
)

// Graph generates random friends among the rows of the day, for the attribute friends. The number
// of friends of a player has a Poisson distribution with mean Mean. It includes friends whose rows
// are not used in a simulated day. Two players are friends if either lists the other. SameContinent
// is the share of friends who are chosen from the player's own continent with equal chances. The
// others are chosen from the whole world.
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

// attach does nothing, because friends are not values of an attribute.
func (Graph) attach(*Attribute, *maker) {}

// friendship is a function that appends the rows that p lists as friends.
type friendship func(p *Person, to []uint32) []uint32

// HasFriends reports whether players have friends.
func (p *Population) HasFriends() bool { return p.friends != nil }

// Friends appends the rows of a person's listed friends. The rows are distinct and do not include
// the person's own. A row can stand for several persons; the friend is the one whose Copy equals
// that of the person. The result depends only on the person. If the friends are generated, the cost
// is about three draws per friend and a comparison per pair of friends.
func (p *Population) Friends(of *Person, to []uint32) []uint32 {
	if p.friends == nil {
		return to
	}
	return p.friends(of, to)
}

// friendTries is the maximum number of draws for one friend. If a draw gives the player or a friend
// who is already listed, it is repeated. After friendTries draws, the player has one friend fewer.
const friendTries = 32

// generateFriends makes each player list about half of the desired number of friends. About as many
// other players list that player.
func (p *Population) generateFriends(g Graph, m *maker, draw datasets.Draw) {
	rows := m.day.Rows()
	world := newContinents(m)
	others := float64(rows - 1)
	if g.Mean > others/2 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("friends: a mean of %v friends among %s: half of the others is used",
			g.Mean, tables.Counted(rows, "player")))
		g.Mean = others / 2
	}
	if rows == 1 {
		p.friends = func(_ *Person, to []uint32) []uint32 { return to }
		return
	}
	// If two players list each other, they count as one friendship. If q is the chance that one
	// player lists another, then (1-q)² is the chance that neither lists the other.
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

// newPoisson returns the chances of 0, 1, 2, … for a Poisson distribution.
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

// continents lists the rows of a day by the continent of their place.
type continents struct {
	rows    []uint32 // grouped by continent
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

// of returns the rows on a person's continent. If there is no other row on it, it returns all rows.
func (c *continents) of(p *Person) []uint32 {
	continent := c.ofPlace[p.Place]
	rows := c.rows[c.start[continent]:c.start[continent+1]]
	if len(rows) <= 1 {
		return c.rows
	}
	return rows
}

// nameFriends takes friends from a column with player_id values. If several rows have the same
// player_id, the value refers to all of them.
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
		p.Warnings = append(p.Warnings, fmt.Sprintf("friends: %s of no player_id, such as %s: not used", tables.Counted(unknown, "name"), tables.Quoted(first)))
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
