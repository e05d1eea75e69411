package ranges_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"mmsim/matcher/internal/ranges"

	"pgregory.net/rapid"
)

// The most players that a window has at any time are the most that any set of near candidates has. The
// twin tries the sets that begin at each candidate's number.
func TestWindowAgainstAllRanges(t *testing.T) {
	type candidate struct {
		number  float64 // NaN if there is none
		players int32
	}
	var w ranges.Window
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Map(rapid.IntRange(0, 12), func(n int) float64 { return float64(n) / 2 })
		width := number.Draw(t, "width")
		group := ranges.None()
		for range rapid.IntRange(0, 2).Draw(t, "size of the group") {
			group.Add(number.Draw(t, "number of the group"))
		}
		var list []candidate
		for range rapid.IntRange(0, 8).Draw(t, "candidates") {
			c := candidate{number.Draw(t, "number"), int32(rapid.IntRange(1, 3).Draw(t, "players"))}
			if rapid.IntRange(0, 4).Draw(t, "has a number") == 0 {
				c.number = math.NaN()
			}
			list = append(list, c)
		}
		slices.SortFunc(list, func(a, b candidate) int { return cmp.Compare(a.number, b.number) }) // NaN comes first
		got, out := int32(0), 0
		w.Begin(group, width)
		for _, c := range list {
			if math.IsNaN(c.number) {
				w.AddFree(c.players)
			} else {
				out += w.Add(c.number, c.players)
			}
			got = max(got, w.Players)
		}
		want, left := int32(0), 0
		for _, low := range append(slices.Clone(list), candidate{number: math.NaN()}) {
			players := int32(0)
			for _, c := range list {
				if math.IsNaN(c.number) || c.number >= low.number && max(c.number, group.High)-min(low.number, group.Low) <= width {
					players += c.players
				}
			}
			want = max(want, players)
		}
		for _, c := range list { // those that are not near the last candidate have left
			last := list[len(list)-1].number
			if max(last, group.High)-min(c.number, group.Low) > width {
				left++
			}
		}
		if got != want || out != left {
			t.Errorf("candidates %v, group %v, width %v: got at most %d players and %d candidates that left, want %d and %d", list, group, width, got, out, want, left)
		}
	})
}
