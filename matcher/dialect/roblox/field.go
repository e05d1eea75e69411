package roblox

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// values converts the data of a field to values of the engine. It implements vendor.Values.
type values struct {
	*Config
	of *Attribute // nil for the class of a player
}

// PlayerFields returns the fields of players, except friends and IP addresses.
func (c *Config) PlayerFields() []vendor.Field {
	class := vendor.Field{Name: "matchmakingType", Kind: matcher.IsText, Class: true, Values: &values{Config: c}}
	return slices.Concat(c.fields(c.builtIn), []vendor.Field{class}, c.fields(c.PlayerAttributes))
}

// ServerFields returns the fields of servers.
func (c *Config) ServerFields() []vendor.Field { return c.fields(c.ServerAttributes) }

func (c *Config) fields(attributes []*Attribute) (fields []vendor.Field) {
	for _, a := range attributes {
		kind := map[DataType]matcher.ValueKind{Bool: matcher.IsText, Number: matcher.IsNumber, String: matcher.IsText, list: matcher.IsSet}[a.Type]
		fields = append(fields, vendor.Field{Name: a.Name, Kind: kind, Column: a.Column, Declared: !a.builtIn, Weighed: c.weighs(a.Column),
			Alternative: a.Name == playMinutes, Values: &values{c, a}})
	}
	return fields
}

// weighs reports whether a signal with a weight above 0 reads a column of players or servers.
func (c *Config) weighs(column matcher.Column) bool {
	for i, e := range c.entries {
		if e.weight > 0 && slices.Contains(columnsOf(c.Scoring.Signals[i]), column) {
			return true
		}
	}
	return false
}

// Absent returns the value for a player or server without data. It is the default of a custom
// attribute, the default class, or a missing value.
func (f *values) Absent() matcher.Value {
	if f.of == nil {
		return matcher.TextValue(f.DefaultClass())
	}
	return f.of.Default
}

// DefaultClass returns the class of a player or server that does not specify one.
func (c *Config) DefaultClass() matcher.Text { return c.Schema.Intern(matchmakingTypes[0]) }

// Number converts a number. The caller must put "got " in front of an error text.
func (f *values) Number(x float64) (matcher.Value, error) {
	if !f.of.limits().Allow(x) {
		return matcher.Value{}, fmt.Errorf("%g, expected %s", x, f.of.limits())
	}
	return f.of.number(x), nil
}

// Text converts a text, which must not be empty. The caller must put "got " in front of an error
// text.
func (f *values) Text(text string) (matcher.Value, error) {
	switch {
	case f.of == nil:
		if !slices.Contains(matchmakingTypes, text) {
			return matcher.Value{}, fmt.Errorf("%q, expected one of %s", text, strings.Join(matchmakingTypes, ", "))
		}
	case f.of.Type == Bool:
		if text = strings.ToLower(text); text != "true" && text != "false" {
			return matcher.Value{}, fmt.Errorf("%q, expected true or false", text)
		}
	}
	return matcher.TextValue(f.Schema.Intern(text)), nil
}

// Texts converts a list.
func (f *values) Texts(list []string) matcher.Value {
	return matcher.SetValue(f.Schema.Set(list))
}
