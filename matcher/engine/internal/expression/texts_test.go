package expression

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mmsim/matcher"
)

// What bits tell of lists of texts is what lists in lists tell, for groups that are complete
// and for those that others may still join. Where others may join, bits may know more.
func TestBitsTellWhatListsTell(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := new(Columns)
		var list []*Expression
		for _, teams := range [][]int{{0}, {1}, {0, 1}} {
			list = append(list, textForms(c, teams, r.IntN(2) == 0)...)
		}
		g := randomGroup(c, r)
		x, y := list[r.IntN(len(list))], list[r.IntN(len(list))]
		text := matcher.Text(r.IntN(4))
		told := func(fast bool) (all []Span) {
			a, b := *x, *y
			if !fast {
				a.texts, b.texts = nil, nil
			}
			all = append(all, g.Holding(&a, text))
			if a.of.Depth == 2 {
				n, none, more := g.InCommon(&a)
				if none { // there is nothing to count
					n = Span{}
				}
				all = append(all, n, Exactly(float64(len(fmt.Sprint(none, more)))))
			}
			if b.of.Depth == 1 {
				all, _ = g.Shared(all, &a, &b)
			}
			if g.Complete { // the players of a party have the same list
				all = slices.Compact(all)
			}
			return all
		}
		bits, lists := told(true), told(false)
		same := len(bits) == len(lists)
		for i := 0; same && i < len(bits); i++ {
			same = bits[i].Low >= lists[i].Low && bits[i].High <= lists[i].High && (!g.Complete || bits[i] == lists[i])
		}
		if !same {
			t.Fatalf("seed %d: bits tell %v, lists %v", seed, bits, lists)
		}
	}
}

// textForms returns expressions about the lists of players.
func textForms(c *Columns, teams []int, union bool) []*Expression {
	x := &matcher.Expression{Type: matcher.Type{Base: matcher.Texts, Depth: 2}, Field: matcher.InColumn, Teams: teams}
	apply := func(f matcher.Function, of *matcher.Expression) *matcher.Expression {
		return &matcher.Expression{Type: matcher.Type{Base: matcher.Texts, Depth: of.Depth - 1}, Function: f, Argument: of}
	}
	if len(teams) > 1 {
		x.PerTeam, x.Depth = true, 3
		x = apply(matcher.Flatten, x)
	}
	party := matcher.PartyIntersection
	if union {
		party = matcher.PartyUnion
	}
	var list []*Expression
	for _, x := range []*matcher.Expression{x, apply(matcher.SetIntersection, x), apply(matcher.Flatten, x)} {
		list = append(list, c.Compile(x, party))
	}
	return list
}

// randomGroup seats parties with lists of up to three of four texts in two teams.
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
		c.Load(row, players, matcher.NoPlace)
		team := r.IntN(2)
		g.Sides[team] = append(g.Sides[team], Entry(row))
		g.Counts[team] += int32(len(players))
	}
	for team := range g.Room {
		g.Room[team] = int32(r.IntN(3))
	}
	return g
}
