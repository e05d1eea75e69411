package jsontree

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Inner parses the JSON that a text contains, such as a rule set in the answer of a vendor's API. It
// accepts what [ParseRelaxed] accepts. The positions of the values are positions in the document of
// v, and error messages also name the line in the text. label is the name of the text in messages.
func (v Value) Inner(label string) (Value, error) {
	offsets := make([]int32, 0, len(v.text)+1)
	raw := v.from.strict[v.start:v.end]
	for i := 1; i < len(raw)-1; {
		size, decoded := escaped(raw[i:])
		for range decoded {
			offsets = append(offsets, v.start+int32(i))
		}
		i += size
	}
	offsets = append(offsets, v.end-1)
	return parse(&source{text: []byte(v.text), label: label, outer: v.from, offsets: offsets}, true)
}

// escaped returns the size in bytes of the first character of a JSON string's source text, and of the
// same character in the decoded string.
func escaped(raw []byte) (size, decoded int) {
	switch {
	case raw[0] != '\\':
		return 1, 1
	case raw[1] != 'u':
		return 2, 1
	}
	first := hex(raw[2:6])
	if utf16.IsSurrogate(first) {
		if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
			if r := utf16.DecodeRune(first, hex(raw[8:12])); r != utf8.RuneError {
				return 12, utf8.RuneLen(r)
			}
		}
		first = utf8.RuneError // as encoding/json decodes half a pair
	}
	return 6, utf8.RuneLen(first)
}

// hex returns the number that four hexadecimal digits denote.
func hex(digits []byte) rune {
	r, _ := strconv.ParseUint(string(digits), 16, 16) // the text is valid JSON
	return rune(r)
}

// JSON returns the value as strict JSON. Spaces replace comments and trailing commas.
func (v Value) JSON() []byte {
	if v.from == nil {
		return []byte("null")
	}
	return v.from.strict[v.start:v.end]
}

// Replaced returns the text of v's document with another value instead of v. Inside a text that
// [Value.Inner] parsed, the value is escaped.
func (v Value) Replaced(value string) []byte {
	s, begin, end := v.from, v.start, v.end
	for s.outer != nil {
		var quoted bytes.Buffer
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(value) // a string can be encoded
		value = string(bytes.TrimSpace(quoted.Bytes())[1 : quoted.Len()-2])
		begin, end, s = s.offsets[begin], s.offsets[end], s.outer
	}
	return slices.Concat(s.text[:begin], []byte(value), s.text[end:])
}
