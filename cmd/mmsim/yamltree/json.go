package yamltree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// JSON returns the value as JSON. Unquoted numbers, true and false stay as they are. All other
// scalars become strings.
func (n Node) JSON() []byte {
	var parts [][]byte
	switch n.Kind {
	case Null:
		return []byte("null")
	case Mapping:
		for _, e := range n.Entries {
			parts = append(parts, fmt.Appendf(nil, "%s: %s", jsonText(e.Key.Text), e.Value.JSON()))
		}
		return fmt.Appendf(nil, "{%s}", bytes.Join(parts, []byte(", ")))
	case List:
		for _, e := range n.Elements {
			parts = append(parts, e.JSON())
		}
		return fmt.Appendf(nil, "[%s]", bytes.Join(parts, []byte(", ")))
	case Plain:
		return plainJSON(n.Text)
	}
	return jsonText(n.Text)
}

// plainJSON converts a scalar without quotes to JSON. It also converts numbers that are valid
// only in YAML, such as +5 and .5.
func plainJSON(text string) []byte {
	if json.Valid([]byte(text)) {
		return []byte(text)
	}
	x, err := strconv.ParseFloat(text, 64)
	number, notFinite := json.Marshal(x)
	if err != nil || notFinite != nil || !IsDecimal(text) {
		return jsonText(text)
	}
	return number
}

// IsDecimal reports whether text has only the characters of decimal numbers. It excludes other
// numbers that strconv reads, such as NaN, 0x10 and 1_000.
func IsDecimal(text string) bool {
	return len(bytes.Trim([]byte(text), "0123456789+-.eE")) == 0
}

func jsonText(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // cannot happen for a string
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
