package tables

import (
	"strconv"
	"unicode/utf8"
)

// These texts are parts of error messages. They describe the valid range of a coordinate. Swapped
// follows LatitudeExpected if latitude and longitude would be valid the other way round.
const (
	LatitudeExpected  = "expected degrees from -90 to 90"
	LongitudeExpected = "expected degrees from -180 to 180"
	Swapped           = "; are latitude and longitude swapped?"
)

// quotedMax is the maximum length of a value in a message, enough to recognise the value.
const quotedMax = 40

// Quoted formats a value for a message. It replaces IP addresses, because messages end up in logs and
// results, where nobody's address belongs.
func Quoted[T string | []byte](value T) string {
	text := maskAddresses(string(value))
	if len(text) <= quotedMax {
		return strconv.Quote(text)
	}
	cut := quotedMax
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(text[:cut]) + "…"
}

// Counted returns a number with a noun, such as "1 column" or "2 columns".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
