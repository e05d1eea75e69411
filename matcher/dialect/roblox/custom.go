package roblox

import (
	"fmt"
	"slices"
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// Kinds of custom signals, which have the same names in both formats.
const (
	playerNumerical   = "PlayerNumerical"
	playerCategorical = "PlayerCategorical"
	serverNumerical   = "ServerNumerical"
	serverCategorical = "ServerCategorical"
)

// format has the names and values of a custom signal's JSON members in one of the two formats.
type format struct {
	exported           bool
	compareTo          string
	numberToJoiner     string
	numberToConstant   string
	textToJoiner       string
	textToConstant     string
	distribution       string
	cluster, diversify string
}

var ownFormat = format{
	compareTo:      "compareTo",
	numberToJoiner: "JoiningPlayer", numberToConstant: "Constant",
	textToJoiner: "JoiningPlayer", textToConstant: "Constant",
	distribution: "distribution", cluster: "Cluster", diversify: "Diversify",
}

// The documentation does not say that PositiveLinear means Cluster. But the name implies that more
// equal players give a higher score, and the dashboard of the service shows Cluster.
var exportFormat = format{
	exported:       true,
	compareTo:      "comparisonType",
	numberToJoiner: "AbsoluteDifferentToPlayer", numberToConstant: "AbsoluteDifferentToConstant",
	textToJoiner: "EqualityToPlayer", textToConstant: "EqualityToConstant",
	distribution: "curveType", cluster: "PositiveLinear", diversify: "NegativeLinear",
}

// customReader reads one custom signal.
type customReader struct {
	*compiler
	*jsontree.Object
	format *format
}

// signal reads a signal of the given kind. It returns nil on error.
func (r *customReader) signal(kind, name string, weight float64) scoring.Signal {
	before := r.problems.Count()
	w := scoring.Weighted{Name: name, Weight: weight}
	var signal scoring.Signal
	switch kind {
	case playerNumerical:
		signal = r.playerNumerical(w)
	case playerCategorical:
		signal = r.playerCategorical(w)
	case serverNumerical:
		signal = r.serverNumerical(w)
	case serverCategorical:
		signal = r.serverCategorical(w)
	}
	if r.problems.Count() > before {
		return nil
	}
	return signal
}

// attribute reads a reference to a declared attribute with one of the given types. If there is an
// error, it returns an attribute without a name.
func (r *customReader) attribute(member string, declared []*Attribute, types ...DataType) *Attribute {
	expected := "the name of a declared attribute of type " + either(types)
	is := func(a *Attribute, v jsontree.Value) bool { return a.Name == v.Text() }
	v, ok := r.Get(member)
	if r.format.exported {
		expected = "the id of an attribute of type " + either(types) + " in its schema"
		is = func(a *Attribute, v jsontree.Value) bool { return a.id != "" && a.id == v.Text() }
		if id, has := v.Member("id"); has {
			v = id
		}
	}
	if !ok {
		r.Missing(member, expected)
		return &Attribute{}
	}
	i := slices.IndexFunc(declared, func(a *Attribute) bool { return is(a, v) })
	switch {
	case i < 0:
		r.Misfit(v, member, expected)
		return &Attribute{}
	case !slices.Contains(types, declared[i].Type):
		r.Misfit(v, member, fmt.Sprintf("%s; %q has type %s", expected, declared[i].Name, declared[i].Type))
	}
	return declared[i]
}

// either formats a choice of types for messages, such as "Bool or String".
func either(types []DataType) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = string(t)
	}
	return strings.Join(words, " or ")
}

func (r *customReader) playerNumerical(w scoring.Weighted) scoring.Signal {
	a := r.attribute("playerAttribute", r.config.PlayerAttributes, Number)
	aggregate, constant := r.aggregation()
	scale := r.Number("maxRelevantDifference", jsontree.Above0)
	to := scoring.Reference{Constant: constant}
	if constant {
		to.Number = r.Number("constantValue", attributeNumbers)
	} else {
		r.allowUnused("constantValue")
	}
	to.Column = a.Column
	return &scoring.PlayersNumber{Weighted: w, Column: a.Column, Aggregate: aggregate, To: to, Scale: scale}
}

// aggregation reads how the players' numbers are aggregated and whether the result is compared with
// a constant. The dashboard allows a constant only with Sum, and the joining player only with
// Average and Median, while the API allows all combinations. So an export may compare Average or
// Median with a constant. Sum with the joining player is an error, because it has no clear meaning.
func (r *customReader) aggregation() (aggregate scoring.Aggregate, constant bool) {
	words := []string{"Average", "Median", "Sum"}
	from, member := r.Object, "aggregation"
	if v, _ := r.Get(member); r.format.exported && v.Kind() == jsontree.Struct {
		from, _ = r.Object.Object(member)
		member = "aggregationFunction"
	}
	word := from.OneOf(member, words...)
	if from != r.Object {
		from.Done()
	}
	constant = r.comparison(r.format.numberToJoiner, r.format.numberToConstant)
	aggregate = scoring.Aggregate(max(0, slices.Index(words, word)))
	v, ok := r.Get(r.format.compareTo)
	switch {
	case word == "" || !ok:
	case aggregate == scoring.SumNumber && !constant:
		at, _ := from.Get(member)
		from.Misfit(at, member, fmt.Sprintf("Average or Median with %s %v, because Sum is compared only with a constant", r.format.compareTo, v))
	case aggregate != scoring.SumNumber && constant && r.format.exported:
		r.Warnf(v, r.format.compareTo, "the dashboard allows %s only with the joining player; mmsim compares the %s of the players on the server with the constant", word, strings.ToLower(word))
	case aggregate != scoring.SumNumber && constant:
		at, _ := from.Get(member)
		from.Misfit(at, member, fmt.Sprintf("Sum with %s %v, because Average and Median are compared only with JoiningPlayer", r.format.compareTo, v))
	}
	return aggregate, constant
}

// comparison reports whether the signal compares with a constant.
func (r *customReader) comparison(joiner, constant string) bool {
	return r.OneOf(r.format.compareTo, joiner, constant) == constant
}

// allowUnused accepts JSON members of an export that have no effect, because the dashboard writes
// them. In our format, they are errors.
func (r *customReader) allowUnused(members ...string) {
	if r.format.exported {
		r.Ignore(members...)
	}
}

func (r *customReader) playerCategorical(w scoring.Weighted) scoring.Signal {
	a := r.attribute("playerAttribute", r.config.PlayerAttributes, String, Bool)
	word := r.OneOf(r.format.distribution, r.format.cluster, r.format.diversify)
	if _, ok := r.Get(r.format.compareTo); ok && !r.format.exported {
		r.OneOf(r.format.compareTo, r.format.textToJoiner) // the only possible value
	}
	return &scoring.PlayersShare{Weighted: w, Column: a.Column, Others: word == r.format.diversify}
}

func (r *customReader) serverNumerical(w scoring.Weighted) scoring.Signal {
	a := r.attribute("serverAttribute", r.config.ServerAttributes, Number)
	to := r.reference(r.comparison(r.format.numberToJoiner, r.format.numberToConstant), Number)
	if to.Constant {
		to.Number = r.Number("constantValue", attributeNumbers)
	}
	scale := r.Number("maxRelevantDifference", jsontree.Above0)
	return &scoring.ServerNumber{Weighted: w, Column: a.Column, To: to, Scale: scale}
}

// reference returns what a signal about servers compares with: a constant, which the caller reads, or
// an attribute of the joining player.
func (r *customReader) reference(constant bool, types ...DataType) scoring.Reference {
	if constant {
		r.allowUnused("playerAttribute")
		return scoring.Reference{Constant: true}
	}
	r.allowUnused("constantValue")
	return scoring.Reference{Column: r.joinerColumn(types...)}
}

// joinerColumn reads the attribute of the joining player that a signal compares with. It reads
// nothing if the JSON member that selects the comparison is invalid, so that one mistake causes
// only one error.
func (r *customReader) joinerColumn(types ...DataType) matcher.Column {
	if v, ok := r.Get(r.format.compareTo); !ok || v.Text() != r.format.numberToJoiner && v.Text() != r.format.textToJoiner {
		r.Ignore("playerAttribute", "constantValue")
		return 0
	}
	return r.attribute("playerAttribute", r.config.PlayerAttributes, types...).Column
}

func (r *customReader) serverCategorical(w scoring.Weighted) scoring.Signal {
	a := r.attribute("serverAttribute", r.config.ServerAttributes, String, Bool)
	to := r.reference(r.comparison(r.format.textToJoiner, r.format.textToConstant), String, Bool)
	if to.Constant {
		to.Text = r.constantText(a)
	}
	return &scoring.ServerText{Weighted: w, Column: a.Column, To: to}
}

// constantText reads a constant. The service writes it as a text, even for an attribute of type
// Bool.
func (r *customReader) constantText(a *Attribute) matcher.Text {
	v, ok := r.Get("constantValue")
	if !ok {
		r.Missing("constantValue", "a text, or true or false")
		return 0
	}
	text := v.Text()
	switch v.Kind() {
	case jsontree.Text:
		r.checkLength(r.Object, v, "constantValue")
	case jsontree.Bool:
		text = boolText(v.Bool())
	default:
		r.Misfit(v, "constantValue", "a text, or true or false")
	}
	if a.Type == Bool && text != "true" && text != "false" {
		r.Warnf(v, "constantValue", "attribute %q is a Bool and never has the value %q, so the signal is always 0", a.Name, text)
	}
	return r.config.Schema.Intern(text)
}

// ownSignal reads an entry of signals in our format.
func (c *compiler) ownSignal(o *jsontree.Object) {
	name := o.Text("signal")
	at, ok := o.Get("signal")
	if !ok || at.Kind() != jsontree.Text {
		return
	}
	label := "signal " + at.String()
	o.Relabel(label)
	weight := o.Number("weight", jsontree.AtLeast0)
	o.TextOr("description", "")
	if !o.Has("type") {
		c.ownBuiltIn(o, at, name, weight)
		return
	}
	c.customName(o, at, "signal", name)
	kind := o.OneOf("type", playerNumerical, playerCategorical, serverNumerical, serverCategorical)
	r := customReader{compiler: c, Object: o, format: &ownFormat}
	signal := r.signal(kind, name, weight)
	if kind != "" {
		o.Done()
	}
	if signal != nil {
		c.add(entry{o.Value, label, name, nil, weight}, signal)
	}
}

// ownBuiltIn reads an entry in our format for one of the service's own signals.
func (c *compiler) ownBuiltIn(o *jsontree.Object, at jsontree.Value, name string, weight float64) {
	b := builtInNamed(name)
	if b == nil {
		o.Ignore("type")
		o.Misfit(at, "signal", "one of Roblox's signals, or a custom signal with a type"+nearest(name))
		return
	}
	scale := b.factorIn(c.revision)
	if b.factor == 0 {
		o.Forbid("normalizingFactor", "the signal is a ratio")
	} else {
		scale = o.NumberOr("normalizingFactor", scale, jsontree.Above0)
	}
	o.Done()
	c.addBuiltIn(o.Value, at, name, b, weight, scale)
}

// addBuiltIn adds one of the service's own signals. If it was already added, it records an error.
func (c *compiler) addBuiltIn(v, at jsontree.Value, name string, b *builtIn, weight, scale float64) {
	label := "signal " + jsontree.Quote(name)
	switch {
	case b.weights[c.revision] == absent:
		c.problems.Errorf(at, "%s: revision %s does not have this signal, expected revision %s or later", label, revisions[c.revision], revisions[textChatRevision])
	case slices.ContainsFunc(c.config.entries, func(e entry) bool { return e.builtIn == b }):
		c.problems.Errorf(at, "%s: the signal is listed twice, expected each signal once%s", label, b.aliases())
	default:
		weight = c.weightInPlace(at, b, weight)
		c.add(entry{v, label, b.label, b, weight}, b.signal(c.revision, c.config.column(b.needs), weight, scale))
	}
}

// customName checks the name of a custom signal.
func (c *compiler) customName(o *jsontree.Object, at jsontree.Value, member, name string) {
	most, customs := c.limit(customSignalsMax), 1
	for _, e := range c.config.entries {
		if e.builtIn != nil {
			continue
		}
		if customs++; e.name == name {
			o.Misfit(at, member, "a unique name")
		}
	}
	switch b := builtInNamed(name); {
	case name == "":
		o.Misfit(at, member, "a name that is not empty")
	case b != nil:
		o.Misfit(at, member, fmt.Sprintf("another name, because %s is one of Roblox's signals", b.label))
	case customs > most:
		c.problems.Errorf(at, "%sgot %d custom signals, expected at most %d%s", o.Label(""), customs, most, c.liftHint())
	}
}
