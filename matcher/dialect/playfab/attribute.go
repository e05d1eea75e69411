package playfab

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ohler55/ojg/jp"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Source is where an attribute is stored.
type Source uint8

// Sources of attributes.
const (
	User         Source = iota // the client sends it with the ticket
	PlayerEntity               // an object that the service stores about the player
)

// String returns the source as it is spelled in queues.
func (s Source) String() string { return [...]string{"User", "PlayerEntity"}[s] }

// Attribute is a player attribute that rules read.
type Attribute struct {
	Source Source
	Path   string // as written in the queue
	Kind   matcher.ValueKind
	Column matcher.Column
	// Required is set if a player without the attribute cannot be matched, because a rule neither
	// has a default nor accepts a missing value.
	Required bool

	path path
	rule string // first rule that reads the attribute, for messages
}

// attribute reads the JSON member Attribute of a rule. Rules that read the same attribute share the
// result and its column.
func (r *ruleReader) attribute(kind matcher.ValueKind) *Attribute {
	a := Attribute{Kind: kind, rule: r.TextOr("Name", "")}
	o, ok := r.RequireObject("Attribute", "an object with Path and Source")
	if !ok {
		return &a
	}
	a.Path = o.Text("Path")
	var err error
	if a.path, err = parsePath(a.Path); err != nil {
		if v, ok := o.Get("Path"); ok {
			o.Misfit(v, "Path", err.Error())
		}
	}
	if o.OneOf("Source", User.String(), PlayerEntity.String()) == PlayerEntity.String() {
		a.Source = PlayerEntity
	}
	o.Done()
	return r.current.share(a)
}

// share returns the attribute of the queue that equals a. If there is none, it adds a.
func (q *Queue) share(a Attribute) *Attribute {
	i := slices.IndexFunc(q.Attributes, func(b Attribute) bool {
		return a.Source == b.Source && a.Path == b.Path && a.Kind == b.Kind
	})
	if i < 0 {
		// Include the kind in the column name, because a path that rules read as a number and as a
		// text needs two columns. Lint warns of such a path.
		a.Column = q.Schema.Column(fmt.Sprintf("%s %s %d", a.Source, a.Path, a.Kind))
		i = len(q.Attributes)
		q.Attributes = append(q.Attributes, a)
	}
	return &q.Attributes[i]
}

// reads returns the column of the rule's attribute and the treatment of players who lack it. If
// missingAny is set, they match any other player. Otherwise they have the value byDefault, which is
// null if the rule has no default.
func (r *ruleReader) reads(kind matcher.ValueKind) (column matcher.Column, missingAny bool, byDefault jsontree.Value) {
	attribute := r.attribute(kind)
	missingAny, byDefault = r.missing(attribute)
	return attribute.Column, missingAny, byDefault
}

// missing reads how a rule treats players without its attribute. If the rule does not specify this,
// its default value is used. If there is no default value either, the attribute is required.
// Tickets without a required attribute are refused before they reach the engine, so missingAny then
// has no effect.
func (r *ruleReader) missing(a *Attribute) (missingAny bool, byDefault jsontree.Value) {
	byDefault, hasDefault := r.Get("DefaultAttributeValue")
	if !hasDefault {
		byDefault = jsontree.Value{}
	}
	v, given := r.Get("AttributeNotSpecifiedBehavior")
	switch {
	case v.Text() == "MatchAny":
		return true, byDefault
	case given && v.Text() != "UseDefault":
		r.Misfit(v, "AttributeNotSpecifiedBehavior", "UseDefault or MatchAny")
		return false, jsontree.Value{}
	case !given && hasDefault:
		r.Warnf(r.Value, "AttributeNotSpecifiedBehavior", "missing, read as UseDefault")
	case !given:
		r.Warnf(r.Value, "AttributeNotSpecifiedBehavior", "missing, so tickets without the attribute are refused")
	case !hasDefault:
		r.Warnf(v, "AttributeNotSpecifiedBehavior", "UseDefault without DefaultAttributeValue, so tickets without the attribute are refused")
	}
	if !hasDefault {
		a.Required = true
		return true, jsontree.Value{}
	}
	return false, byDefault
}

// path finds a value in a player's JSON. It first looks up the whole path as a single key, and then
// its steps in nested objects. If the path contains brackets or wildcards, it is a JSONPath query
// instead of steps. The documentation shows paths with and without "$." for both sources of
// attributes.
type path struct {
	whole string
	steps []string
	query jp.Expr // used instead of steps if not nil
}

// pathMax is the maximum length of a path, far above the lengths in the documentation.
const pathMax = 1000

func parsePath(text string) (path, error) {
	steps := strings.TrimPrefix(text, "$.")
	switch {
	case steps == "" || len(text) > pathMax:
		return path{}, fmt.Errorf("a path of 1 to %d characters", pathMax)
	case !strings.ContainsAny(text, "[*") && !strings.Contains(text, ".."):
		return path{whole: text, steps: strings.Split(steps, ".")}, nil
	}
	query, err := jp.ParseString(text)
	if err != nil {
		return path{}, fmt.Errorf("JSONPath such as $.skill.mean (%v)", err)
	}
	return path{whole: text, query: query}, nil
}

// errSeveral is the error for a JSONPath query with several results. The documentation does not say
// which result counts, and some queries do not define the order of results.
var errSeveral = errors.New("the path finds several values, expected at most one")

// find returns the value at the path, or null if it is absent.
func (p *path) find(root jsontree.Value) (v jsontree.Value, err error) {
	if v, ok := root.Member(p.whole); ok {
		return v, nil
	}
	if p.query == nil {
		v, ok := root, true
		for _, step := range p.steps {
			if v, ok = v.Member(step); !ok {
				return v, nil
			}
		}
		return v, nil
	}
	found := p.query.Get(root.Any())
	switch len(found) {
	case 0:
		return v, nil
	case 1:
		text, err := json.Marshal(found[0])
		if err != nil {
			return v, err
		}
		return jsontree.Parse(p.whole, text)
	}
	return v, errSeveral
}

// read returns a player's value of the attribute. The value is missing if the path finds nothing.
func (a *Attribute) read(schema *matcher.Schema, attributes, entity jsontree.Value) (matcher.Value, error) {
	root := attributes
	if a.Source == PlayerEntity {
		root = entity
	}
	v, err := a.path.find(root)
	if err != nil || v.Kind() == jsontree.Null {
		return matcher.Value{}, err
	}
	switch a.Kind {
	case matcher.IsNumber:
		if f, ok := v.Float(); ok {
			return matcher.NumberValue(f), nil
		}
		return matcher.Value{}, fmt.Errorf("got %v, expected a number", v)
	case matcher.IsText:
		if v.Kind() == jsontree.Text {
			return matcher.TextValue(schema.Intern(v.Text())), nil
		}
		return matcher.Value{}, fmt.Errorf("got %v, expected a text", v)
	}
	texts, odd, ok := v.Texts()
	if !ok {
		return matcher.Value{}, fmt.Errorf("got %v, expected a list of texts", odd)
	}
	return matcher.SetValue(schema.Set(texts)), nil
}

// Reads lists the attributes that the rules read. A data column may be named after an attribute's
// path with or without the leading "$.".
func (q *Queue) Reads() []matcher.Read {
	var list []matcher.Read
	for i := range q.Attributes {
		a := &q.Attributes[i]
		names := []string{a.Path}
		if short, cut := strings.CutPrefix(a.Path, "$."); cut {
			names = append(names, short)
		}
		read := matcher.Read{Names: names, Rule: a.rule, Kind: a.Kind, Column: a.Column, Kept: a.Source == PlayerEntity}
		if a.Required {
			read.Refusal = a.missing()
		}
		list = append(list, read)
	}
	return list
}

// HasRegionRule reports whether the queue has a RegionSelectionRule. Such a rule limits the regions
// in which a ticket may be matched.
func (q *Queue) HasRegionRule() bool { return q.latencies != nil }
