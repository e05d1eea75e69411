package input

import "strings"

// Nearest returns the candidate that word probably misspells. At most a third of the letters of
// word may be wrong, but always one letter. If no candidate is that near, it returns "". If
// several candidates are equally near, it returns the first. Its running time is proportional
// to len(word) times the total length of the candidates.
func Nearest(word string, candidates []string) string {
	best, bestSlips := "", 1+max(1, len(word)/3)
	for _, candidate := range candidates {
		if d := slips(strings.ToLower(word), strings.ToLower(candidate)); d < bestSlips {
			best, bestSlips = candidate, d
		}
	}
	return best
}

// DidYouMean returns a suggestion to append to a message about an unknown word, or "" if no
// candidate is near.
func DidYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// slips returns the number of typing errors between two words: extra, missing, wrong and
// swapped letters. This is the optimal string alignment distance.
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
