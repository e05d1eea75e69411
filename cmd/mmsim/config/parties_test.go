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
		{[]int{3}, 4, []string{"x: parties of 3 never find a match: with parties of 3, they cannot fill a match of 4 players (match.size)"}},
		{[]int{2, 3}, 4, []string{"x: parties of 3 never find a match: with parties of 2, 3, they cannot fill a match of 4 players (match.size)"}},
		{[]int{2, 3}, 5, nil},
		{[]int{2, 4}, 9, []string{"x: parties of 2, 4 never find a match: with parties of 2, 4, they cannot fill a match of 9 players (match.size)"}},
		{[]int{1, 5, 6}, 4, []string{
			"x: parties of 5 are rejected: a match has only 4 players (match.size)",
			"x: parties of 6 are rejected: a match has only 4 players (match.size)"}},
		// A party that is rejected cannot fill a match.
		{[]int{3, 5}, 4, []string{
			"x: parties of 5 are rejected: a match has only 4 players (match.size)",
			"x: parties of 3 never find a match: with parties of 3, they cannot fill a match of 4 players (match.size)"}},
	} {
		if got := partyWarnings("x", test.sizes, test.size); !slices.Equal(got, test.want) {
			t.Errorf("%v in matches of %d:\ngot  %q\nwant %q", test.sizes, test.size, got, test.want)
		}
	}
}
