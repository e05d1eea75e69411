package tables

import "strings"

// AddressMask stands in messages for an IP address.
const AddressMask = "IP-ADDRESS"

// HasAddress reports whether a text contains something that looks like an IP address.
func HasAddress(text string) bool { return maskAddresses(text) != text }

// maskAddresses replaces everything in a text that looks like an IP address, even a mistyped one:
// digits with three points or more between them, or hexadecimal digits with a double colon or four
// colons or more. Times and versions with fewer points do not look like this.
func maskAddresses(text string) string {
	if strings.Count(text, ".") < 3 && strings.Count(text, ":") < 2 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		end := 0
		for end < len(text) && isAddressByte(text[end]) {
			end++
		}
		word := text[:end]
		if strings.Count(word, ".") >= 3 || strings.Count(word, ":") >= 4 || strings.Contains(word, "::") {
			word = AddressMask
		}
		b.WriteString(word)
		if text = text[end:]; len(text) > 0 {
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String()
}

func isAddressByte(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'f' || c == '.' || c == ':'
}
