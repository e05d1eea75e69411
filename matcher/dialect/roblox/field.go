package roblox

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// Field is a player or server attribute whose values may come from a data column. Its methods
// convert the numbers, texts or lists of the column to values of the engine.
type Field struct {
	Name   string
	Kind   matcher.Kind // kind of data that the field needs: IsNumber, IsText or IsSet
	Column matcher.Column

	config *Config
	own    *Attribute // the custom attribute, or nil for a built-in field
	class  bool       // set for the class of a player, which does not use Column
}

// countExpected describes the range of numbers in the built-in attributes.
var countExpected = fmt.Sprintf("a number from 0 to %g", scoring.MaxNumber)

// playMinutes is a field that data may contain instead of playHistory.
const playMinutes = "playMinutes28d"

// historySteps is the number of steps per unit to which logarithms are rounded, because their last
// bits differ between machines.
const historySteps = 1e9

// PlayerFields returns the fields of players, except friends and IP addresses. playHistory and
// playMinutes28d share a column.
func (c *Config) PlayerFields() []Field {
	kinds := map[playerValue]matcher.Kind{age: matcher.IsNumber, playHistory: matcher.IsNumber, textChatGroups: matcher.IsSet}
	var fields []Field
	for v, name := range playerValueNames {
		f := Field{Name: name, Kind: matcher.IsText, Column: c.columns[v], config: c}
		if kind, ok := kinds[playerValue(v)]; ok {
			f.Kind = kind
		}
		fields = append(fields, f)
	}
	fields = append(fields,
		Field{Name: playMinutes, Kind: matcher.IsNumber, Column: c.columns[playHistory], config: c},
		Field{Name: "matchmakingType", Kind: matcher.IsText, config: c, class: true})
	return append(fields, c.customFields(c.PlayerAttributes)...)
}

// ServerFields returns the fields of servers.
func (c *Config) ServerFields() []Field { return c.customFields(c.ServerAttributes) }

func (c *Config) customFields(attributes []*Attribute) []Field {
	var fields []Field
	for _, a := range attributes {
		f := Field{Name: a.Name, Kind: matcher.IsText, Column: a.Column, config: c, own: a}
		if a.Type == Number {
			f.Kind = matcher.IsNumber
		}
		fields = append(fields, f)
	}
	return fields
}

// IsClass reports whether the field contains the class of a player.
func (f *Field) IsClass() bool { return f.class }

// IsCustom reports whether the field is a custom attribute, which has a default.
func (f *Field) IsCustom() bool { return f.own != nil }

// Absent returns the value for a player or server without data. It is the default of a custom
// attribute, the default class, or a missing value.
func (f *Field) Absent() matcher.Value {
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
func (f *Field) Number(x float64) (matcher.Value, error) {
	least, expected := 0.0, countExpected
	if f.own != nil {
		least, expected = -scoring.MaxNumber, numberExpected
	}
	if !(x >= least && x <= scoring.MaxNumber) {
		return matcher.Value{}, fmt.Errorf("%g, expected %s", x, expected)
	}
	if f.Name == playMinutes {
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
func (f *Field) Text(text string) (matcher.Value, error) {
	switch {
	case f.class:
		if !slices.Contains(matchmakingTypes, text) {
			return matcher.Value{}, fmt.Errorf("%q, expected one of %s", text, strings.Join(matchmakingTypes, ", "))
		}
	case f.own != nil && f.own.Type == Bool, f.own == nil && f.Name == playerValueNames[voiceChat]:
		if text = strings.ToLower(text); text != "true" && text != "false" {
			return matcher.Value{}, fmt.Errorf("%q, expected true or false", text)
		}
	}
	return matcher.TextValue(f.config.Schema.Intern(text)), nil
}

// Texts converts a list.
func (f *Field) Texts(list []string) matcher.Value {
	return matcher.SetValue(f.config.Schema.Set(list))
}

// Weighs reports whether a signal with a weight above 0 reads this field of players.
func (c *Config) Weighs(f *Field) bool {
	for i, e := range c.entries {
		if e.weight > 0 && !f.class && slices.Contains(columnsOf(c.Scoring.Signals[i]), f.Column) {
			return true
		}
	}
	return false
}
