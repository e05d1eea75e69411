// Package section has the parts of a configuration that are more than keys: the section datacenters with
// its list, match.leave, the generators of players.attributes, and how long clock.warmup: auto takes until the
// population of players is stationary.
package section

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/atlas"
)

// Datacenters is the section datacenters of a configuration: where the list of datacenters comes from,
// and which of them take part.
//
// The list comes from one or more sources, which are joined with "+": files, and providers such as
// aws, whose regions are built in. Of a provider, a source may name a part: aws:us-east-1,eu-west-1.
type Datacenters struct {
	Sources []Source // none for the built-in list
	Use     []string // names of the datacenters that take part; none for all
}

// Source is a file with a list of datacenters, or a provider.
type Source struct {
	File     string // absolute path, or "" for a provider
	Provider string
	Part     []string // names of the provider's regions that take part; none for all
}

// IsPart reports whether only a part of a list takes part.
func (c *Datacenters) IsPart() bool {
	return len(c.Use) > 0 || slices.ContainsFunc(c.Sources, func(s Source) bool { return len(s.Part) > 0 })
}

// DatacenterFile returns the source of a list in one file.
func DatacenterFile(file string) []Source { return []Source{{File: file}} }

// parse reads sources as a configuration names them. Files are relative to folder. A file that has
// the name of a provider, or a plus sign in its name, takes precedence.
func parse(text, folder string) (sources []Source, err error) {
	for _, word := range split(text, folder) {
		s, err := parseSource(word, folder)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// sourcesMax is the maximum number of sources. Longer texts are taken for the name of a file.
const sourcesMax = 64

// split splits a text at plus signs, except at those in the names of files.
func split(text, folder string) []string {
	parts := strings.Split(text, "+")
	if len(parts) > sourcesMax {
		return []string{text}
	}
	var words []string
	for len(parts) > 0 {
		n := len(parts)
		for n > 1 && !isFile(strings.Join(parts[:n], "+"), folder) {
			n--
		}
		words, parts = append(words, strings.Join(parts[:n], "+")), parts[n:]
	}
	if slices.Contains(words, "") { // not a list of sources, but the name of a missing file, such as c++
		return []string{text}
	}
	return words
}

// parseSource reads one source. The error lists all mistakes in the part of a provider.
func parseSource(word, folder string) (Source, error) {
	name, list, hasList := strings.Cut(word, ":")
	if p := atlas.FindProvider(name); p != nil && !isFile(word, folder) {
		s := Source{Provider: name}
		if hasList {
			s.Part = strings.Split(list, ",")
		}
		if faults := unknown(s.Part, p.RegionNames()); len(faults) > 0 {
			return s, fmt.Errorf("got %s, expected regions of %s, each once; \"mmsim dataset datacenters %s\" lists them", strings.Join(faults, ", "), p.Name, p.Name)
		}
		return s, nil
	}
	return Source{File: absolute(word, folder)}, nil
}

// unknown describes the names that are not known or occur twice.
func unknown(names, known []string) (faults []string) {
	for i, name := range names {
		switch {
		case !slices.Contains(known, name):
			fault := fmt.Sprintf("%q", name)
			if near := meant(name, known); near != "" {
				fault += " (did you mean " + near + "?)"
			}
			faults = append(faults, fault)
		case slices.Contains(names[:i], name):
			faults = append(faults, fmt.Sprintf("%q twice", name))
		}
	}
	return faults
}

// meant returns the known name that an unknown one probably stands for, or "". A name that several
// providers have stands for aws/us-east-1 and gamelift/us-east-1.
func meant(name string, known []string) string {
	var whole []string
	for _, k := range known {
		if strings.HasSuffix(k, "/"+name) {
			whole = append(whole, k)
		}
	}
	if len(whole) > 0 {
		return input.Either(whole)
	}
	return input.Nearest(name, known)
}

func absolute(name, folder string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// isFile reports whether a regular file or a pipe has the name. A folder does not count: many
// projects have a folder aws.
func isFile(name, folder string) bool {
	info, err := os.Stat(absolute(name, folder))
	return err == nil && !info.IsDir()
}

// text returns the sources as a configuration names them. named returns the name of a file.
func (c *Datacenters) text(named func(file string) string) string {
	var words []string
	for _, s := range c.Sources {
		word := named(s.File)
		if s.Provider != "" {
			word = s.Provider
			if len(s.Part) > 0 {
				word += ":" + strings.Join(s.Part, ",")
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, "+")
}

// Shown names the sources in messages.
func (c *Datacenters) Shown() string { return c.text(input.Shown) }

// Rename replaces the name of each file with the result of rename.
func (c *Datacenters) Rename(rename func(name string) (string, error)) error {
	c.Sources = slices.Clone(c.Sources) // copies of a configuration share them
	for i := range c.Sources {
		if s := &c.Sources[i]; s.File != "" {
			var err error
			if s.File, err = rename(s.File); err != nil {
				return err
			}
		}
	}
	return nil
}

// SourcesValue returns the value of datacenters.file.
func (c *Datacenters) SourcesValue() value.Value {
	return value.Value{
		Expects: "the name of a file, " + input.Either(atlas.ProviderNames()) + ", regions of one such as aws:us-east-1,eu-west-1, or several of these joined by +",
		Read: func(n yamltree.Node) error {
			if n.Kind > yamltree.Text {
				return n.Misfit()
			}
			if !utf8.ValidString(n.Text) {
				return fmt.Errorf("%q, which is not UTF-8", n.Text)
			}
			if n.Text == "" {
				c.Sources = nil
				return nil
			}
			sources, err := parse(n.Text, n.From.Folder)
			if err != nil {
				return n.Errorf("%v", err)
			}
			c.Sources = sources
			return nil
		},
		Write: func(folder string) any {
			return value.Escaped(c.text(func(file string) string { return value.Relative(folder, file) }))
		},
		Schema: func() value.Schema { return value.NullableSchema(value.ScalarSchema()) },
	}
}

// UseValue returns the value of datacenters.use. Whether the list has the names is known when it has
// been loaded.
func (c *Datacenters) UseValue() value.Value {
	isAll := func(n yamltree.Node) bool { return n.Kind != yamltree.Mapping && n.Text == "" && len(n.Elements) == 0 }
	v := value.Distinct(&c.Use, "a list of datacenters without repetition, or an empty list for all").Where(isAll, func(yamltree.Node) error {
		c.Use = nil
		return nil
	})
	v.Schema = func() value.Schema {
		return value.AnySchema(value.ListSchema(value.FilledSchema(), 0).With("uniqueItems", true), value.NullableSchema(value.ScalarSchema()))
	}
	return v
}

// hint says what a file that does not exist may have been meant to be.
func hint(err error, file string) error {
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	word, _, _ := strings.Cut(filepath.Base(file), ":")
	if near := input.DidYouMean(word, atlas.ProviderNames()); near != "" && filepath.Ext(word) == "" {
		return fmt.Errorf("%w%s", err, near)
	}
	return err
}
