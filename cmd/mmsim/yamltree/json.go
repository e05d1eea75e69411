package yamltree

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// JSON writes the value as JSON: unquoted numbers, true and false unchanged, all other scalars
// as text.
func (n Node) JSON() []byte {
	var b bytes.Buffer
	n.appendJSON(&b)
	return b.Bytes()
}

func (n Node) appendJSON(b *bytes.Buffer) {
	switch n.Kind {
	case Null:
		b.WriteString("null")
	case Mapping:
		b.WriteByte('{')
		for i, e := range n.Entries {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(jsonText(e.Key.Text))
			b.WriteString(": ")
			e.Value.appendJSON(b)
		}
		b.WriteByte('}')
	case List:
		b.WriteByte('[')
		for i, element := range n.Elements {
			if i > 0 {
				b.WriteString(", ")
			}
			element.appendJSON(b)
		}
		b.WriteByte(']')
	case Plain:
		b.Write(plainJSON(n.Text))
	default:
		b.Write(jsonText(n.Text))
	}
}

// plainJSON writes a scalar without quotes. YAML takes numbers that JSON does not: +5, .5.
func plainJSON(text string) []byte {
	if json.Valid([]byte(text)) {
		return []byte(text)
	}
	x, err := strconv.ParseFloat(text, 64)
	number, notFinite := json.Marshal(x)
	if err != nil || notFinite != nil || !isDecimal(text) {
		return jsonText(text)
	}
	return number
}

// isDecimal excludes forms that strconv reads in addition to decimal numbers, such as 0x10 and
// 1_000.
func isDecimal(text string) bool {
	return len(bytes.Trim([]byte(text), "0123456789+-.eE")) == 0
}

func jsonText(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
