package input

import (
	"regexp"
	"strconv"
	"strings"
)

// Counted formats n with the noun thing, such as "1 join" or "2 joins".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Either lists words to choose from: "a", "a or b", "a, b or c".
func Either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Shortened cuts text to the given number of characters for a message. rest is "…" if it was
// cut, and "" otherwise.
func Shortened(text string, longest int) (cut, rest string) {
	for at := range text {
		if longest--; longest < 0 {
			return text[:at], "…"
		}
	}
	return text, ""
}

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
