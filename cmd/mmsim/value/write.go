package value

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// EscapedText is text that may have unprintable characters. The YAML library writes such text
// in a way that YAML reads as another text or not at all.
type EscapedText string

// Escaped returns a text as EscapedText if it needs to be.
func Escaped(text string) any {
	if !Printable(text) {
		return EscapedText(text)
	}
	return text
}

// MarshalYAML writes the text in double quotes.
func (t EscapedText) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(t))), nil }

// Flow formats the value of a setting as YAML on one line. A text stands without quotes.
func Flow(written any) string {
	switch w := written.(type) {
	case string:
		return w
	case EscapedText:
		return string(w)
	case float64: // the library writes 1 as 1.0
		return strconv.FormatFloat(w, 'g', -1, 64)
	}
	text, err := yaml.MarshalWithOptions(written, yaml.Flow(true))
	if err != nil {
		panic(err) // cannot happen: maps and lists have only texts and numbers
	}
	return strings.TrimSpace(string(text))
}

// JSON is a value that is already written as JSON, which is also valid YAML.
type JSON string

// MarshalYAML writes the value unchanged.
func (j JSON) MarshalYAML() ([]byte, error) { return []byte(j), nil }
