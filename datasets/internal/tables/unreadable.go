package tables

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Unreadable returns the reason why bytes are not a text, or "" if they are.
func Unreadable(text []byte) string {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return "binary data (a zero byte): expected CSV in UTF-8"
	}
	if utf8.Valid(text) {
		return ""
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Sprintf("byte 0x%02x in %s is not UTF-8: expected text in UTF-8", text[i], Quoted(text))
		}
		i += size
	}
	return ""
}
