package tables

import "strings"

// AppendCell appends a text, in quotes if necessary.
func AppendCell(line []byte, text string) []byte {
	if !strings.ContainsAny(text, "\",\r\n") {
		return append(line, text...)
	}
	line = append(line, '"')
	for i := range len(text) {
		if text[i] == '"' {
			line = append(line, '"')
		}
		line = append(line, text[i])
	}
	return append(line, '"')
}
