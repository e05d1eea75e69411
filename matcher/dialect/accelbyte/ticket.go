package accelbyte

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// special are attributes of tickets with a fixed meaning, which need not be equal.
var special = []string{
	"blocked_players", "blocked_players_detail", "new_session_only", crossPlatform, "current_platform",
	"sub_game_mode", "role", "latencies", "member_attributes", "match_attempt",
}

// always are attributes that must be equal under all rulesets.
var always = []string{"server_name", "client_version"}

// Values reads the data for the rules from the attributes of a ticket or a session.
//
// An attribute that is neither special nor declared in match_options must be equal, including
// cross_platform if other options are declared. An empty text counts as absent. If the service
// is followed, only the attributes of the older ticket are compared; otherwise those of both.
// An error is a reason to refuse the ticket.
func (r *Ruleset) Values(attributes jsontree.Value) ([]matcher.Value, error) {
	values := make([]matcher.Value, r.Schema.Columns())
	for _, option := range r.options {
		if v, ok := attributes.Member(option.name); ok && option.column != matcher.NoColumn {
			values[option.column] = r.texts(v)
		}
	}
	if v, ok := attributes.Member("blocked_players"); ok {
		for _, e := range v.Elements() {
			if e.Kind() != jsontree.Text {
				return nil, fmt.Errorf("blocked_players: got %v in the list, expected user ids", e)
			}
		}
		if v.Kind() != jsontree.List && v.Kind() != jsontree.Text {
			return nil, fmt.Errorf("blocked_players: got %v, expected a list of user ids", v)
		}
		values[r.blocked] = r.texts(v)
	}
	if v, ok := attributes.Member("current_platform"); ok {
		values[r.platforms] = r.texts(v)
	}
	if v, ok := attributes.Member("new_session_only"); ok && (v.Bool() || strings.EqualFold(v.Text(), "true")) {
		values[r.newOnly] = matcher.NumberValue(1)
	}
	parts := r.others(attributes)
	switch {
	case r.scan:
		r.scanValues(values, attributes, parts)
	case len(parts) > 0:
		values[r.same] = matcher.TextValue(r.Schema.Intern(strings.Join(parts, ",")))
	}
	return values, nil
}

// texts interns a value as a set of texts, because options are compared as texts. A single
// value is a set of one.
func (r *Ruleset) texts(v jsontree.Value) matcher.Value {
	list := v.Elements()
	if v.Kind() != jsontree.List {
		list = []jsontree.Value{v}
	}
	texts := make([]string, len(list))
	for i, e := range list {
		if texts[i] = e.Text(); e.Kind() != jsontree.Text {
			texts[i] = canonical(e)
		}
	}
	if len(texts) == 0 {
		return matcher.Value{}
	}
	return matcher.SetValue(r.Schema.Set(texts))
}

// others returns each attribute that must be equal as a text, in order.
func (r *Ruleset) others(attributes jsontree.Value) []string {
	var parts []string
	for _, m := range attributes.Members() {
		if m.Value.Kind() == jsontree.Null || m.Value.Kind() == jsontree.Text && m.Value.Text() == "" {
			continue
		}
		declared := slices.ContainsFunc(r.options, func(o option) bool { return o.name == m.Name })
		own := slices.Contains(special, m.Name) && (m.Name != crossPlatform || len(r.options) == 0) && !r.comparesPlatform(m.Name)
		if r.scan && slices.Contains(always, m.Name) {
			continue
		}
		if !slices.Contains(always, m.Name) && (r.freeOthers || declared || own) {
			continue
		}
		parts = append(parts, strconv.Quote(m.Name)+":"+canonical(m.Value))
	}
	slices.Sort(parts)
	return parts
}

// canonical returns a text of a value such that equal values have equal texts.
func canonical(v jsontree.Value) string {
	switch v.Kind() {
	case jsontree.Text:
		return strconv.Quote(v.Text())
	case jsontree.Number:
		if f, ok := v.Float(); ok {
			return strconv.FormatFloat(f+0, 'f', -1, 64)
		}
	case jsontree.List:
		parts := make([]string, len(v.Elements()))
		for i, e := range v.Elements() {
			parts[i] = canonical(e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case jsontree.Struct:
		parts := make([]string, len(v.Members()))
		for i, m := range v.Members() {
			parts[i] = strconv.Quote(m.Name) + ":" + canonical(m.Value)
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.String()
}

// Player reads the data for the rules from a player's attributes. A value that is not a
// number counts as 0, as at the service.
func (r *Ruleset) Player(id string, attributes jsontree.Value) matcher.Player {
	p := matcher.Player{Values: make([]matcher.Value, r.Schema.Columns())}
	p.Values[r.people] = matcher.TextValue(r.Schema.Intern(id))
	for _, n := range r.numbers {
		if v, ok := attributes.Member(n.attribute); ok {
			if f, ok := v.Float(); ok {
				p.Values[n.column] = matcher.NumberValue(f)
			}
		}
	}
	return p
}
