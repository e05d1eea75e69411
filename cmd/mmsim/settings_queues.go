package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/sim"
)

// queues is the setting of several queues. An entry is read when all other settings
// are, because what it does not say is as they say it: see resolveQueues.
func queues(c *config) value.Value {
	return value.Value{
		Expects: fmt.Sprintf("a list of up to %d queues, such as [{name: duel, share: 0.3, rules: duel.json}, …]", sim.MaxQueues),
		Write:   func() any { return c.writtenQueues(nil) },
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

// queueSettings binds the keys of one entry of queues to its fields. Their paths
// begin with the prefix.
func queueSettings(prefix string, q *queueConfig) []setting {
	placements := []string{placementDatacenters, placementPool}
	list := slices.Concat([]setting{
		{"name", "name of the queue in the results", value.Required(value.Label(&q.name))},
		{"share", "share of the parties that play in it", value.Number(&q.share, value.Limits{High: 1, LowOpen: true})},
		{"when", "attribute and value of the parties that play in it", when(&q.when)},
		{"placement", "where a ticket waits", value.Optional(&q.placement, value.Choice(&q.placement, placements))},
	}, matchSettings(&q.match), rulesetSettings(q))
	for i := range list {
		list[i].path = prefix + list[i].path
	}
	return list
}

// condition says which parties play in a queue: those whose first player has the
// value in the attribute. The zero condition is none.
type condition struct{ attribute, value string }

// when is a setting that is a condition.
func when(p *condition) value.Value {
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
			*p = condition{is.Key.Text, is.Value.Text}
			return nil
		},
		Write: func() any { return yaml.MapSlice{{Key: p.attribute, Value: p.value}} },
	}
}

// writtenQueues is what the resolved configuration shows of the queues, with the
// values of instead where it has one.
func (c *config) writtenQueues(instead map[string]string) []yaml.MapSlice {
	list := []yaml.MapSlice{}
	for i := range c.queues {
		q, prefix := &c.queues[i], fmt.Sprintf("queues[%d].", i)
		var tree yaml.MapSlice
		for _, s := range ends(queueSettings(prefix, q)) {
			path := strings.TrimPrefix(s.path, prefix)
			if path == "share" && q.share == 0 || path == "when" && q.when == (condition{}) {
				continue
			}
			written := s.Write()
			if replacement, ok := instead[s.path]; ok {
				written = replacement
			}
			tree = insert(tree, strings.Split(path, "."), written)
		}
		list = append(list, tree)
	}
	return list
}

// resolveQueues reads the entries of queues over what holds for all.
func (l *loader) resolveQueues() error {
	c := l.config
	c.queues = nil
	for i, n := range c.queueNodes {
		q := c.queueConfig
		prefix := fmt.Sprintf("queues[%d]", i)
		entry := &loader{config: c, settings: queueSettings(prefix+".", &q)}
		if err := entry.apply(prefix, n); err != nil {
			return err
		}
		switch {
		case q.name == "":
			return n.Errorf("%s.name: got nothing, expected a name", prefix)
		case slices.ContainsFunc(c.queues, func(other queueConfig) bool { return other.name == q.name }):
			return n.Errorf("%s.name: got %q twice, expected it once", prefix, q.name)
		case q.share > 0 && q.when != (condition{}):
			return n.Errorf("%s: got both share and when, expected one of them", prefix)
		}
		c.queues = append(c.queues, q)
	}
	return l.checkShares()
}

// checkShares checks that every party has a queue to play in. An entry that says
// neither share nor when is for the rest, and there is one at most.
func (l *loader) checkShares() error {
	c, sum, shares, rest := l.config, 0.0, 0, -1
	for i := range c.queues {
		switch q := &c.queues[i]; {
		case q.share > 0:
			sum += q.share
			shares++
		case q.when == (condition{}) && rest >= 0:
			return c.queueNodes[i].Errorf("queues[%d]: got neither share nor when, as queues[%d], expected one of them", i, rest)
		case q.when == (condition{}):
			rest = i
		}
	}
	switch {
	case rest >= 0 && shares > 0:
		return c.queueNodes[rest].Errorf("queues[%d]: got neither share nor when, expected one of them where others have a share", rest)
	case shares > 0 && math.Abs(sum-1) > 0.005:
		return c.queueNodes[0].Errorf("queues: got shares that sum to %.4g, expected 1", sum)
	}
	return nil
}

// all lists the queues of a run: those of the list, or else the one that the
// configuration describes by itself.
func (c *config) all() []*queueConfig {
	if len(c.queues) == 0 {
		return []*queueConfig{&c.queueConfig}
	}
	list := make([]*queueConfig, len(c.queues))
	for i := range c.queues {
		list[i] = &c.queues[i]
	}
	return list
}
