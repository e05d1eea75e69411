// Package attributes reads and writes the setting players.attributes. It has a generator, such
// as normal or choice, for each attribute that the data lacks.
package attributes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/population"
)

// Setting returns the setting players.attributes. The attributes keep their order in the
// configuration file.
func Setting(p *[]population.Generated) value.Value {
	return value.Value{
		Expects: "a mapping of attribute names to generators, such as {mmr: {normal: {mean: 1500, sd: 300}}}",
		Write:   func() any { return writtenAttributes(*p) },
		Empty:   func() { *p = nil },
		Schema:  func() schema.Schema { return schema.Map(generatorSchema()) },
		Entry: func(key yamltree.Node) (value.Value, error) {
			switch {
			case key.Text == "" || !value.Printable(key.Text):
				return value.Value{}, fmt.Errorf("%s, which is empty or has characters that do not print", key)
			case !datasets.Drawable(key.Text):
				return value.Value{}, fmt.Errorf("%s, which says when, where or with whom a player joins", key)
			}
			return value.Value{
				Expects: "one of the generators " + strings.Join(generatorNames(), ", "),
				Read: func(n yamltree.Node) error {
					generated, err := readGenerated(key.Text, n)
					if err != nil {
						return err
					}
					if i := slices.IndexFunc(*p, func(g population.Generated) bool { return g.Name == key.Text }); i >= 0 {
						(*p)[i] = generated
					} else {
						*p = append(*p, generated)
					}
					return nil
				},
			}, nil
		},
	}
}

// kindKey is an optional key next to choice. It says whether the choice's values are texts or
// numbers.
const kindKey = "kind"

// perKey is an optional key next to a generator. It says whether every player or every party has a
// value of its own.
const perKey = "per"

// perWords lists the values of perKey.
var perWords = []string{"player", "party"}

// pers lists the values of perKey by their population.Per.
var pers = map[string]population.Per{"player": population.PerPlayer, "party": population.PerParty}

// choiceKinds lists the kinds that a choice's values can have.
var choiceKinds = []string{"text", "number"}

// readGenerated reads the generator of the attribute with the given name from n. An error about
// n as a whole has no position: the caller adds it, as for value.Value.Read. An error about a
// part of n has its own position.
func readGenerated(name string, n yamltree.Node) (population.Generated, error) {
	none := population.Generated{}
	path := "players.attributes." + name
	var how *yamltree.Entry // the key and value of the generator
	word, per := "", ""
	for i := range n.Entries {
		switch e := &n.Entries[i]; {
		case e.Key.Text == kindKey:
			if err := value.Choice(&word, choiceKinds).ReadAt(path+"."+kindKey, e.Value); err != nil {
				return none, err
			}
		case e.Key.Text == perKey:
			if err := value.Choice(&per, perWords).ReadAt(path+"."+perKey, e.Value); err != nil {
				return none, err
			}
		case how != nil:
			return none, fmt.Errorf("both %s and %s", how.Key.Text, e.Key.Text)
		default:
			how = e
		}
	}
	if how == nil {
		return none, n.Misfit()
	}
	form := generatorNamed(how.Key.Text)
	if form == nil {
		hint := input.DidYouMean(how.Key.Text, generatorNames())
		if hint == "" {
			hint = ", expected " + input.Either(generatorNames())
		}
		return none, how.Key.Errorf("%sunknown generator %s%s", n.From.About(path), how.Key, hint)
	}
	path += "." + form.name
	g, err := form.read(how.Value, path)
	if err != nil {
		return none, err
	}
	if word != "" {
		choices, ok := g.(population.Choice)
		if !ok {
			return none, how.Key.Errorf("%s%s beside %s, expected it only beside choice", n.From.About(path), kindKey, form.name)
		}
		choices.Kind, _ = datasets.ParseKind(word)
		g = choices
	}
	generated := population.Generated{Name: name, Generator: g, Per: pers[per]}
	if generated.Per == population.UsualPer(g) {
		generated.Per = population.PerUsual
	}
	if err := generated.Validate(); err != nil {
		return none, how.Value.Errorf("%s%v", n.From.About(path), err)
	}
	return generated, nil
}

// writtenAttributes returns attributes in the form that readGenerated reads.
func writtenAttributes(list []population.Generated) yaml.MapSlice {
	written := yaml.MapSlice{}
	for _, generated := range list {
		var how yaml.MapSlice
		for _, form := range generators {
			if parts, ok := form.write(generated.Generator); ok {
				how = append(how, yaml.MapItem{Key: form.name, Value: parts})
			}
		}
		if c, ok := generated.Generator.(population.Choice); ok && c.Kind == datasets.Number {
			how = append(how, yaml.MapItem{Key: kindKey, Value: c.Kind.String()})
		}
		for _, word := range perWords {
			if generated.Per == pers[word] {
				how = append(how, yaml.MapItem{Key: perKey, Value: word})
			}
		}
		written = append(written, yaml.MapItem{Key: generated.Name, Value: how})
	}
	return written
}

// generatorSchema returns the schema of one attribute. It allows exactly one generator, the key per
// next to it, and the key kind only next to choice.
func generatorSchema() schema.Schema {
	keys := map[string]schema.Schema{kindKey: schema.Words(choiceKinds), perKey: schema.Words(perWords)}
	for _, g := range generators {
		keys[g.name] = g.schema().With("description", g.about+"\n\nSuch as "+g.form)
	}
	return schema.Object(keys).
		With("oneOf", schema.Needs(generatorNames()...)).
		With("dependencies", map[string][]string{kindKey: {"choice"}})
}
