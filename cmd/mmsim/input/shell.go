package input

import (
	"regexp"
	"strings"
)

// ShellCommand writes words as a command for a shell, with quotes where a word needs them.
func ShellCommand(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; !plainWord.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// plainWord matches words that no shell changes.
var plainWord = regexp.MustCompile(`^[\pL\pN_./:=,@%+-]+$`)
