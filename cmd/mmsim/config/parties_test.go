package config

import (
	"slices"
	"testing"
)

func TestPartyWarnings(t *testing.T) {
	for _, test := range []struct {
		sizes []int
		size  int
		want  []string
	}{
		{nil, 4, nil},
		{[]int{1}, 4, nil},
		{[]int{2, 4}, 4, nil},
		{[]int{1, 3}, 4, nil},
		{[]int{3}, 4, []string{"x: parties of 3 never find a match, no sum of the party sizes 3 with them is match.size 4"}},
		{[]int{2, 3}, 4, []string{"x: parties of 3 never find a match, no sum of the party sizes 2, 3 with them is match.size 4"}},
		{[]int{2, 3}, 5, nil},
		{[]int{2, 4}, 9, []string{"x: parties of 2, 4 never find a match, no sum of the party sizes 2, 4 with them is match.size 9"}},
		{[]int{1, 5, 6}, 4, []string{
			"x: parties of 5 are rejected, a match has match.size 4 players",
			"x: parties of 6 are rejected, a match has match.size 4 players"}},
		// A party that is rejected fills no match.
		{[]int{3, 5}, 4, []string{
			"x: parties of 5 are rejected, a match has match.size 4 players",
			"x: parties of 3 never find a match, no sum of the party sizes 3 with them is match.size 4"}},
	} {
		if got := partyWarnings("x", test.sizes, test.size); !slices.Equal(got, test.want) {
			t.Errorf("%v in matches of %d:\ngot  %q\nwant %q", test.sizes, test.size, got, test.want)
		}
	}
}
