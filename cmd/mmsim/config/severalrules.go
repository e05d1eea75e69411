package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
)

// AllParts is the name that stands for all rulesets of a file: rules: queues.json#* makes a queue for
// each of them.
const AllParts = "*"

// severalError returns the error for a file with several rulesets, of which none is named. It shows
// the part of a configuration that makes a queue for each.
func severalError(file string, several *dialect.SeveralError) error {
	one := plainOrQuoted(input.JoinPart(file, several.Names[0]))
	return &jsontree.Error{
		Place:   several.Place,
		Message: fmt.Sprintf("the file has %d rulesets. To run one of them, write %s. To run all of them, add this to the configuration and fill in the share of each queue:", len(several.Names), one),
		Excerpt: "\n" + queuesText(file, several.Names),
	}
}

// queuesText returns the setting queues as YAML, with equal shares.
func queuesText(file string, names []string) string {
	var text strings.Builder
	text.WriteString("queues:\n")
	share := math.Round(1e4/float64(len(names))) / 1e4
	for _, name := range names {
		fmt.Fprintf(&text, "  - {name: %s, share: %g, rules: %s}\n", plainOrQuoted(name), share, plainOrQuoted(input.JoinPart(file, name)))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// plainOrQuoted returns a text as a YAML scalar.
func plainOrQuoted(text string) string {
	for i, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 && c != '/' && c != '.' || !strings.ContainsRune("0123456789_-./#", c)) {
			return strconv.Quote(text)
		}
	}
	return text
}

// expandRules replaces rules: FILE#* by a queue for each ruleset of the file, with equal shares. It
// does nothing if the configuration lists its queues.
func (l *loader) expandRules() error {
	c := l.config
	if c.RulesPart != AllParts || len(c.queueNodes) > 0 {
		return nil
	}
	file := input.Shown(c.Rules)
	text, err := input.ReadFile(file, RulesLimit)
	if err != nil {
		return input.Bad(c.Unopened("rules", err))
	}
	root, err := jsontree.ParseRelaxed(file, text)
	if err != nil {
		return input.Bad(err)
	}
	doc, err := dialect.Open(c.Dialect, root, c.Matcher.Options())
	if err != nil {
		return input.Bad(err)
	}
	var names []string
	for _, set := range doc.Rulesets {
		if set.Name == "" {
			return input.Bad(set.Value.Errorf("got a ruleset without a name, expected a name, because %s#%s makes a queue of that name", file, AllParts))
		}
		names = append(names, set.Name)
	}
	from := &yamltree.Source{Name: file + "#" + AllParts}
	n, err := yamltree.Parse([]byte(queuesText(c.Rules, names)), from)
	if err != nil {
		return err
	}
	for _, s := range l.settings {
		if s.Path == "queues" {
			return s.Read(n.Entries[0].Value)
		}
	}
	return nil
}

// SharesWarnings returns a warning if rules: FILE#* gave the queues equal shares. The resolved
// configuration of such a run gives the same warning.
func (c *Config) SharesWarnings() []string {
	different := slices.ContainsFunc(c.Queues, func(q Queue) bool { return q.Share != c.Queues[0].Share })
	if c.RulesPart != AllParts || different || len(c.Queues) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("%s#%s: every queue has the same share of the players, %g; set the shares with queues.%s.share and so on", filepath.Base(c.Rules), AllParts, c.Queues[0].Share, c.Queues[0].Name)}
}
