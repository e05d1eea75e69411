package value

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// EscapedText is text that may have unprintable characters. The YAML library writes such text
// in a way that YAML reads as another text or not at all.
type EscapedText string

// MarshalYAML writes the text in double quotes.
func (t EscapedText) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(t))), nil }

// Flow formats the value of a setting as YAML on one line.
func Flow(written any) string {
	switch written.(type) {
	case []string, map[string]string, map[int]float64, map[string][]string, yaml.MapSlice, []yaml.MapSlice:
		text, err := yaml.MarshalWithOptions(written, yaml.Flow(true))
		if err != nil {
			panic(err) // cannot happen: maps and lists have only texts and numbers
		}
		return strings.TrimSpace(string(text))
	}
	return fmt.Sprint(written)
}

// JSON is a value that is already written as JSON, which is also valid YAML.
type JSON string

// MarshalYAML writes the value unchanged.
func (j JSON) MarshalYAML() ([]byte, error) { return []byte(j), nil }
