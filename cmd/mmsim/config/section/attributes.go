package section

import (
	"fmt"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/population"
)

// Attributes returns the setting players.attributes, which has a generator, such as normal or choice,
// for each attribute that the data lacks. The attributes keep their order in the
// configuration file.
func Attributes(p *[]population.Generated) value.Value {
	return value.OrderedOf(p, "a mapping of attribute names to generators, such as {mmr: {normal: {mean: 1500, sd: 300}}}",
		func(key yamltree.Node) error {
			if !datasets.Drawable(key.Text) {
				return fmt.Errorf("%s, which says when, where or with whom a player joins", key)
			}
			return value.IsName(key)
		}, func(g *population.Generated) *string { return &g.Name }, generated)
}

// Keys beside a generator: whether a choice's values are texts or numbers, and whether every player or
// every party has a value of its own.
const (
	kindKey = "kind"
	perKey  = "per"
)

// generated returns the Value of one attribute.
func generated(g *population.Generated) value.Value {
	kind := ""
	if c, ok := g.Generator.(population.Choice); ok && c.Kind == datasets.Number {
		kind = c.Kind.String()
	}
	var at yamltree.Node // the value of the generator
	var keys []value.Key
	for i, one := range generators {
		keys = append(keys, value.Named(one.name, one.about, value.At(&at, value.Value{
			Expects: expectations()[i],
			Read:    func(n yamltree.Node) error { return one.of(&g.Generator).Read(n) },
			Write:   func(folder string) any { return one.of(&g.Generator).Write(folder) },
			Unset:   func() bool { return !one.is(g.Generator) },
			Schema:  func() value.Schema { return one.of(&g.Generator).Schema() },
		})))
	}
	return value.Object{
		Expects: "one of the generators " + generatorNames(),
		One:     len(generators),
		Keys: append(keys,
			value.Named(kindKey, "whether the values of a choice are texts or numbers", value.ByDefault(&kind, "", value.Choice(&kind, []string{"text", "number"}))),
			value.Named(perKey, "whether every player or every party has a value of its own", value.ByDefault(&g.Per, population.PerUsual, value.Enum(&g.Per, []string{"player", "party"}, population.PerPlayer, population.PerParty)))),
		Check: func() error {
			if kind != "" {
				choices, ok := g.Generator.(population.Choice)
				if !ok {
					return at.Errorf("got %s beside it, expected it only beside choice", kindKey)
				}
				choices.Kind, _ = datasets.ParseKind(kind)
				g.Generator = choices
			}
			if g.Per == population.UsualPer(g.Generator) {
				g.Per = population.PerUsual
			}
			return at.Placed(g.Validate())
		},
	}.Value().Taking(func(s value.Schema) value.Schema {
		return s.With("dependencies", map[string][]string{kindKey: {"choice"}})
	})
}
