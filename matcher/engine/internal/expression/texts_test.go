package expression

import (
	"math/rand/v2"
	"testing"

	"mmsim/matcher"
)

// Holding must return the same counts with masks as with nested lists, for complete and
// incomplete groups.
func TestHoldingByBitsAndByLists(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := new(Columns)
		x := listsOf(c, [][]int{{0}, {1}, {0, 1}}[r.IntN(3)], r.IntN(2) == 0)
		g, text := randomGroup(c, r), matcher.Text(r.IntN(4))
		slow := *x
		slow.texts = nil
		if bits, lists := g.Holding(x, text), g.Holding(&slow, text); bits != lists {
			t.Fatalf("seed %d: Holding: got %v with bits, %v with lists, want equal results", seed, bits, lists)
		}
	}
}

// listsOf returns an expression that yields the list of each player in some teams.
func listsOf(c *Columns, teams []int, union bool) *Expression {
	x := &matcher.Expression{Type: matcher.Type{Base: matcher.Texts, Depth: 2}, Field: matcher.InColumn, Teams: teams}
	if len(teams) > 1 {
		x.PerTeam, x.Depth = true, 3
		x = &matcher.Expression{Type: matcher.Type{Base: matcher.Texts, Depth: 2}, Function: matcher.Flatten, Argument: x}
	}
	party := matcher.PartyIntersection
	if union {
		party = matcher.PartyUnion
	}
	return c.Compile(x, party)
}

// randomGroup returns a group of up to five parties in two teams. Each player has a list of up to
// three of four texts.
func randomGroup(c *Columns, r *rand.Rand) *Group {
	g := &Group{Columns: c, Sides: make([][]Entry, 2), Counts: make([]int32, 2), Room: make([]int32, 2), Needs: make([]bool, 2), Complete: r.IntN(2) == 0}
	for row := range Row(r.IntN(6)) {
		players := make([]matcher.Player, 1)
		if g.Complete && r.IntN(2) == 0 {
			players = make([]matcher.Player, 2)
		}
		for i := range players {
			var set []matcher.Text
			for text := range matcher.Text(4) {
				if len(set) < 3 && r.IntN(2) == 0 {
					set = append(set, text)
				}
			}
			players[i].Values = []matcher.Value{matcher.SetValue(set)}
		}
		c.Load(row, players)
		team := r.IntN(2)
		g.Sides[team] = append(g.Sides[team], Entry(row))
		g.Counts[team] += int32(len(players))
	}
	for team := range g.Room {
		g.Room[team] = int32(r.IntN(3))
	}
	return g
}
