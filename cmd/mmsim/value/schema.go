package value

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Schema is a JSON Schema, a mapping from keywords to their values. It is of draft 7, which every editor
// supports. A schema accepts at least everything that mmsim accepts, so that editors never mark a valid
// file as wrong.
type Schema map[string]any

// ScalarSchema returns a schema for any scalar that mmsim reads as a text. To YAML, an unquoted 5 is
// a number and an unquoted true is a boolean.
func ScalarSchema() Schema { return Schema{"type": []string{"string", "number", "boolean"}} }

// FilledSchema returns a schema for any scalar except the empty text.
func FilledSchema() Schema { return ScalarSchema().With("minLength", 1) }

// PatternSchema returns a schema for texts that match a regular expression.
func PatternSchema(expression string) Schema { return Schema{"type": "string", "pattern": expression} }

// WordsSchema returns a schema that accepts only the given words.
func WordsSchema(words []string) Schema { return Schema{"enum": words} }

// AnySchema returns a schema that accepts everything that at least one of the given schemas accepts.
func AnySchema(of ...Schema) Schema { return Schema{"anyOf": of} }

// NullableSchema returns a schema that accepts null and everything that s accepts.
func NullableSchema(s Schema) Schema { return AnySchema(s, Schema{"type": "null"}) }

// ObjectSchema returns a schema for a mapping that has only the given keys. Those in required must be
// present.
func ObjectSchema(keys map[string]Schema, required ...string) Schema {
	s := Schema{"type": "object", "properties": keys, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// MapSchema returns a schema for a mapping with any keys. Every value must match the given schema.
func MapSchema(values Schema) Schema {
	return Schema{"type": "object", "additionalProperties": values}
}

// ListSchema returns a schema for a list with at least the given number of items.
func ListSchema(of Schema, least int) Schema {
	return Schema{"type": "array", "items": of, "minItems": least}
}

// Needs returns one schema for each key, which accepts mappings with that key.
func Needs(keys ...string) []Schema {
	var list []Schema
	for _, key := range keys {
		list = append(list, Schema{"required": []string{key}})
	}
	return list
}

// With returns a copy of s with an additional keyword.
func (s Schema) With(keyword string, value any) Schema {
	s = maps.Clone(s)
	s[keyword] = value
	return s
}

// Document formats s as a file with a title.
func (s Schema) Document(title string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(s.With("$schema", "http://json-schema.org/draft-07/schema#").With("title", title))
	return b.Bytes(), err
}
