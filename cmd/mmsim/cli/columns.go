package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/input"
)

// namesMapping converts text in the format of ParseNames to a YAML mapping.
func namesMapping(text string) (string, error) {
	names, err := ParseNames(text)
	var entries []string
	for _, canonical := range slices.Sorted(maps.Keys(names)) {
		entries = append(entries, strconv.Quote(canonical)+": "+strconv.Quote(names[canonical]))
	}
	return "{" + strings.Join(entries, ", ") + "}", err
}

// ParseNames reads a list of column names such as time=joined_at,latitude=y. In each pair, the
// first name is mmsim's name of a column and the second is the name in the file.
func ParseNames(text string) (map[string]string, error) {
	names := make(map[string]string)
	for pair := range strings.SplitSeq(text, ",") {
		canonical, inFile, ok := strings.Cut(pair, "=")
		canonical, inFile = strings.TrimSpace(canonical), strings.TrimSpace(inFile)
		if _, twice := names[canonical]; !ok || canonical == "" || inFile == "" || twice {
			written, rest := input.Shortened(text, 40)
			return nil, input.Badf("%q%s: expected pairs of a column and its name in the file, such as time=joined_at,latitude=y", written, rest)
		}
		names[canonical] = inFile
	}
	return names, nil
}
