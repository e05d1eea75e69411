package section

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/atlas"
	"mmsim/datasets/population"
)

// generator is a way to draw the values of an attribute, such as normal or choice.
type generator struct {
	name  string
	form  string // example for the help text
	about string // one line for the help text
	drawn
}

// drawn is the type of a generator: whether g has it, and the Value that reads and writes it.
type drawn struct {
	is func(g population.Generator) bool
	of func(g *population.Generator) value.Value
}

// These limits are far beyond sensible parameters, so they catch typing errors.
var (
	anyNumber = value.Limits{Low: -1e12, High: 1e12}
	above0    = value.Limits{High: 1e12, LowOpen: true}
)

// generators lists every generator that players.attributes accepts.
var generators = []generator{
	{"normal", "{mean: 1500, sd: 300, min: 0, max: 3000}", "a normally distributed number; min and max are optional limits, and all numbers are between them", as(func(g *population.Normal) value.Value {
		return value.Mapping(needed("mean", &g.Mean, anyNumber), needed("sd", &g.SD, above0),
			optional("min", &g.Min, math.Inf(-1), anyNumber), optional("max", &g.Max, math.Inf(1), anyNumber))
	})},
	{"lognormal", "{median: 20, sigma: 0.5, min: 0, max: 100}", "a log-normally distributed number; sigma is the standard deviation of the number's natural logarithm; you can set mean and sd instead of median and sigma; min and max are optional", as(func(g *population.LogNormal) value.Value {
		return value.Mapping(optional("median", &g.Median, 0, above0), optional("sigma", &g.Sigma, 0, value.Limits{High: 10, LowOpen: true}),
			optional("mean", &g.Mean, 0, above0), optional("sd", &g.SD, 0, above0),
			optional("min", &g.Min, 0, value.Limits{High: 1e12}), optional("max", &g.Max, math.Inf(1), above0))
	})},
	{"uniform", "{min: 0, max: 100}", "a number between min and max, all equally likely", as(func(g *population.Uniform) value.Value {
		return value.Mapping(needed("min", &g.Min, anyNumber), needed("max", &g.Max, anyNumber))
	})},
	{"constant", "5", "the same number, text or list for all players", as(constant)},
	{"choice", `{"1.4": 0.9, "1.5": 0.1}`, "one of these texts, each with a probability proportional to its weight; add kind: number beside choice if the texts are numbers", as(choice)},
	{"subset", "{of: [dust, mill, port], min: 1, max: 3}", "a list of items at random, with a length from min to max; every length is equally likely", as(func(g *population.Subset) value.Value {
		return value.Mapping(value.Named("of", "", value.Needed(value.Texts(&g.Of))),
			value.Named("min", "", value.Needed(value.Whole(&g.Min, 0, population.MaxSubsetItems))),
			value.Named("max", "", value.Needed(value.Whole(&g.Max, 1, population.MaxSubsetItems))))
	})},
	{"by_country", "{FR: fr, BR: pt, default: en}", "the text of the country in which the player lives, or the default", as(byCountry)},
	{"graph", "{mean: 6, same_continent: 0.9}", "only for the attribute friends: a list of other players; mean is the mean number of friends, and same_continent is the share of friends who live on the player's continent (the others live anywhere)", as(func(g *population.Graph) value.Value {
		return value.Mapping(needed("mean", &g.Mean, value.Limits{High: population.MaxFriends, LowOpen: true}),
			value.Named("same_continent", "", value.Needed(value.Share(&g.SameContinent, value.Limits{High: 1}))))
	})},
}

func as[T population.Generator](of func(*T) value.Value) drawn {
	return drawn{
		is: func(g population.Generator) bool {
			_, is := g.(T)
			return is
		},
		of: func(to *population.Generator) value.Value {
			g, _ := (*to).(T)
			return of(&g).Then(func() { *to = g })
		},
	}
}

// expectations has what each generator expects. To describe all of them for each attribute took most of
// the time in which a configuration is read.
var expectations = sync.OnceValue(func() (list []string) {
	for _, g := range generators {
		list = append(list, g.of(new(population.Generator)).Expects+", such as "+g.form)
	}
	return list
})

func needed(key string, p *float64, l value.Limits) value.Key {
	return value.Named(key, "", value.Needed(value.Number(p, l)))
}

func optional(key string, p *float64, usual float64, l value.Limits) value.Key {
	return value.Named(key, "", value.ByDefault(p, usual, value.Number(p, l)))
}

var generatorNames = sync.OnceValue(func() string {
	var names []string
	for _, g := range generators {
		names = append(names, g.name)
	}
	return strings.Join(names, ", ")
})

// WriteGenerators writes an example of every generator and what it draws.
func WriteGenerators(w io.Writer) {
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

// constant returns the Value of a number, a text or a list. A quoted number is a text.
func constant(g *population.Constant) value.Value {
	if len(g.Items) == 0 {
		g.Items = make([]string, 1)
	}
	number, list, text := value.Number(&g.Number, anyNumber), value.Texts(&g.Items), value.Text(&g.Items[0])
	of := func(kind datasets.Kind) value.Value {
		return map[datasets.Kind]value.Value{datasets.Number: number, datasets.List: list, datasets.Text: text}[kind]
	}
	return value.Value{
		Expects: "a number" + anyNumber.String() + ", a text or a list of texts",
		Read: func(n yamltree.Node) error {
			g.Kind = datasets.Text
			if _, err := strconv.ParseFloat(n.Text, 64); n.Kind == yamltree.List {
				g.Kind = datasets.List
			} else if n.Kind == yamltree.Plain && yamltree.IsDecimal(n.Text) && (err == nil || errors.Is(err, strconv.ErrRange)) {
				g.Kind, g.Items = datasets.Number, nil
			}
			return of(g.Kind).Read(n)
		},
		Write: func(folder string) any { return of(g.Kind).Write(folder) },
		Schema: func() value.Schema {
			words := value.Schema{"type": []string{"string", "boolean"}, "minLength": 1}
			return value.AnySchema(number.Schema(), words, list.Schema())
		},
	}
}

func choice(g *population.Choice) value.Value {
	return value.NotEmpty(value.OrderedOf(&g.Of, "a mapping of texts to weights", value.IsName, func(w *population.Weighted) *string { return &w.Text },
		func(w *population.Weighted) value.Value {
			return value.Number(&w.Weight, value.Limits{High: atlas.MaxWeight})
		})).Then(func() { g.Kind = datasets.Text })
}

// defaultCountry is the key for all countries that have no key of their own.
const defaultCountry = "default"

// spoken is the text of a country.
type spoken struct{ country, text string }

func byCountry(g *population.ByCountry) value.Value {
	var list []spoken
	for i, country := range g.Countries {
		list = append(list, spoken{country.String(), g.Texts[i]})
	}
	if g.Default != "" {
		list = append(list, spoken{defaultCountry, g.Default})
	}
	v := value.NotEmpty(value.OrderedOf(&list, "two letters of ISO 3166 such as FR, each country once, or "+defaultCountry, func(key yamltree.Node) error {
		code, ok := datasets.ParseCountry(key.Text)
		isTwice := slices.ContainsFunc(list, func(s spoken) bool { return strings.EqualFold(s.country, code.String()) })
		if key.Text != defaultCountry && (!ok || isTwice) {
			return errors.New(key.String())
		}
		return nil
	}, func(s *spoken) *string { return &s.country }, func(s *spoken) value.Value { return value.Text(&s.text) })).Then(func() {
		*g = population.ByCountry{}
		for _, s := range list {
			if code, ok := datasets.ParseCountry(s.country); ok {
				g.Countries, g.Texts = append(g.Countries, code), append(g.Texts, s.text)
			} else {
				g.Default = s.text
			}
		}
	})
	v.Expects = "a mapping of countries to texts"
	return v.Taking(func(s value.Schema) value.Schema {
		return s.With("propertyNames", value.PatternSchema("^([A-Za-z]{2}|"+defaultCountry+")$"))
	})
}
