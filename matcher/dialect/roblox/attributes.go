package roblox

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// DataType is the type of an attribute.
type DataType string

// Data types. A Bool is stored as the text "true" or "false", because the service represents
// constants as texts. Custom attributes cannot be lists.
const (
	Bool   DataType = "Bool"
	Number DataType = "Number"
	String DataType = "String"
	list   DataType = "List"
)

// Attribute is a custom attribute of players or servers, or a built-in attribute of players.
type Attribute struct {
	Name    string
	Type    DataType
	Column  matcher.Column // column of players or of servers
	Default matcher.Value  // value if the attribute is absent; missing if From is set
	// From is a player attribute, or nil. If it is set, the default of this server attribute is the
	// value of From for the first player on the server.
	From *Attribute

	id      string // id of the attribute in an export
	at      jsontree.Value
	builtIn bool
}

// playMinutes is an attribute that data may contain instead of playHistory. Both have the same column.
const playMinutes = "playMinutes28d"

// builtInAttributes returns the built-in attributes of players by playerValue, and then playMinutes.
func builtInAttributes(schema *matcher.Schema) (all []*Attribute) {
	for v, kind := range [playerValues]DataType{age: Number, playHistory: Number, language: String, deviceType: String, voiceChat: Bool, textChatGroups: list} {
		name := playerValueNames[v]
		all = append(all, &Attribute{Name: name, Type: kind, Column: schema.Column(playerColumn(name)), builtIn: true})
	}
	return append(all, &Attribute{Name: playMinutes, Type: Number, Column: all[playHistory].Column, builtIn: true})
}

// column returns the column of a built-in attribute.
func (c *Config) column(v playerValue) matcher.Column { return c.builtIn[v].Column }

// historySteps is the number of steps per unit to which logarithms are rounded, because their last
// bits differ between machines.
const historySteps = 1e9

// reserved are the names of built-in attributes of players and servers. Custom attributes must not
// use these names.
var reserved = slices.Concat(playerValueNames[:], []string{
	"playMinutes28d", "friends", "ip", "matchmakingType", "latencies",
	"capacity", "region", "serverType", "shuttingDown",
})

func playerColumn(name string) string { return "player " + name }
func serverColumn(name string) string { return "server " + name }

// attributes reads the attribute declarations of an owner, "player" or "server". They are in our
// format or in an export (playerAttributeSchema, serverAttributeSchema).
func (c *compiler) attributes(from *jsontree.Object, owner string, exported bool) []*Attribute {
	member := owner
	if exported {
		member += "AttributeSchema"
	}
	list := from.List(member)
	most := c.limit(attributesMax)
	if len(list) > most {
		c.problems.Errorf(list[most], "%s: got %d %s attributes, expected at most %d%s", from.Label(member), len(list), owner, most, c.liftHint())
		return nil
	}
	var attributes []*Attribute
	seen := map[string]bool{}
	for _, o := range from.Entries(member, most) {
		if name, ok := o.Value.Member("name"); ok && name.Kind() == jsontree.Text {
			o.Relabel(fmt.Sprintf("%s attribute %s", owner, name))
		}
		attributes = append(attributes, c.attribute(o, owner, exported, seen))
	}
	return attributes
}

// limit returns a limit of the service, or that of this package if the limits are lifted.
func (c *compiler) limit(most int) int {
	if !c.limits {
		return liftedMax
	}
	return most
}

// liftHint returns the part of a message that says how to lift the limits of the service.
func (c *compiler) liftHint() string {
	if !c.limits {
		return ""
	}
	return ` (a limit of the service; "deployLimits": false lifts it)`
}

// attribute reads one declaration.
func (c *compiler) attribute(o *jsontree.Object, owner string, exported bool, seen map[string]bool) *Attribute {
	a := &Attribute{Name: o.Unique("name", seen), at: o.Value}
	if v, _ := o.Get("name"); slices.Contains(reserved, a.Name) {
		o.Misfit(v, "name", "another name, because this one is a built-in attribute of players or servers")
	} else {
		c.checkLength(o, v, "name")
	}
	a.Type = DataType(o.OneOf("dataType", string(Bool), string(Number), string(String)))
	column := serverColumn(a.Name)
	if owner == "player" {
		column = playerColumn(a.Name)
	}
	a.Column = c.config.Schema.Column(column)
	if exported {
		a.id = o.TextOr("id", "")
		c.exportedDefault(o, a, owner)
		o.Ignore("universeId", "attributeValueLocation", "createdTime", "updatedTime")
	} else {
		c.ownDefault(o, a, owner)
		o.TextOr("description", "")
	}
	o.Done()
	return a
}

// checkLength checks the length of a name or value, which the service limits.
func (c *compiler) checkLength(o *jsontree.Object, v jsontree.Value, member string) {
	if n := utf8.RuneCountInString(v.Text()); c.limits && n > nameMax {
		o.Misfit(v, member, fmt.Sprintf("at most %d characters; it has %d%s", nameMax, n, c.liftHint()))
	}
}

// ownDefault reads a default in our format. It is a constant or, for a server attribute only, it
// may be {"playerAttribute": NAME}.
func (c *compiler) ownDefault(o *jsontree.Object, a *Attribute, owner string) {
	v, ok := o.Get("defaultValue")
	if !ok {
		o.Missing("defaultValue", "the value of a "+owner+" without the attribute")
		return
	}
	if owner == "server" && v.Kind() == jsontree.Struct {
		reference, _ := o.Object("defaultValue")
		name := reference.Text("playerAttribute")
		if named, ok := reference.Get("playerAttribute"); ok && named.Kind() == jsontree.Text {
			c.refer(reference, named, "playerAttribute", a, func(b *Attribute) bool { return b.Name == name })
		}
		reference.Done()
		return
	}
	c.constant(o, v, "defaultValue", a)
}

// constant reads a constant as the default of an attribute.
func (c *compiler) constant(o *jsontree.Object, v jsontree.Value, member string, a *Attribute) {
	if a.Type == "" {
		return // already reported
	}
	value, ok := a.read(c.config.Schema, v)
	if !ok || a.Type == Bool && v.Kind() != jsontree.Bool {
		o.Misfit(v, member, a.expected())
		return
	}
	c.checkLength(o, v, member)
	a.Default = value
}

// refer reads a reference to a player attribute as the default of a server attribute.
func (c *compiler) refer(o *jsontree.Object, v jsontree.Value, member string, a *Attribute, is func(*Attribute) bool) {
	i := slices.IndexFunc(c.config.PlayerAttributes, is)
	switch {
	case i < 0:
		o.Misfit(v, member, "a declared player attribute")
	case c.config.PlayerAttributes[i].Type != a.Type:
		o.Misfit(v, member, fmt.Sprintf("a player attribute of type %s; this one has type %s", a.Type, c.config.PlayerAttributes[i].Type))
	default:
		a.From = c.config.PlayerAttributes[i]
	}
}

// exportedDefault reads a default in an export, which is a value with its type. For a server
// attribute, it is inside an object with a sourceCase.
func (c *compiler) exportedDefault(o *jsontree.Object, a *Attribute, owner string) {
	outer, ok := o.RequireObject("defaultValue", "the value of a "+owner+" without the attribute")
	if !ok {
		return
	}
	if owner == "player" {
		c.exportedValue(outer, a)
		return
	}
	switch outer.OneOf("sourceCase", "Constant", "PlayerAttributeReference") {
	case "Constant":
		if constant, ok := outer.RequireObject("constant", "a value"); ok {
			c.exportedValue(constant, a)
		}
		outer.Ignore("playerAttributeReference")
	case "PlayerAttributeReference":
		// Accept both forms: the API returns an object with an id, and the dashboard sends only the
		// id.
		v, ok := outer.Get("playerAttributeReference")
		if id, is := v.Member("id"); is {
			v = id
		}
		if ok {
			c.refer(outer, v, "playerAttributeReference", a, func(b *Attribute) bool { return b.id != "" && b.id == v.Text() })
		} else {
			outer.Missing("playerAttributeReference", "the id of a player attribute")
		}
		outer.Ignore("constant")
	}
	outer.Done()
}

// exportedValue reads a value with its type, such as {"stringValue": …, "type": "String"}.
func (c *compiler) exportedValue(o *jsontree.Object, a *Attribute) {
	members := map[DataType]string{Bool: "boolValue", Number: "numericValue", String: "stringValue"}
	member := members[a.Type]
	if v, ok := o.Get(member); ok {
		c.constant(o, v, member, a)
	} else if a.Type != "" {
		o.Missing(member, a.expected())
	}
	if v, ok := o.Get("type"); ok && a.Type != "" && v.Text() != string(a.Type) {
		o.Misfit(v, "type", fmt.Sprintf("%s, the dataType of the attribute", a.Type))
	}
	o.Ignore("boolValue", "numericValue", "stringValue")
	o.Done()
}

// expected describes the values that the attribute accepts.
func (a *Attribute) expected() string {
	switch a.Type {
	case Bool:
		return "true or false"
	case Number:
		return a.limits().String()
	}
	return "a text"
}

// read reads a value of the attribute. An empty text is a missing value of a built-in attribute.
func (a *Attribute) read(schema *matcher.Schema, v jsontree.Value) (matcher.Value, bool) {
	switch a.Type {
	case Bool:
		if v.Kind() == jsontree.Bool {
			return matcher.TextValue(schema.Intern(boolText(v.Bool()))), true
		}
		word := strings.ToLower(v.Text()) // data columns contain texts, not bools
		return matcher.TextValue(schema.Intern(word)), word == "true" || word == "false"
	case Number:
		x, ok := v.Float()
		return a.number(x), ok && a.limits().Allow(x)
	}
	if a.builtIn && v.Text() == "" {
		return matcher.Value{}, v.Kind() == jsontree.Text
	}
	return matcher.TextValue(schema.Intern(v.Text())), v.Kind() == jsontree.Text
}

// number returns the value of the attribute for a number.
func (a *Attribute) number(x float64) matcher.Value {
	if a.Name == playMinutes {
		x = logMinutes(x)
	}
	return matcher.NumberValue(x)
}

// logMinutes converts minutes played to playHistory. The logarithm of 0 is undefined, so anything
// below one minute counts as one minute.
func logMinutes(minutes float64) float64 {
	return math.Round(math.Log10(max(1, minutes))*historySteps) / historySteps
}

// limits returns the limits of a number.
func (a *Attribute) limits() jsontree.Limits {
	if a.builtIn {
		return builtInNumbers
	}
	return attributeNumbers
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// Limits of the numbers in custom attributes and in built-in attributes.
var (
	attributeNumbers = jsontree.Limits{Least: -scoring.MaxNumber, Most: scoring.MaxNumber}
	builtInNumbers   = jsontree.Limits{Most: scoring.MaxNumber}
)
