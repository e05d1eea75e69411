package attributes

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/config/parameters"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/population"
)

// generator describes how to read and write one generator, such as normal or choice.
type generator struct {
	name  string
	form  string // example for the help text
	about string // one line for the help text
	read  func(n yamltree.Node, path string) (population.Generator, error)
	write func(g population.Generator) (parts any, ok bool) // ok is false if g has another type

	schema func() schema.Schema // schema of the value of the key name
}

// These limits are far beyond sensible parameters, so they catch typing errors.
var (
	anyNumber = value.Limits{Low: -1e12, High: 1e12}
	above0    = value.Limits{High: 1e12, LowOpen: true}
)

// generators lists every generator that players.attributes accepts.
var generators = []generator{
	withParameters("normal", "{mean: 1500, sd: 300, min: 0, max: 3000}", "a normally distributed number; min and max are optional limits, and all numbers are between them",
		population.Normal{Min: math.Inf(-1), Max: math.Inf(1)}, func(g *population.Normal) parameters.List {
			return parameters.List{
				parameters.Required("mean", value.Number(&g.Mean, anyNumber)), parameters.Required("sd", value.Number(&g.SD, above0)),
				parameters.Optional("min", value.Number(&g.Min, anyNumber)), parameters.Optional("max", value.Number(&g.Max, anyNumber)),
			}
		}),
	withParameters("lognormal", "{median: 20, sigma: 0.5, min: 0, max: 100}", "a log-normally distributed number; sigma is the standard deviation of the number's natural logarithm; you can set mean and sd instead of median and sigma; min and max are optional",
		population.LogNormal{Max: math.Inf(1)}, func(g *population.LogNormal) parameters.List {
			return parameters.List{
				parameters.Optional("median", value.Number(&g.Median, above0)), parameters.Optional("sigma", value.Number(&g.Sigma, value.Limits{High: 10, LowOpen: true})),
				parameters.Optional("mean", value.Number(&g.Mean, above0)), parameters.Optional("sd", value.Number(&g.SD, above0)),
				parameters.Optional("min", value.Number(&g.Min, value.Limits{High: 1e12})), parameters.Optional("max", value.Number(&g.Max, above0)),
			}
		}),
	withParameters("uniform", "{min: 0, max: 100}", "a number between min and max, all equally likely",
		population.Uniform{}, func(g *population.Uniform) parameters.List {
			return parameters.List{parameters.Required("min", value.Number(&g.Min, anyNumber)), parameters.Required("max", value.Number(&g.Max, anyNumber))}
		}),
	{"constant", "5", "the same number, text or list for all players", readConstant, writeConstant, constantSchema},
	{"choice", `{"1.4": 0.9, "1.5": 0.1}`, "one of these texts, each with a probability proportional to its weight; add kind: number beside choice if the texts are numbers", readChoice, writeChoice, choiceSchema},
	withParameters("subset", "{of: [dust, mill, port], min: 1, max: 3}", "a list of items at random, with a length from min to max; every length is equally likely",
		population.Subset{}, func(g *population.Subset) parameters.List {
			return parameters.List{
				parameters.Required("of", value.Texts(&g.Of)),
				parameters.Required("min", value.Whole(&g.Min, 0, population.MaxSubsetItems)), parameters.Required("max", value.Whole(&g.Max, 1, population.MaxSubsetItems)),
			}
		}),
	{"by_country", "{FR: fr, BR: pt, default: en}", "the text of the country in which the player lives, or the default", readByCountry, writeByCountry, byCountrySchema},
	withParameters("graph", "{mean: 6, same_continent: 0.9}", "only for the attribute friends: a list of other players; mean is the mean number of friends, and same_continent is the share of friends who live on the player's continent (the others live anywhere)",
		population.Graph{}, func(g *population.Graph) parameters.List {
			return parameters.List{
				parameters.Required("mean", value.Number(&g.Mean, value.Limits{High: population.MaxFriends, LowOpen: true})),
				parameters.Required("same_continent", value.Number(&g.SameContinent, value.Limits{High: 1})),
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

// WriteHelp writes an example of every generator and what it draws.
func WriteHelp(w io.Writer) {
	for _, g := range generators {
		fmt.Fprintf(w, "  {%s: %s}\n      %s\n", g.name, g.form, g.about)
	}
	io.WriteString(w, `
Constant, choice, subset and by_country draw one value for each party: its players have the value
of its first player, because friends play the same mode in the same language. The other generators
draw one value for each player. The key per overrides this, except for graph:

  {choice: {tank: 0.2, healer: 0.8}, per: player}
  {normal: {mean: 1500, sd: 300}, per: party}
`)
}

// generatorNamed returns the generator with the given name, or nil if there is none.
func generatorNamed(name string) *generator {
	i := slices.IndexFunc(generators, func(g generator) bool { return g.name == name })
	if i < 0 {
		return nil
	}
	return &generators[i]
}

// withParameters returns a generator that is written as a mapping with one key per parameter.
// start has the parameters' default values.
func withParameters[T population.Generator](name, form, about string, start T, of func(*T) parameters.List) generator {
	return generator{
		name: name, form: form, about: about,
		read: func(n yamltree.Node, path string) (population.Generator, error) {
			g := start
			err := of(&g).Read(n, path)
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
				if written := p.Write(); !p.Optional || written != of(&unwritten)[i].Write() {
					parts = append(parts, yaml.MapItem{Key: p.Key, Value: written})
				}
			}
			return parts, true
		},
		schema: func() schema.Schema { return of(&start).Schema() },
	}
}

// readConstant reads a number, a text or a list. A quoted number is a text.
func readConstant(n yamltree.Node, path string) (population.Generator, error) {
	g := population.Constant{Kind: datasets.Text}
	v := value.Value{
		Expects: "a number" + anyNumber.String() + ", a text or a list of texts",
		Read: func(n yamltree.Node) error {
			if n.Kind == yamltree.List {
				g.Kind = datasets.List
				return value.Texts(&g.Items).Read(n)
			}
			if n.Kind == yamltree.Plain && yamltree.IsDecimal(n.Text) {
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
			return g, e.Key.Errorf("%sgot %s, expected a text of printable characters", n.From.About(path), e.Key)
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

// defaultCountry is the key for all countries that have no key of their own.
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

func constantSchema() schema.Schema {
	text := schema.Schema{"type": []string{"string", "boolean"}, "minLength": 1}
	return schema.Any(anyNumber.Schema(), text, value.Texts(nil).Schema())
}

func choiceSchema() schema.Schema { return schema.Map(value.Limits{High: atlas.MaxWeight}.Schema()) }

func byCountrySchema() schema.Schema {
	return schema.Map(schema.Filled()).With("propertyNames", schema.Pattern("^([A-Za-z]{2}|"+defaultCountry+")$"))
}
