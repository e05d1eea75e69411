package input

import (
	"regexp"
	"strings"
)

// ShellCommand formats words as a shell command and quotes them if necessary.
func ShellCommand(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; !plainWord.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// plainWord matches words that need no quotes.
var plainWord = regexp.MustCompile(`^[\pL\pN_./:=,@%+-]+$`)
