package input

import "strings"

// Nearest returns the candidate that word most likely misspells, or "" if none is close: a
// word with more than a third of its letters wrong is another word. The first of equally near
// candidates is returned. Cost: len(word) × total length.
func Nearest(word string, candidates []string) string {
	best, bestSlips := "", 1+max(1, len(word)/3)
	for _, candidate := range candidates {
		if d := slips(strings.ToLower(word), strings.ToLower(candidate)); d < bestSlips {
			best, bestSlips = candidate, d
		}
	}
	return best
}

// DidYouMean returns the end of a message about an unknown word: the nearest known word, or
// nothing.
func DidYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// slips counts the typing slips (a letter too many, too few or wrong, two
// letters swapped) between two words: the optimal string alignment distance.
func slips(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, above, row = above, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := above[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(replaced, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
