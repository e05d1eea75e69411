package joinfile

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"mmsim/datasets/internal/tables"
)

// recogniseBytes is how much of a file Recognise reads.
const recogniseBytes = 1 << 16

// Recognise reports whether a JSON file has joins: objects one per line or in an array, the first
// of which has at least two of a time, a latitude and a longitude, under their usual names or those
// in names, see Options.Names. It reads only the beginning of the file.
func Recognise(r io.Reader, names map[string]string) bool {
	head, _ := io.ReadAll(io.LimitReader(r, recogniseBytes)) // an error is reported when the file is read
	table := tables.NewJSON(tables.NewCSV(bytes.NewReader(head)))
	if table == nil {
		return false
	}
	if ok, fault := table.Next(); !ok || fault != nil {
		return false
	}
	found := map[string]bool{}
	for _, name := range table.Names() {
		found[usual[plainName(name[strings.LastIndexByte(name, '.')+1:])]] = true
	}
	count := 0
	for _, name := range required {
		if name != "" && (found[name] || slices.Contains(table.Names(), names[name])) {
			count++
		}
	}
	return count >= 2
}
