package accelbyte

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// blockedPlayers is the ticket attribute that lists the ids of the players whom the ticket blocks.
const blockedPlayers = "blocked_players"

// reserved are ticket attributes with a fixed meaning. Tickets in the same match may have different
// values of them.
var reserved = []string{
	blockedPlayers, "blocked_players_detail", "new_session_only", crossPlatform, "current_platform",
	"sub_game_mode", "role", "latencies", "member_attributes", "match_attempt",
}

// alwaysEqual are ticket attributes that must be equal under every ruleset.
var alwaysEqual = []string{"server_name", "client_version"}

// Values converts the attributes of a ticket or a session to the values that the rules read.
//
// All attributes of tickets in a match must be equal, except reserved attributes and the options
// that match_options declares. cross_platform must also be equal if match_options declares other
// options but not cross_platform. If match_options_referred_for_backfill is set, only the
// attributes in alwaysEqual must be equal. An empty text counts as absent. In the service, a newer
// ticket must have the attributes of the older one. According to the documentation, both must have
// the same attributes. If the service refuses the ticket, Values returns an error with the reason.
func (r *Ruleset) Values(attributes jsontree.Value) ([]matcher.Value, error) {
	values := make([]matcher.Value, r.Schema.Columns())
	for _, option := range r.options {
		if v, ok := attributes.Member(option.name); ok && option.column != matcher.NoColumn {
			values[option.column] = r.texts(v)
		}
	}
	if v, ok := attributes.Member(blockedPlayers); ok {
		for _, e := range v.Elements() {
			if e.Kind() != jsontree.Text {
				return nil, fmt.Errorf("blocked_players: got %v in the list, expected a user id", e)
			}
		}
		if v.Kind() != jsontree.List && v.Kind() != jsontree.Text {
			return nil, fmt.Errorf("blocked_players: got %v, expected a list of user ids", v)
		}
		values[r.Rules.Pivot.Blocked] = r.texts(v)
	}
	if v, ok := attributes.Member("current_platform"); ok {
		values[r.platforms] = r.texts(v)
	}
	if v, ok := attributes.Member("new_session_only"); ok && (v.Bool() || strings.EqualFold(v.Text(), "true")) {
		values[r.Rules.Pivot.NewOnly] = matcher.NumberValue(1)
	}
	parts := r.others(attributes)
	switch {
	case r.service:
		r.serviceValues(values, attributes, parts)
	case len(parts) > 0:
		values[r.same] = matcher.TextValue(r.Schema.Intern(strings.Join(parts, ",")))
	}
	return values, nil
}

// ofTicket reports whether an attribute is a match option, or has a fixed meaning, as an attribute
// of a ticket. The attribute of a matching rule belongs to players, even if an option has its name.
func (r *Ruleset) ofTicket(name string) bool {
	if slices.ContainsFunc(r.numbers, func(n number) bool { return n.attribute == name }) {
		return false
	}
	fixed := []string{blockedPlayers, "new_session_only", crossPlatform, "current_platform"}
	return slices.ContainsFunc(r.options, func(o option) bool { return o.name == name }) || slices.Contains(fixed, name) || slices.Contains(alwaysEqual, name)
}

// texts returns a value as a set of texts, because options are compared as texts. A single value
// becomes a set with one element.
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

// others returns the attributes that must be equal, sorted, each as a text of the form
// "NAME":VALUE.
func (r *Ruleset) others(attributes jsontree.Value) []string {
	var parts []string
	for _, m := range attributes.Members() {
		if m.Value.Kind() == jsontree.Null || m.Value.Kind() == jsontree.Text && m.Value.Text() == "" {
			continue
		}
		declared := slices.ContainsFunc(r.options, func(o option) bool { return o.name == m.Name })
		own := slices.Contains(reserved, m.Name) && (m.Name != crossPlatform || len(r.options) == 0) && !r.comparesPlatform(m.Name)
		if r.service && slices.Contains(alwaysEqual, m.Name) {
			continue
		}
		if !slices.Contains(alwaysEqual, m.Name) && (r.freeOthers || declared || own) {
			continue
		}
		parts = append(parts, strconv.Quote(m.Name)+":"+canonical(m.Value))
	}
	slices.Sort(parts)
	return parts
}

// canonical returns a text for a value. Equal values have equal texts, even if they are written
// differently.
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

// Player converts a player's attributes to the values that the rules read. As in the service, a
// value that is not a number counts as 0.
func (r *Ruleset) Player(id string, attributes jsontree.Value) matcher.Player {
	p := matcher.Player{Values: make([]matcher.Value, r.Schema.Columns())}
	p.Values[r.Rules.Pivot.People] = matcher.TextValue(r.Schema.Intern(id))
	for _, n := range r.numbers {
		if v, ok := attributes.Member(n.attribute); ok {
			if f, ok := v.Float(); ok {
				p.Values[n.column] = matcher.NumberValue(f)
			}
		}
	}
	return p
}

// Reads lists the ticket and player attributes that the rules read. If players have the attribute
// blocked_players, a ticket has the lists of all its players, and the rules also read player ids.
func (r *Ruleset) Reads() []matcher.Read {
	var list []matcher.Read
	for _, n := range r.numbers {
		list = append(list, matcher.Read{Names: []string{n.attribute}, Rule: "matching_rule " + n.attribute, Kind: matcher.IsNumber, Column: n.column})
	}
	for _, o := range r.options {
		if o.column != matcher.NoColumn {
			list = append(list, matcher.Read{Names: []string{o.name}, Rule: "match_options " + o.name, Kind: matcher.IsSet, Column: o.column, Ticket: true})
		}
	}
	if slices.ContainsFunc(r.Rules.Pivot.Options, func(o matcher.PivotOption) bool { return o.Own == r.platforms }) {
		list = append(list, matcher.Read{Names: []string{"current_platform"}, Rule: "match_options " + crossPlatform, Kind: matcher.IsSet, Column: r.platforms, Ticket: true})
	}
	for i, name := range alwaysEqual {
		column := r.same
		if r.service {
			column = r.Rules.Pivot.InTurn.Equal[i]
		}
		list = append(list, matcher.Read{Names: []string{name}, Rule: name, Kind: matcher.IsText, Column: column, Ticket: true, Joined: true})
	}
	if r.Rules.Pivot.Blocking != matcher.IgnoreBlocks {
		list = append(list,
			matcher.Read{Names: []string{blockedPlayers}, Rule: blockedPlayers, Kind: matcher.IsSet, Column: r.Rules.Pivot.Blocked, Ticket: true, Union: true, Optional: true},
			matcher.Read{Names: []string{"player_id"}, Rule: blockedPlayers, Kind: matcher.IsText, Column: r.Rules.Pivot.People, Identity: true, Needs: blockedPlayers})
	}
	return append(list, matcher.Read{Names: []string{"new_session_only"}, Rule: "new_session_only", Kind: matcher.IsText, Column: r.Rules.Pivot.NewOnly, Ticket: true, Flag: true})
}

// CheckSize returns an error if a ticket has more players than the largest team can have.
func (r *Ruleset) CheckSize(players int) error {
	most := 0
	for _, s := range r.Rules.Pivot.Sizes {
		if s.MaxTeams == 1 && s.MaxPlayers == 1 {
			return nil // every ticket is a match of its own
		}
		most = max(most, s.MaxPlayers)
	}
	if players > most {
		return matcher.Refusal(fmt.Sprintf("%s in the ticket, but the largest team has room for only %d", jsontree.Count(players, "player"), most))
	}
	return nil
}

// HasRegionRule reports whether the rules limit the regions of a ticket, which is the case if the
// ruleset has a key that begins with region_.
func (r *Ruleset) HasRegionRule() bool {
	return slices.ContainsFunc(r.value.Members(), func(m jsontree.Member) bool {
		return strings.HasPrefix(strings.ToLower(m.Name), "region_") && m.Value.Kind() != jsontree.Null
	})
}

// crossPlatform is an option with a special meaning: its values must contain the current_platform
// of every other ticket in the match.
const crossPlatform = "cross_platform"

// matchOptions reads match_options.
func (c *compiler) matchOptions(o *jsontree.Object) {
	c.set.freeOthers = o.BoolOr("match_options_referred_for_backfill", false)
	options, ok := o.Object("match_options")
	if !ok {
		return
	}
	for _, entry := range options.Entries("options", entriesMax) {
		c.matchOption(entry)
		entry.Done()
	}
	options.Done()
}

// matchOption reads one entry of match_options.
func (c *compiler) matchOption(o *jsontree.Object) {
	v, ok := o.Get("name")
	name := v.Text()
	if !ok {
		o.Missing("name", "the name of a parameter")
	} else if name == "" || utf8.RuneCountInString(name) > nameMax {
		o.Misfit(v, "name", fmt.Sprintf("a name of 1 to %d characters", nameMax))
	}
	compiled := matcher.PivotOption{Name: "match_options " + name, Column: c.set.Schema.Column("ticket " + name), Own: matcher.NoColumn}
	kinds := map[string]matcher.OptionKind{"all": matcher.SameSet, "any": matcher.SharedValue, "unique": matcher.NoRepeat}
	kind := o.OneOf("type", "all", "any", "unique", "disable")
	if kind == "" {
		return
	}
	if kind == "disable" {
		compiled.Column = matcher.NoColumn
	} else {
		if compiled.Kind = kinds[kind]; kind == "any" && name == crossPlatform {
			compiled.Own = c.set.platforms
		}
		c.pivot.Options = append(c.pivot.Options, compiled)
	}
	c.set.options = append(c.set.options, option{name, compiled.Column})
}
