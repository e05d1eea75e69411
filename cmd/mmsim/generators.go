package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/datasets"
)

// generator is how one kind of generator is read and written.
type generator struct {
	name  string
	form  string // for help
	about string // one line, for help
	read  func(n node, path string) (datasets.Generator, error)
	write func(g datasets.Generator) (parts any, ok bool) // ok: g is of this kind
}

// Ranges of parameters: far beyond sensible use, so that a slip is an error.
var (
	anyNumber = limits{low: -1e12, high: 1e12}
	above0    = limits{high: 1e12, lowOpen: true}
)

// generators are all there are.
var generators = []generator{
	parameters("normal", "{mean: 1500, sd: 300, min: 0, max: 3000}", "min and max optional; beyond them there is nothing, and nothing piles up there",
		datasets.Normal{Min: math.Inf(-1), Max: math.Inf(1)}, func(g *datasets.Normal) []parameter {
			return []parameter{
				{"mean", number(&g.Mean, anyNumber), false}, {"sd", number(&g.SD, above0), false},
				{"min", number(&g.Min, anyNumber), true}, {"max", number(&g.Max, anyNumber), true},
			}
		}),
	parameters("lognormal", "{median: 20, sigma: 0.5, min: 0, max: 100}", "sigma of the natural logarithm; or mean and sd; min and max optional",
		datasets.LogNormal{Max: math.Inf(1)}, func(g *datasets.LogNormal) []parameter {
			return []parameter{
				{"median", number(&g.Median, above0), true}, {"sigma", number(&g.Sigma, limits{high: 10, lowOpen: true}), true},
				{"mean", number(&g.Mean, above0), true}, {"sd", number(&g.SD, above0), true},
				{"min", number(&g.Min, limits{high: 1e12}), true}, {"max", number(&g.Max, above0), true},
			}
		}),
	parameters("uniform", "{min: 0, max: 100}", "any number between",
		datasets.Uniform{}, func(g *datasets.Uniform) []parameter {
			return []parameter{{"min", number(&g.Min, anyNumber), false}, {"max", number(&g.Max, anyNumber), false}}
		}),
	{"constant", "5", "a number, a text or a list: the same for everybody", readConstant, writeConstant},
	{"choice", `{"1.4": 0.9, "1.5": 0.1}`, "a text, by weight; numbers with kind: number beside choice", readChoice, writeChoice},
	parameters("subset", "{of: [dust, mill, port], min: 1, max: 3}", "a list of min to max of the items, every length as likely",
		datasets.Subset{}, func(g *datasets.Subset) []parameter {
			return []parameter{
				{"of", texts(&g.Of), false},
				{"min", whole(&g.Min, 0, datasets.MaxSubsetItems), false}, {"max", whole(&g.Max, 1, datasets.MaxSubsetItems), false},
			}
		}),
	{"by_country", "{FR: fr, BR: pt, default: en}", "a text, by where the player lives", readByCountry, writeByCountry},
	parameters("graph", "{mean: 6, same_continent: 0.9}", "of friends only: mean number, and share chosen on the own continent; the rest is chosen anywhere",
		datasets.Graph{}, func(g *datasets.Graph) []parameter {
			return []parameter{
				{"mean", number(&g.Mean, limits{high: datasets.MaxFriends, lowOpen: true}), false},
				{"same_continent", number(&g.SameContinent, limits{high: 1}), false},
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
	value
	optional bool
}

// parameters makes a generator whose keys are parameters; start has their values
// where they are not written.
func parameters[T datasets.Generator](name, form, about string, start T, of func(*T) []parameter) generator {
	return generator{
		name: name, form: form, about: about,
		read: func(n node, path string) (datasets.Generator, error) {
			g := start
			err := readParameters(n, path, of(&g))
			return g, err
		},
		write: func(other datasets.Generator) (any, bool) {
			g, ok := other.(T)
			if !ok {
				return nil, false
			}
			var parts yaml.MapSlice
			unwritten := start
			for i, p := range of(&g) {
				if written := p.write(); !p.optional || written != of(&unwritten)[i].write() {
					parts = append(parts, yaml.MapItem{Key: p.key, Value: written})
				}
			}
			return parts, true
		},
	}
}

// readParameters reads the keys of a generator.
func readParameters(n node, path string, list []parameter) error {
	keys := make([]string, len(list))
	for i, p := range list {
		keys[i] = p.key
	}
	if n.kind != kindMapping {
		return n.errorf("%sgot %s, expected a mapping with some of the keys %s", n.from.about(path), n, strings.Join(keys, ", "))
	}
	given := make([]bool, len(list))
	for _, e := range n.entries {
		i := slices.Index(keys, e.key.text)
		if i < 0 {
			return e.key.errorf("unknown key %q%s", path+"."+e.key.text, didYouMean(e.key.text, keys))
		}
		given[i] = true
		if err := list[i].readAt(path+"."+e.key.text, e.value); err != nil {
			return err
		}
	}
	for i, p := range list {
		if !p.optional && !given[i] {
			return n.errorf("%s%s is missing, expected %s", n.from.about(path), p.key, p.expects)
		}
	}
	return nil
}

// text is a setting that is any text with letters that print.
func text(p *string) value {
	return value{
		expects: "a text",
		read: func(n node) error {
			if n.kind != kindPlain && n.kind != kindText || n.text == "" || !printable(n.text) {
				return n.misfit()
			}
			*p = n.text
			return nil
		},
		write: func() any { return escapedText(*p) },
	}
}

// texts is a setting that is a list of texts.
func texts(p *[]string) value {
	return value{
		expects: "a list of texts",
		read: func(n node) error {
			switch {
			case n.kind != kindList:
				return n.misfit()
			case len(n.elements) == 0:
				return fmt.Errorf("an empty list")
			}
			list := make([]string, len(n.elements))
			for i, item := range n.elements {
				if err := text(&list[i]).read(item); err != nil {
					return fmt.Errorf("a list with %w", err)
				}
			}
			*p = list
			return nil
		},
		write: func() any {
			list := make([]escapedText, len(*p))
			for i, text := range *p {
				list[i] = escapedText(text)
			}
			return list
		},
	}
}

// readConstant takes what looks like a number for one, unless it is in quotes.
func readConstant(n node, path string) (datasets.Generator, error) {
	g := datasets.Constant{Kind: datasets.Text}
	v := value{
		expects: "a number" + anyNumber.String() + ", a text or a list of texts",
		read: func(n node) error {
			if n.kind == kindList {
				g.Kind = datasets.List
				return texts(&g.Items).read(n)
			}
			if n.kind == kindPlain && isDecimal(n.text) {
				if _, err := strconv.ParseFloat(n.text, 64); err == nil || errors.Is(err, strconv.ErrRange) {
					g.Kind = datasets.Number
					return number(&g.Number, anyNumber).read(n)
				}
			}
			g.Items = make([]string, 1)
			return text(&g.Items[0]).read(n)
		},
	}
	err := v.readAt(path, n)
	return g, err
}

func writeConstant(other datasets.Generator) (any, bool) {
	g, ok := other.(datasets.Constant)
	switch {
	case !ok:
		return nil, false
	case g.Kind == datasets.Number:
		return g.Number, true
	case g.Kind == datasets.List:
		return texts(&g.Items).write(), true
	}
	return text(&g.Items[0]).write(), true
}

func readChoice(n node, path string) (datasets.Generator, error) {
	g := datasets.Choice{Kind: datasets.Text}
	if n.kind != kindMapping {
		return g, n.errorf("%sgot %s, expected a mapping of texts to weights", n.from.about(path), n)
	}
	for _, e := range n.entries {
		if e.key.text == "" || !printable(e.key.text) {
			return g, e.key.errorf("%sgot %s, expected a text that prints", n.from.about(path), e.key)
		}
		var weight float64
		if err := number(&weight, limits{high: datasets.MaxWeight}).readAt(path+"."+e.key.text, e.value); err != nil {
			return g, err
		}
		g.Values, g.Weights = append(g.Values, e.key.text), append(g.Weights, weight)
	}
	return g, nil
}

func writeChoice(other datasets.Generator) (any, bool) {
	g, ok := other.(datasets.Choice)
	var parts yaml.MapSlice
	for i, value := range g.Values {
		parts = append(parts, yaml.MapItem{Key: value, Value: g.Weights[i]})
	}
	return parts, ok
}

// defaultCountry stands for all countries not listed.
const defaultCountry = "default"

func readByCountry(n node, path string) (datasets.Generator, error) {
	var g datasets.ByCountry
	if n.kind != kindMapping {
		return g, n.errorf("%sgot %s, expected a mapping of countries to texts", n.from.about(path), n)
	}
	for _, e := range n.entries {
		var word string
		if err := text(&word).readAt(path+"."+e.key.text, e.value); err != nil {
			return g, err
		}
		if e.key.text == defaultCountry {
			g.Default = word
			continue
		}
		code, ok := datasets.ParseCountry(e.key.text)
		if !ok || slices.Contains(g.Countries, code) {
			return g, e.key.errorf("%sgot %s, expected two letters of ISO 3166 such as FR, each country once, or %s",
				n.from.about(path), e.key, defaultCountry)
		}
		g.Countries, g.Texts = append(g.Countries, code), append(g.Texts, word)
	}
	return g, nil
}

func writeByCountry(other datasets.Generator) (any, bool) {
	g, ok := other.(datasets.ByCountry)
	var parts yaml.MapSlice
	for i, country := range g.Countries {
		parts = append(parts, yaml.MapItem{Key: country.String(), Value: escapedText(g.Texts[i])})
	}
	if g.Default != "" {
		parts = append(parts, yaml.MapItem{Key: defaultCountry, Value: escapedText(g.Default)})
	}
	return parts, ok
}
