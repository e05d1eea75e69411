package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/sim"
)

// queues returns the setting that lists several queues. Reading only records the elements:
// resolveQueues reads them after all other settings, because those are the elements' defaults.
func queues(c *Config) value.Value {
	v := value.ListOf(&c.Queues, fmt.Sprintf("a list of up to %d queues, such as [{name: duel, share: 0.3, match: {size: 2}}, {name: team, share: 0.7}]", sim.MaxQueues),
		func(q *Queue) value.Value { return queueKeys(q).Value() })
	v.Unset = nil // configurations that people keep have it
	v.Schema = func() value.Schema {
		one := queueKeys(&Queue{}).Schema().With("required", []string{"name"}).
			With("not", value.Schema{"required": []string{"share", "when"}})
		return value.NullableSchema(value.ListSchema(one, 0).With("maxItems", sim.MaxQueues))
	}
	v.Read = func(n yamltree.Node) error {
		switch {
		case n.Kind != yamltree.List && n.Kind != yamltree.Null:
			return n.Misfit()
		case len(n.Elements) > sim.MaxQueues:
			return fmt.Errorf("%d", len(n.Elements))
		}
		c.queueNodes = n.Elements
		return nil
	}
	return v
}

// queueKeys has the keys of one element of the list queues.
func queueKeys(q *Queue) *value.Object {
	placements := []string{PlacementDatacenters, PlacementPool}
	return &value.Object{Advice: keysAdvice, Keys: slices.Concat([]Setting{
		value.Named("name", "name of the queue in the results", value.Required(value.Label(&q.Name))),
		value.Named("share", "share of the parties that play in this queue", value.ByDefault(&q.Share, 0, value.Share(&q.Share, value.Limits{High: 1, LowOpen: true}))),
		value.Named("when", "attribute and value: parties whose first player has this value play in this queue", value.ByDefault(&q.When, Condition{}, when(&q.When))),
		value.Named("placement", "where tickets wait", value.Optional(&q.Placement, value.Choice(&q.Placement, placements))),
	}, matchSettings(&q.Match), rulesetSettings(q))}
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
		Write: func(string) any { return yaml.MapSlice{{Key: p.Attribute, Value: p.Value}} },
		Schema: func() value.Schema {
			return value.MapSchema(value.FilledSchema()).With("minProperties", 1).With("maxProperties", 1)
		},
	}
}

// queuesWith returns the list of queues as it is written, but with the values in replacements, by key.
func (c *Config) queuesWith(folder string, replacements map[string]string) []any {
	list := []any{}
	for i := range c.Queues {
		list = append(list, queueKeys(&c.Queues[i]).Write(func(k *value.Key) any {
			if replacement, ok := replacements[fmt.Sprintf("queues[%d].%s", i, k.Path)]; ok {
				return replacement
			}
			return k.Write(folder)
		}))
	}
	return list
}

// resolveQueues reads the elements of the list queues. Settings outside the list are their
// defaults.
func (l *loader) resolveQueues() error {
	c := l.config
	c.Queues = nil
	var faults []error
	for i, n := range c.queueNodes {
		q := c.Queue
		q.RuleKeys = slices.Clone(q.RuleKeys)
		n.Path = fmt.Sprintf("queues[%d]", i)
		keys := queueKeys(&q)
		keys.Note = c.note
		faults = append(faults, keys.Value().ReadAt(n.Path, n))
		faults = append(faults, l.applyQueueKeys(keys, n.Path, q.Name)...)
		switch name := n; {
		case value.Joined(faults) != nil:
			continue
		case q.Name == "":
			name.Path += ".name"
			return name.Errorf("got nothing, expected a name")
		case slices.ContainsFunc(c.Queues, func(other Queue) bool { return other.Name == q.Name }):
			name.Path += ".name"
			return name.Errorf("got %q twice, expected it once", q.Name)
		case q.Share > 0 && q.When != (Condition{}):
			return n.Errorf("got both share and when, expected one of them")
		}
		c.Queues = append(c.Queues, q)
	}
	if err := value.Joined(faults); err != nil {
		return err
	}
	if err := l.checkQueueKeys(); err != nil {
		return err
	}
	return l.checkShares()
}

// isQueueKey keeps a key that belongs to one queue but is written outside of that queue's entry, for
// resolveQueues. Such a key names the queue by index or name, as in queues[0].match.size or
// queues.duel.match.size.
func (l *loader) isQueueKey(path string, key, n yamltree.Node) bool {
	is := isQueueKey(path)
	if n.Path = path; is {
		l.queueKeys = append(l.queueKeys, yamltree.Entry{Key: key, Value: n})
	}
	return is
}

// isQueueKey reports whether a path is the key of one queue.
func isQueueKey(path string) bool {
	rest, below := strings.CutPrefix(path, "queues")
	return below && strings.Contains(rest, ".") && (rest[0] == '.' || rest[0] == '[')
}

// IsPlacedKey reports whether a key is inside a ruleset or belongs to one of several queues.
// Whether such a key exists can only be checked with the whole configuration.
func IsPlacedKey(key string) bool { return strings.HasPrefix(key, "rules.") || isQueueKey(key) }

// applyQueueKeys applies the keys in l.queueKeys that belong to one queue, and removes them from the
// list. They name the queue by its prefix, such as queues[0], or by its name.
func (l *loader) applyQueueKeys(keys *value.Object, prefix, name string) (faults []error) {
	l.queueKeys = slices.DeleteFunc(l.queueKeys, func(k yamltree.Entry) bool {
		rest, is := strings.CutPrefix(k.Value.Path, prefix+".")
		if !is && name != "" {
			rest, is = strings.CutPrefix(k.Value.Path, "queues."+name+".")
		}
		if is {
			faults = append(faults, keys.Set(prefix, rest, k.Key, k.Value))
		}
		return is
	})
	return faults
}

// checkQueueKeys rejects keys of a queue that does not exist, which are left.
func (l *loader) checkQueueKeys() error {
	var known []string
	for i := range l.config.Queues {
		known = append(known, "queues."+l.config.Queues[i].Name, fmt.Sprintf("queues[%d]", i))
	}
	if len(l.queueKeys) == 0 {
		return nil
	}
	key, path := l.queueKeys[0].Key, l.queueKeys[0].Value.Path
	if len(known) == 0 {
		return key.Errorf("unknown key %q: there are no queues", path)
	}
	// The queue's name ends at the first dot after "queues.".
	end := len("queues.") + strings.IndexByte(path[len("queues."):], '.')
	return key.Errorf("unknown key %q: no such queue%s", path, input.DidYouMean(path[:end], known))
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

// QueuePrefix returns the beginning of the keys of the i-th queue. It is "" without a list of queues.
func (c *Config) QueuePrefix(i int) string {
	if len(c.Queues) == 0 {
		return ""
	}
	return fmt.Sprintf("queues[%d].", i)
}

// AsksProgram reports whether a program or a service makes the matches of any queue. Its
// answers may depend on more than the configuration and its files.
func (c *Config) AsksProgram() bool {
	return slices.ContainsFunc(c.AllQueues(), func(q *Queue) bool { return q.External.AsksProgram() })
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
	doc, err := dialect.Read(c.Dialect, root, c.Matcher.CompileOptions)
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
	return l.keys.Find("queues").ReadAt("queues", n.Entries[0].Value)
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
