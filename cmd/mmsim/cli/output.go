package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/reports/present"
	"mmsim/reports/words"
)

// WriteWarnings writes one line for each warning to standard error.
func WriteWarnings(s *terminal.Streams, warnings []jsontree.Warning) {
	for _, w := range warnings {
		text := w.String()
		if w.Position == "" {
			text = strings.ToLower(present.WarningLabel(text)) + ": " + text
		}
		fmt.Fprintln(s.Err, words.Printable(text))
	}
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
