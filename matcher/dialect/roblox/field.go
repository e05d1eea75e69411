package roblox

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
)

// values converts the data of a field to values of the engine. It implements vendor.Values.
type values struct {
	config *Config
	own    *Attribute // the custom attribute, or nil for a built-in field
	name   string
	class  bool // set for the class of a player
}

// playMinutes is a field that data may contain instead of playHistory.
const playMinutes = "playMinutes28d"

// historySteps is the number of steps per unit to which logarithms are rounded, because their last
// bits differ between machines.
const historySteps = 1e9

// PlayerFields returns the fields of players, except friends and IP addresses. playHistory and
// playMinutes28d share a column.
func (c *Config) PlayerFields() []vendor.Field {
	kinds := map[playerValue]matcher.ValueKind{age: matcher.IsNumber, playHistory: matcher.IsNumber, textChatGroups: matcher.IsSet}
	var fields []vendor.Field
	add := func(name string, kind matcher.ValueKind, column matcher.Column) {
		fields = append(fields, vendor.Field{Name: name, Kind: kind, Column: column, Weighed: c.weighs(column),
			Alternative: name == playMinutes, Values: &values{config: c, name: name}})
	}
	for v, name := range playerValueNames {
		kind, ok := kinds[playerValue(v)]
		if !ok {
			kind = matcher.IsText
		}
		add(name, kind, c.columns[v])
	}
	add(playMinutes, matcher.IsNumber, c.columns[playHistory])
	class := vendor.Field{Name: "matchmakingType", Kind: matcher.IsText, Class: true, Values: &values{config: c, class: true}}
	return append(append(fields, class), c.customFields(c.PlayerAttributes)...)
}

// ServerFields returns the fields of servers.
func (c *Config) ServerFields() []vendor.Field { return c.customFields(c.ServerAttributes) }

func (c *Config) customFields(attributes []*Attribute) []vendor.Field {
	var fields []vendor.Field
	for _, a := range attributes {
		f := vendor.Field{Name: a.Name, Kind: matcher.IsText, Column: a.Column, Declared: true, Weighed: c.weighs(a.Column),
			Values: &values{config: c, name: a.Name, own: a}}
		if a.Type == Number {
			f.Kind = matcher.IsNumber
		}
		fields = append(fields, f)
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
	switch {
	case f.own != nil:
		return f.own.Default
	case f.class:
		return matcher.TextValue(f.config.DefaultClass())
	}
	return matcher.Value{}
}

// DefaultClass returns the class of a player or server that does not specify one.
func (c *Config) DefaultClass() matcher.Text { return c.Schema.Intern(matchmakingTypes[0]) }

// Number converts a number. The caller must put "got " in front of an error text.
func (f *values) Number(x float64) (matcher.Value, error) {
	limits := builtInNumbers
	if f.own != nil {
		limits = attributeNumbers
	}
	if !limits.Allow(x) {
		return matcher.Value{}, fmt.Errorf("%g, expected %s", x, limits)
	}
	if f.own == nil && f.name == playMinutes {
		x = logMinutes(x)
	}
	return matcher.NumberValue(x), nil
}

// logMinutes converts minutes played to playHistory. The logarithm of 0 is undefined, so anything
// below one minute counts as one minute.
func logMinutes(minutes float64) float64 {
	return math.Round(math.Log10(max(1, minutes))*historySteps) / historySteps
}

// Text converts a text, which must not be empty. The caller must put "got " in front of an error
// text.
func (f *values) Text(text string) (matcher.Value, error) {
	switch {
	case f.class:
		if !slices.Contains(matchmakingTypes, text) {
			return matcher.Value{}, fmt.Errorf("%q, expected one of %s", text, strings.Join(matchmakingTypes, ", "))
		}
	case f.own != nil && f.own.Type == Bool, f.own == nil && f.name == playerValueNames[voiceChat]:
		if text = strings.ToLower(text); text != "true" && text != "false" {
			return matcher.Value{}, fmt.Errorf("%q, expected true or false", text)
		}
	}
	return matcher.TextValue(f.config.Schema.Intern(text)), nil
}

// Texts converts a list.
func (f *values) Texts(list []string) matcher.Value {
	return matcher.SetValue(f.config.Schema.Set(list))
}
