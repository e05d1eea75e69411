package config

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/population"
)

// generator describes how one kind of generator is read and written.
type generator struct {
	name  string
	form  string // for help
	about string // one line, for help
	read  func(n yamltree.Node, path string) (population.Generator, error)
	write func(g population.Generator) (parts any, ok bool) // ok reports that g is of this kind

	schema func() schema.Schema // of the parts
}

// Ranges of parameters: far beyond sensible values, so that a typing error is reported.
var (
	anyNumber = value.Limits{Low: -1e12, High: 1e12}
	above0    = value.Limits{High: 1e12, LowOpen: true}
)

// generators are all kinds of generators.
var generators = []generator{
	parameters("normal", "{mean: 1500, sd: 300, min: 0, max: 3000}", "min and max optional; beyond them there is nothing, and nothing piles up there",
		population.Normal{Min: math.Inf(-1), Max: math.Inf(1)}, func(g *population.Normal) []parameter {
			return []parameter{
				{"mean", value.Number(&g.Mean, anyNumber), false}, {"sd", value.Number(&g.SD, above0), false},
				{"min", value.Number(&g.Min, anyNumber), true}, {"max", value.Number(&g.Max, anyNumber), true},
			}
		}),
	parameters("lognormal", "{median: 20, sigma: 0.5, min: 0, max: 100}", "sigma of the natural logarithm; or mean and sd; min and max optional",
		population.LogNormal{Max: math.Inf(1)}, func(g *population.LogNormal) []parameter {
			return []parameter{
				{"median", value.Number(&g.Median, above0), true}, {"sigma", value.Number(&g.Sigma, value.Limits{High: 10, LowOpen: true}), true},
				{"mean", value.Number(&g.Mean, above0), true}, {"sd", value.Number(&g.SD, above0), true},
				{"min", value.Number(&g.Min, value.Limits{High: 1e12}), true}, {"max", value.Number(&g.Max, above0), true},
			}
		}),
	parameters("uniform", "{min: 0, max: 100}", "any number between",
		population.Uniform{}, func(g *population.Uniform) []parameter {
			return []parameter{{"min", value.Number(&g.Min, anyNumber), false}, {"max", value.Number(&g.Max, anyNumber), false}}
		}),
	{"constant", "5", "a number, a text or a list: the same for everybody", readConstant, writeConstant, constantSchema},
	{"choice", `{"1.4": 0.9, "1.5": 0.1}`, "a text, by weight; numbers with kind: number beside choice", readChoice, writeChoice, choiceSchema},
	parameters("subset", "{of: [dust, mill, port], min: 1, max: 3}", "a list of min to max of the items, every length as likely",
		population.Subset{}, func(g *population.Subset) []parameter {
			return []parameter{
				{"of", value.Texts(&g.Of), false},
				{"min", value.Whole(&g.Min, 0, population.MaxSubsetItems), false}, {"max", value.Whole(&g.Max, 1, population.MaxSubsetItems), false},
			}
		}),
	{"by_country", "{FR: fr, BR: pt, default: en}", "a text, by where the player lives", readByCountry, writeByCountry, byCountrySchema},
	parameters("graph", "{mean: 6, same_continent: 0.9}", "of friends only: mean number, and share chosen on the own continent; the rest is chosen anywhere",
		population.Graph{}, func(g *population.Graph) []parameter {
			return []parameter{
				{"mean", value.Number(&g.Mean, value.Limits{High: population.MaxFriends, LowOpen: true}), false},
				{"same_continent", value.Number(&g.SameContinent, value.Limits{High: 1}), false},
			}
		}),
}

func generatorNames() []string {
	names := make([]string, len(generators))
	for i, g := range generators {
		names[i] = g.name
	}
	return names
}

// generatorNamed returns the generator of that name, nil for none.
func generatorNamed(name string) *generator {
	i := slices.IndexFunc(generators, func(g generator) bool { return g.name == name })
	if i < 0 {
		return nil
	}
	return &generators[i]
}

// parameter is one key of a generator.
type parameter struct {
	key string
	value.Value
	optional bool
}

// parameters returns a generator whose keys are parameters; start has their default values.
func parameters[T population.Generator](name, form, about string, start T, of func(*T) []parameter) generator {
	return generator{
		name: name, form: form, about: about,
		read: func(n yamltree.Node, path string) (population.Generator, error) {
			g := start
			err := readParameters(n, path, of(&g))
			return g, err
		},
		write: func(other population.Generator) (any, bool) {
			g, ok := other.(T)
			if !ok {
				return nil, false
			}
			var parts yaml.MapSlice
			unwritten := start
			for i, p := range of(&g) {
				if written := p.Write(); !p.optional || written != of(&unwritten)[i].Write() {
					parts = append(parts, yaml.MapItem{Key: p.key, Value: written})
				}
			}
			return parts, true
		},
		schema: func() schema.Schema { return parametersSchema(of(&start)) },
	}
}

// readParameters reads the keys of a generator.
func readParameters(n yamltree.Node, path string, list []parameter) error {
	keys := make([]string, len(list))
	for i, p := range list {
		keys[i] = p.key
	}
	if n.Kind != yamltree.Mapping {
		return n.Errorf("%sgot %s, expected a mapping with some of the keys %s", n.From.About(path), n, strings.Join(keys, ", "))
	}
	given := make([]bool, len(list))
	for _, e := range n.Entries {
		i := slices.Index(keys, e.Key.Text)
		if i < 0 {
			return e.Key.Errorf("unknown key %q%s", path+"."+e.Key.Text, input.DidYouMean(e.Key.Text, keys))
		}
		given[i] = true
		if err := list[i].ReadAt(path+"."+e.Key.Text, e.Value); err != nil {
			return err
		}
	}
	for i, p := range list {
		if !p.optional && !given[i] {
			return n.Errorf("%s%s is missing, expected %s", n.From.About(path), p.key, p.Expects)
		}
	}
	return nil
}

// readConstant reads a value as a number if it looks like one, unless it is quoted.
func readConstant(n yamltree.Node, path string) (population.Generator, error) {
	g := population.Constant{Kind: datasets.Text}
	v := value.Value{
		Expects: "a number" + anyNumber.String() + ", a text or a list of texts",
		Read: func(n yamltree.Node) error {
			if n.Kind == yamltree.List {
				g.Kind = datasets.List
				return value.Texts(&g.Items).Read(n)
			}
			if n.Kind == yamltree.Plain && value.IsDecimal(n.Text) {
				if _, err := strconv.ParseFloat(n.Text, 64); err == nil || errors.Is(err, strconv.ErrRange) {
					g.Kind = datasets.Number
					return value.Number(&g.Number, anyNumber).Read(n)
				}
			}
			g.Items = make([]string, 1)
			return value.Text(&g.Items[0]).Read(n)
		},
	}
	err := v.ReadAt(path, n)
	return g, err
}

func writeConstant(other population.Generator) (any, bool) {
	g, ok := other.(population.Constant)
	switch {
	case !ok:
		return nil, false
	case g.Kind == datasets.Number:
		return g.Number, true
	case g.Kind == datasets.List:
		return value.Texts(&g.Items).Write(), true
	}
	return value.Text(&g.Items[0]).Write(), true
}

func readChoice(n yamltree.Node, path string) (population.Generator, error) {
	g := population.Choice{Kind: datasets.Text}
	if n.Kind != yamltree.Mapping {
		return g, n.Errorf("%sgot %s, expected a mapping of texts to weights", n.From.About(path), n)
	}
	for _, e := range n.Entries {
		if e.Key.Text == "" || !value.Printable(e.Key.Text) {
			return g, e.Key.Errorf("%sgot %s, expected a text that prints", n.From.About(path), e.Key)
		}
		var weight float64
		if err := value.Number(&weight, value.Limits{High: atlas.MaxWeight}).ReadAt(path+"."+e.Key.Text, e.Value); err != nil {
			return g, err
		}
		g.Values, g.Weights = append(g.Values, e.Key.Text), append(g.Weights, weight)
	}
	return g, nil
}

func writeChoice(other population.Generator) (any, bool) {
	g, ok := other.(population.Choice)
	var parts yaml.MapSlice
	for i, value := range g.Values {
		parts = append(parts, yaml.MapItem{Key: value, Value: g.Weights[i]})
	}
	return parts, ok
}

// defaultCountry is the key for all countries that are not listed.
const defaultCountry = "default"

func readByCountry(n yamltree.Node, path string) (population.Generator, error) {
	var g population.ByCountry
	if n.Kind != yamltree.Mapping {
		return g, n.Errorf("%sgot %s, expected a mapping of countries to texts", n.From.About(path), n)
	}
	for _, e := range n.Entries {
		var word string
		if err := value.Text(&word).ReadAt(path+"."+e.Key.Text, e.Value); err != nil {
			return g, err
		}
		if e.Key.Text == defaultCountry {
			g.Default = word
			continue
		}
		code, ok := datasets.ParseCountry(e.Key.Text)
		if !ok || slices.Contains(g.Countries, code) {
			return g, e.Key.Errorf("%sgot %s, expected two letters of ISO 3166 such as FR, each country once, or %s",
				n.From.About(path), e.Key, defaultCountry)
		}
		g.Countries, g.Texts = append(g.Countries, code), append(g.Texts, word)
	}
	return g, nil
}

func writeByCountry(other population.Generator) (any, bool) {
	g, ok := other.(population.ByCountry)
	var parts yaml.MapSlice
	for i, country := range g.Countries {
		parts = append(parts, yaml.MapItem{Key: country.String(), Value: value.EscapedText(g.Texts[i])})
	}
	if g.Default != "" {
		parts = append(parts, yaml.MapItem{Key: defaultCountry, Value: value.EscapedText(g.Default)})
	}
	return parts, ok
}

func parametersSchema(list []parameter) schema.Schema {
	keys := map[string]schema.Schema{}
	var required []string
	for _, p := range list {
		keys[p.key] = p.Schema().With("description", "Expected: "+p.Expects+".")
		if !p.optional {
			required = append(required, p.key)
		}
	}
	return schema.Object(keys, required...)
}

func constantSchema() schema.Schema {
	text := schema.Schema{"type": []string{"string", "boolean"}, "minLength": 1}
	return schema.Any(anyNumber.Schema(), text, value.Texts(nil).Schema())
}

func choiceSchema() schema.Schema { return schema.Map(value.Limits{High: atlas.MaxWeight}.Schema()) }

func byCountrySchema() schema.Schema {
	return schema.Map(schema.Filled()).With("propertyNames", schema.Pattern("^([A-Za-z]{2}|"+defaultCountry+")$"))
}
