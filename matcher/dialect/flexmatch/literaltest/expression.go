package literaltest

import (
	"math"
	"slices"
	"strings"
)

// expression evaluates a property expression. It returns nil if the expression has no value.
func (t *Rules) expression(text string) any {
	text = strings.TrimSpace(text)
	if name, rest, ok := strings.Cut(text, "("); ok {
		return t.call(name, t.expression(strings.TrimSuffix(rest, ")")))
	}
	names, field, _ := strings.Cut(strings.TrimPrefix(text, "teams["), "].players")
	var lists []any
	for i, team := range t.Teams {
		if names == "*" || slices.Contains(strings.Split(names, ","), team.Name) || slices.Contains(strings.Split(names, ","), team.entry) {
			lists = append(lists, any(t.players(t.match[i], field)))
		}
	}
	if names == "*" || len(lists) > 1 {
		return lists
	}
	return lists[0]
}

// players returns the values of a field for the players of one team.
func (t *Rules) players(team []Party, field string) []any {
	all := []any{}
	for _, p := range team {
		var own []any
		for _, player := range p.Players {
			own = append(own, t.Field(player, field))
		}
		all = append(all, t.merge(own)...)
	}
	return all
}

// Field returns a player's value for field, the part of a path after .players, such as
// .attributes[skill].
func (t *Rules) Field(p Player, field string) any {
	switch field {
	case "":
		return p
	case "[playerId]":
		return p.ID
	}
	name := strings.TrimSuffix(strings.TrimPrefix(field, ".attributes["), "]")
	if v, ok := p.Attributes[name]; ok {
		return v
	}
	for _, a := range Objects(t.JSON["playerAttributes"]) {
		if a["name"] == name {
			return a["default"]
		}
	}
	panic("no attribute " + name)
}

// merge replaces each party member's value with the aggregate of the values of the whole party.
func (t *Rules) merge(own []any) []any {
	var one any
	switch own[0].(type) {
	case float64:
		one = t.call(map[string]string{"union": "avg", "intersection": "avg"}[t.party]+strings.TrimPrefix(strings.TrimPrefix(t.party, "union"), "intersection"), own)
	case []any:
		union := []any{}
		for _, text := range leaves(own) {
			if !slices.Contains(union, text) {
				union = append(union, text)
			}
		}
		if one = union; t.party == "intersection" {
			one = shared(own)
		}
	default:
		return own
	}
	all := make([]any, len(own))
	for i := range all {
		all[i] = one
	}
	return all
}

// call applies a function to a list. If the list contains lists, call applies the function to each
// of them.
func (t *Rules) call(name string, of any) any {
	list := of.([]any)
	nested := func(v any) bool { _, is := v.([]any); return is }
	switch {
	case name == "flatten":
		all := []any{}
		for _, v := range list {
			all = append(all, v.([]any)...)
		}
		return all
	case name == "set_intersection":
		if len(list) > 0 && slices.ContainsFunc(list[0].([]any), nested) {
			all := []any{}
			for _, v := range list {
				all = append(all, t.call(name, v))
			}
			return all
		}
		return shared(list)
	case slices.ContainsFunc(list, nested):
		all := []any{}
		for _, v := range list {
			if one := t.call(name, v); one != nil {
				all = append(all, one)
			}
		}
		return all
	case name == "count":
		return float64(len(list))
	}
	var numbers []float64
	sum := 0.0
	for _, v := range list {
		numbers = append(numbers, v.(float64))
		sum += v.(float64)
	}
	n := float64(len(numbers))
	switch {
	case name == "sum":
		return sum
	case n == 0:
		return nil
	case name == "avg":
		return sum / n
	}
	slices.Sort(numbers)
	switch name {
	case "min":
		return numbers[0]
	case "max":
		return numbers[len(numbers)-1]
	case "median":
		return (numbers[(len(numbers)-1)/2] + numbers[len(numbers)/2]) / 2
	}
	squares := 0.0
	for _, v := range numbers {
		squares += math.Pow(v-sum/n, 2)
	}
	return math.Sqrt(squares / n)
}

// leaves flattens nested lists into one list.
func leaves(v any) []any {
	list, ok := v.([]any)
	if !ok {
		return []any{v}
	}
	all := []any{}
	for _, e := range list {
		all = append(all, leaves(e)...)
	}
	return all
}

// shared returns the texts that are in all lists.
func shared(lists []any) []any {
	shared := []any{}
	if len(lists) == 0 {
		return shared
	}
	for _, text := range lists[0].([]any) {
		if !slices.Contains(shared, text) && !slices.ContainsFunc(lists, func(l any) bool { return !slices.Contains(l.([]any), text) }) {
			shared = append(shared, text)
		}
	}
	return shared
}
