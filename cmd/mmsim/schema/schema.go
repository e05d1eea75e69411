// Package schema builds JSON Schemas (draft 7, which every editor knows) for the YAML files
// that mmsim reads. A schema is as wide as the reader or wider: an editor must not mark
// what mmsim takes.
package schema

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Schema is a JSON Schema: its keywords and their values.
type Schema map[string]any

// Scalar takes what stands in YAML where a text is meant: without quotes 5 is a number,
// and true is a truth value.
func Scalar() Schema { return Schema{"type": []string{"string", "number", "boolean"}} }

// Filled takes every scalar but the empty text.
func Filled() Schema {
	s := Scalar()
	s["minLength"] = 1
	return s
}

// Pattern takes texts that a regular expression fits.
func Pattern(expression string) Schema { return Schema{"type": "string", "pattern": expression} }

// Words takes one of some words.
func Words(words []string) Schema { return Schema{"enum": words} }

// Any takes what one of some schemas takes.
func Any(of ...Schema) Schema { return Schema{"anyOf": of} }

// OrNothing takes what s takes, nothing, and "".
func OrNothing(s Schema) Schema { return Any(s, Schema{"enum": []any{"", nil}}) }

// OrNull takes what s takes, and nothing.
func OrNull(s Schema) Schema { return Any(s, Schema{"type": "null"}) }

// Object takes a mapping of some keys, and no others.
func Object(keys map[string]Schema, required ...string) Schema {
	s := Schema{"type": "object", "properties": keys, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// One takes a mapping of exactly one of some keys.
func One(keys map[string]Schema) Schema {
	return Object(keys).With("minProperties", 1).With("maxProperties", 1)
}

// Map takes a mapping of any keys.
func Map(of Schema) Schema { return Schema{"type": "object", "additionalProperties": of} }

// List takes a list of at least so many.
func List(of Schema, least int) Schema {
	return Schema{"type": "array", "items": of, "minItems": least}
}

// Needs takes what has at least one of some keys.
func Needs(keys ...string) []Schema {
	var list []Schema
	for _, key := range keys {
		list = append(list, Schema{"required": []string{key}})
	}
	return list
}

// With returns s with one more keyword.
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
