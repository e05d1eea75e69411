package roblox

// nearest returns a question for the end of a message about an unknown signal, such as "did you
// mean Friends?". It returns "" if more than a third of the letters differ.
func nearest(name string) string {
	best, fewest := "", 1+len(name)/3
	for _, b := range builtIns {
		for _, known := range []string{b.label, b.api} {
			if d := editDistance(normalize(name), normalize(known)); d < fewest {
				best, fewest = known, d
			}
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance returns the Levenshtein distance between two words.
func editDistance(a, b string) int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		diagonal := above[0]
		above[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = above[j+1]
			above[j+1] = min(replaced, above[j+1]+1, above[j]+1)
		}
	}
	return above[len(b)]
}
