// Package schema builds JSON Schemas (draft 7, which every editor supports) for the YAML
// files that mmsim reads. A schema accepts at least everything that the reader accepts: an
// editor must not mark a valid file as wrong.
package schema

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Schema is a JSON Schema: its keywords and their values.
type Schema map[string]any

// Scalar accepts any scalar where a text is expected, because YAML without quotes makes 5 a
// number and true a boolean.
func Scalar() Schema { return Schema{"type": []string{"string", "number", "boolean"}} }

// Filled accepts every scalar except the empty text.
func Filled() Schema {
	s := Scalar()
	s["minLength"] = 1
	return s
}

// Pattern accepts texts that match a regular expression.
func Pattern(expression string) Schema { return Schema{"type": "string", "pattern": expression} }

// Words accepts one of the words.
func Words(words []string) Schema { return Schema{"enum": words} }

// Any accepts what any of the schemas accepts.
func Any(of ...Schema) Schema { return Schema{"anyOf": of} }

// OrNothing accepts what s accepts, null, and "".
func OrNothing(s Schema) Schema { return Any(s, Schema{"enum": []any{"", nil}}) }

// OrNull accepts what s accepts, and null.
func OrNull(s Schema) Schema { return Any(s, Schema{"type": "null"}) }

// Object accepts a mapping with the given keys and no others.
func Object(keys map[string]Schema, required ...string) Schema {
	s := Schema{"type": "object", "properties": keys, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// One accepts a mapping with exactly one of the given keys.
func One(keys map[string]Schema) Schema {
	return Object(keys).With("minProperties", 1).With("maxProperties", 1)
}

// Map accepts a mapping with any keys.
func Map(of Schema) Schema { return Schema{"type": "object", "additionalProperties": of} }

// List accepts a list with at least the given number of items.
func List(of Schema, least int) Schema {
	return Schema{"type": "array", "items": of, "minItems": least}
}

// Needs accepts mappings with at least one of the given keys.
func Needs(keys ...string) []Schema {
	var list []Schema
	for _, key := range keys {
		list = append(list, Schema{"required": []string{key}})
	}
	return list
}

// With returns s with an additional keyword.
func (s Schema) With(keyword string, value any) Schema {
	s = maps.Clone(s)
	s[keyword] = value
	return s
}

// Document writes s as a file.
func (s Schema) Document(title string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(s.With("$schema", "http://json-schema.org/draft-07/schema#").With("title", title))
	return b.Bytes(), err
}
