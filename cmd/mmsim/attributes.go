package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/datasets"
)

// attributes is the setting of generated attributes, kept in the order in which
// they are written.
func attributes(p *[]datasets.Generated) value {
	return value{
		expects: "a mapping of attribute names to generators, such as {mmr: {normal: {mean: 1500, sd: 300}}}",
		write:   func() any { return writtenAttributes(*p) },
		empty:   func() { *p = nil },
		entry: func(key node) (value, error) {
			switch {
			case key.text == "" || !printable(key.text):
				return value{}, fmt.Errorf("%s, which has no letters or some that do not print", key)
			case !datasets.Drawable(key.text):
				return value{}, fmt.Errorf("%s, which says when, where or with whom a player joins", key)
			}
			return value{
				expects: "one of the generators " + strings.Join(generatorNames(), ", "),
				read: func(n node) error {
					generated, err := readGenerated(key.text, n)
					if err != nil {
						return err
					}
					if i := slices.IndexFunc(*p, func(g datasets.Generated) bool { return g.Name == key.text }); i >= 0 {
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

// printable tells whether a text can be written into config.yaml as a key.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) })
}

// kindKey stands beside choice and says what its texts are.
const kindKey = "kind"

// readGenerated reads how one attribute is drawn. A misfit of the whole is
// returned as value.read does, one of a part with its place.
func readGenerated(name string, n node) (datasets.Generated, error) {
	none := datasets.Generated{}
	path := "players.attributes." + name
	var how *entry // the generator
	word := ""
	for i := range n.entries {
		switch e := &n.entries[i]; {
		case e.key.text == kindKey:
			if err := choice(&word, []string{"text", "number"}).readAt(path+"."+kindKey, e.value); err != nil {
				return none, err
			}
		case how != nil:
			return none, fmt.Errorf("both %s and %s", how.key.text, e.key.text)
		default:
			how = e
		}
	}
	if how == nil {
		return none, n.misfit()
	}
	form := generatorNamed(how.key.text)
	if form == nil {
		return none, how.key.errorf("%sunknown generator %s%s", n.from.about(path), how.key, didYouMean(how.key.text, generatorNames()))
	}
	path += "." + form.name
	g, err := form.read(how.value, path)
	if err != nil {
		return none, err
	}
	if word != "" {
		choices, ok := g.(datasets.Choice)
		if !ok {
			return none, how.key.errorf("%s%s beside %s, expected it beside choice only", n.from.about(path), kindKey, form.name)
		}
		choices.Kind, _ = datasets.ParseKind(word)
		g = choices
	}
	generated := datasets.Generated{Name: name, Generator: g}
	if err := generated.Validate(); err != nil {
		return none, how.value.errorf("%s%v", n.from.about(path), err)
	}
	return generated, nil
}

// writtenAttributes is what readGenerated reads.
func writtenAttributes(list []datasets.Generated) yaml.MapSlice {
	written := yaml.MapSlice{}
	for _, generated := range list {
		var how yaml.MapSlice
		for _, form := range generators {
			if parts, ok := form.write(generated.Generator); ok {
				how = append(how, yaml.MapItem{Key: form.name, Value: parts})
			}
		}
		if c, ok := generated.Generator.(datasets.Choice); ok && c.Kind == datasets.Number {
			how = append(how, yaml.MapItem{Key: kindKey, Value: c.Kind.String()})
		}
		written = append(written, yaml.MapItem{Key: generated.Name, Value: how})
	}
	return written
}
