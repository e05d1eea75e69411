package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/sim"
)

// queues returns the setting that lists several queues. It only records the entries.
// resolveQueues reads them after all other settings, because those are the entries' defaults.
func queues(c *Config) value.Value {
	return value.Value{
		Expects: fmt.Sprintf("a list of up to %d queues, such as [{name: duel, share: 0.3, match: {size: 2}}, {name: team, share: 0.7}]", sim.MaxQueues),
		Write:   func() any { return c.writtenQueues("", nil) },
		Schema: func() schema.Schema {
			return schema.OrNull(schema.List(queueSchema(), 0).With("maxItems", sim.MaxQueues))
		},
		Read: func(n yamltree.Node) error {
			if n.Kind == yamltree.Null {
				c.queueNodes = nil
				return nil
			}
			if n.Kind != yamltree.List {
				return n.Misfit()
			}
			if len(n.Elements) > sim.MaxQueues {
				return fmt.Errorf("%d", len(n.Elements))
			}
			c.queueNodes = n.Elements
			return nil
		},
	}
}

// queueSettings binds the keys of one element of the list queues to the fields of q. Every key
// begins with prefix.
func queueSettings(prefix string, q *Queue) []Setting {
	placements := []string{PlacementDatacenters, PlacementPool}
	list := slices.Concat([]Setting{
		{"name", "name of the queue in the results", value.Required(value.Label(&q.Name))},
		{"share", "share of the parties that play in this queue", value.Number(&q.Share, value.Limits{High: 1, LowOpen: true})},
		{"when", "attribute and value: parties whose first player has this value play in this queue", when(&q.When)},
		{"placement", "where tickets wait", value.Optional(&q.Placement, value.Choice(&q.Placement, placements))},
	}, matchSettings(&q.Match), rulesetSettings(q))
	for i := range list {
		list[i].Path = prefix + list[i].Path
	}
	return list
}

// Condition selects the parties that play in a queue: all parties whose first player has Value
// in Attribute. A queue without a condition has the zero Condition.
type Condition struct{ Attribute, Value string }

// when returns the setting for a Condition.
func when(p *Condition) value.Value {
	return value.Value{
		Expects: "one attribute and its value, such as {mode: ranked}",
		Read: func(n yamltree.Node) error {
			if n.Kind != yamltree.Mapping || len(n.Entries) != 1 {
				return n.Misfit()
			}
			is := n.Entries[0]
			if is.Value.Kind != yamltree.Plain && is.Value.Kind != yamltree.Text || is.Value.Text == "" {
				return fmt.Errorf("%s for %s", is.Value, is.Key.Text)
			}
			*p = Condition{is.Key.Text, is.Value.Text}
			return nil
		},
		Write: func() any { return yaml.MapSlice{{Key: p.Attribute, Value: p.Value}} },
		Schema: func() schema.Schema {
			return schema.Map(schema.Filled()).With("minProperties", 1).With("maxProperties", 1)
		},
	}
}

// writtenQueues returns the queues as they would be written in a configuration file. Paths are
// relative to folder. A value in replacements, by key, replaces the setting's value.
func (c *Config) writtenQueues(folder string, replacements map[string]string) []yaml.MapSlice {
	list := []yaml.MapSlice{}
	for i := range c.Queues {
		q, prefix := &c.Queues[i], fmt.Sprintf("queues[%d].", i)
		var tree yaml.MapSlice
		for _, s := range ends(queueSettings(prefix, q)) {
			path := strings.TrimPrefix(s.Path, prefix)
			if path == "share" && q.Share == 0 || path == "when" && q.When == (Condition{}) {
				continue
			}
			written := s.WriteFrom(folder)
			if replacement, ok := replacements[s.Path]; ok {
				written = replacement
			}
			tree = yamltree.Insert(tree, strings.Split(path, "."), written)
		}
		list = append(list, tree)
	}
	return list
}

// resolveQueues reads the elements of the list queues. Settings outside the list are their
// defaults.
func (l *loader) resolveQueues() error {
	c := l.config
	c.Queues = nil
	for i, n := range c.queueNodes {
		q := c.Queue
		q.RuleKeys = slices.Clone(q.RuleKeys)
		prefix := fmt.Sprintf("queues[%d]", i)
		entry := &loader{config: c, settings: queueSettings(prefix+".", &q)}
		if err := entry.apply(prefix, n); err != nil {
			return err
		}
		if err := l.applyQueueKeys(entry, prefix, q.Name); err != nil {
			return err
		}
		switch {
		case q.Name == "":
			return n.Errorf("%s.name: got nothing, expected a name", prefix)
		case slices.ContainsFunc(c.Queues, func(other Queue) bool { return other.Name == q.Name }):
			return n.Errorf("%s.name: got %q twice, expected it once", prefix, q.Name)
		case q.Share > 0 && q.When != (Condition{}):
			return n.Errorf("%s: got both share and when, expected one of them", prefix)
		}
		c.Queues = append(c.Queues, q)
	}
	if err := l.checkQueueKeys(); err != nil {
		return err
	}
	return l.checkShares()
}

// queueKey is a setting of one queue that is written outside the queue's entry. The key names
// the queue by index or name, as in queues[0].match.size or queues.duel.match.size.
type queueKey struct {
	path       string
	key, value yamltree.Node
	isApplied  bool
}

// isQueueKey reports whether a path is the key of one queue.
func isQueueKey(path string) bool {
	rest, below := strings.CutPrefix(path, "queues")
	return below && strings.Contains(rest, ".") && (rest[0] == '.' || rest[0] == '[')
}

// IsPlacedKey reports whether a key is inside a ruleset or belongs to one of several queues.
// Whether such a key exists can only be checked with the whole configuration.
func IsPlacedKey(key string) bool { return strings.HasPrefix(key, "rules.") || isQueueKey(key) }

// applyQueueKeys applies the keys in l.queueKeys that belong to one queue. They name the queue
// by its prefix, such as queues[0], or by its name.
func (l *loader) applyQueueKeys(entry *loader, prefix, name string) error {
	for i := range l.queueKeys {
		k := &l.queueKeys[i]
		rest, hasPrefix := strings.CutPrefix(k.path, prefix+".")
		if !hasPrefix && name != "" {
			rest, hasPrefix = strings.CutPrefix(k.path, "queues."+name+".")
		}
		if !hasPrefix {
			continue
		}
		k.isApplied = true
		if err := entry.applyKey(prefix+"."+rest, k.key, k.value); err != nil {
			return err
		}
	}
	return nil
}

// checkQueueKeys rejects keys of a queue that does not exist.
func (l *loader) checkQueueKeys() error {
	var known []string
	for i := range l.config.Queues {
		known = append(known, "queues."+l.config.Queues[i].Name, fmt.Sprintf("queues[%d]", i))
	}
	for _, k := range l.queueKeys {
		if k.isApplied {
			continue
		}
		if len(known) == 0 {
			return k.key.Errorf("unknown key %q: there are no queues", k.path)
		}
		// The queue's name ends at the first dot after "queues.".
		end := len("queues.") + strings.IndexByte(k.path[len("queues."):], '.')
		return k.key.Errorf("unknown key %q: no such queue%s", k.path, input.DidYouMean(k.path[:end], known))
	}
	return nil
}

// checkShares checks that shares sum to 1. At most one queue may have neither a share nor a
// condition (when), and only if no queue has a share. That queue takes all parties that no
// condition selects.
func (l *loader) checkShares() error {
	c, sum, shares, rest := l.config, 0.0, 0, -1
	for i := range c.Queues {
		switch q := &c.Queues[i]; {
		case q.Share > 0:
			sum += q.Share
			shares++
		case q.When == (Condition{}) && rest >= 0:
			return c.queueNodes[i].Errorf("queues[%d]: got neither share nor when, expected one of them: queues[%d] takes all other players already", i, rest)
		case q.When == (Condition{}):
			rest = i
		}
	}
	switch {
	case rest >= 0 && shares > 0:
		return c.queueNodes[rest].Errorf("queues[%d]: got neither share nor when, expected one of them: other queues have a share", rest)
	case shares > 0 && math.Abs(sum-1) > 0.005:
		return c.queueNodes[0].Errorf("queues: got shares that sum to %.4g, expected 1", sum)
	}
	return nil
}

// AllQueues lists the queues of a run. Without a list of queues, the run has a single queue,
// which the top-level settings configure.
func (c *Config) AllQueues() []*Queue {
	if len(c.Queues) == 0 {
		return []*Queue{&c.Queue}
	}
	list := make([]*Queue, len(c.Queues))
	for i := range c.Queues {
		list[i] = &c.Queues[i]
	}
	return list
}

// AsksOutside reports whether a program or a service makes the matches of any queue. Its
// answers may depend on more than the configuration and its files.
func (c *Config) AsksOutside() bool {
	return slices.ContainsFunc(c.AllQueues(), func(q *Queue) bool { return q.External.AsksOutside() })
}

// queueSchema returns the schema of an element of the list queues.
func queueSchema() schema.Schema {
	entry := &loader{settings: queueSettings("", &Queue{})}
	return entry.schemaAt("").With("type", "object").
		With("required", []string{"name"}).
		With("not", schema.Schema{"required": []string{"share", "when"}})
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
	doc, err := dialect.Read(c.Dialect, root, c.Matcher.Options())
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
			return s.ReadAt(s.Path, n.Entries[0].Value)
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
