package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// MaxRulesBytes bounds a vendor's ruleset. The largest that a vendor takes are far
// smaller; each dialect knows its own limit.
const MaxRulesBytes = jsontree.BytesMax

// RulesLimit is that bound as messages name it.
var RulesLimit = input.Limit{Name: "MaxRulesBytes", Bytes: MaxRulesBytes, Expected: "a ruleset"}

// Ruleset is a vendor's file as a queue of the day goes by it.
type Ruleset struct {
	File    string // as shown in messages
	Dialect string
	Text    []byte
	Rules   *vendor.Rules
	follow  vendor.Follow
}

// ReadRuleset reads the queue's file, sets its keys in it and compiles it.
func (q *Queue) ReadRuleset(options vendor.Options) (*Ruleset, error) {
	text, err := input.ReadFile(input.Shown(q.Rules), RulesLimit)
	if err != nil {
		return nil, err
	}
	follow, _ := vendor.FollowOf(q.Follow)
	set := &Ruleset{File: input.Shown(q.Rules), Text: text, follow: follow}
	if len(q.RuleKeys) == 0 {
		return set.Compile(q.Dialect, options)
	}
	return set.compileWith(q.RuleKeys, q.Dialect, options)
}

// Compile compiles the text of a ruleset.
func (r *Ruleset) Compile(name string, options vendor.Options) (*Ruleset, error) {
	set := &Ruleset{File: r.File, Text: r.Text, follow: r.follow}
	options.Follow = r.follow
	root, err := jsontree.Parse(set.File, set.Text)
	if err != nil {
		return nil, err
	}
	d, err := dialect.Of(name, root)
	if err != nil {
		return nil, err
	}
	list, err := d.Compile(root, options)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, root.Errorf("the file holds %d queues, expected one: leave the one to simulate", len(list))
	}
	set.Dialect, set.Rules = d.Name, list[0]
	return set, nil
}

// compileWith compiles the ruleset with other values of some keys. What the dialect says of
// them names the key.
func (r *Ruleset) compileWith(keys []RuleKey, dialect string, options vendor.Options) (*Ruleset, error) {
	set, err := r.patched(keys)
	if err != nil {
		return nil, err
	}
	if set, err = set.Compile(dialect, options); err == nil {
		return set, nil
	}
	if _, own := r.Compile(dialect, options); own != nil {
		return nil, own
	}
	// The key to blame is one without which the others are sound.
	blamed := &keys[len(keys)-1]
	for i := range keys {
		others, faulty := r.patched(slices.Concat(keys[:i], keys[i+1:]))
		if faulty != nil {
			continue
		}
		if _, faulty = others.Compile(dialect, options); faulty == nil {
			blamed = &keys[i]
		}
	}
	var placed *jsontree.Error
	if errors.As(err, &placed) { // its excerpt would show a line that no file has
		return nil, blamed.errorf("%s: %s", placed.Place, placed.Message)
	}
	return nil, blamed.errorf("%v", err)
}

// patched is the ruleset with other values of some keys.
func (r *Ruleset) patched(keys []RuleKey) (*Ruleset, error) {
	text, err := patched(r.File, r.Text, keys)
	return &Ruleset{File: r.File, Text: text, follow: r.follow}, err
}

// RuleValue is the value of a key inside a ruleset, such as rules.MaxMatchSize or
// queues[0].rules.MaxMatchSize; "" where there is no such key.
func (c *Config) RuleValue(key string) string {
	for i, q := range c.AllQueues() {
		inner, isOf := strings.CutPrefix(key, "rules.")
		for _, prefix := range []string{fmt.Sprintf("queues[%d].rules.", i), "queues." + q.Name + ".rules."} {
			if !isOf {
				inner, isOf = strings.CutPrefix(key, prefix)
			}
		}
		if !isOf || q.Rules == "" {
			continue
		}
		set, err := q.ReadRuleset(c.Matcher.Options())
		if err != nil {
			return ""
		}
		text, _ := ruleText(set.File, set.Text, inner)
		return text
	}
	return ""
}

// settle decides where the tickets of each queue wait, by its ruleset where it has one, and
// checks what does not go together with rules. The warm-up period depends on both.
func (c *Config) settle() error {
	for i, q := range c.AllQueues() {
		prefix := ""
		if len(c.Queues) > 0 {
			prefix = fmt.Sprintf("queues[%d].", i)
		}
		if err := c.settleQueue(prefix, q); err != nil {
			return input.Bad(err)
		}
	}
	c.settleWarmup()
	return nil
}

// settleQueue settles a queue whose keys begin with the prefix.
func (c *Config) settleQueue(prefix string, q *Queue) error {
	switch {
	case q.Rules == "" && len(q.RuleKeys) > 0:
		k := q.RuleKeys[0]
		return k.errorf("got a key of a ruleset, expected %srules to name one", prefix)
	case q.Rules == "":
		return c.placeWithoutRules(prefix, q)
	}
	set, err := q.ReadRuleset(c.Matcher.Options())
	if err != nil {
		return err
	}
	if err := q.placeBy(set); err != nil {
		return err
	}
	switch {
	case q.Placement == PlacementServers && prefix != "":
		return c.Errorf(prefix+"placement", "got servers beside other queues, expected a run of its own")
	case q.Placement != PlacementServers && q.Match.KeepTogether:
		return c.Errorf(prefix+"match.keep_together", "got true with rules, expected false: a match has no room for itself as one party")
	}
	return nil
}

// placeWithoutRules settles the placement of a queue that has no ruleset; its keys
// begin with the prefix.
func (c *Config) placeWithoutRules(prefix string, q *Queue) error {
	switch q.Placement {
	case "":
		q.Placement = PlacementDatacenters
	case PlacementPool:
		return c.Errorf(prefix+"placement", "got pool without rules, expected a ruleset (rules) for a pool")
	case PlacementServers:
		if prefix != "" {
			return c.Errorf(prefix+"placement", "got servers beside other queues, expected a run of its own")
		}
	}
	return nil
}

// placeBy settles the placement of a queue by its ruleset: one that says where
// players may meet needs a pool to say it in.
func (q *Queue) placeBy(set *Ruleset) error {
	switch {
	case set.Rules.Placement != nil && (q.Placement == "" || q.Placement == PlacementServers):
		q.Placement = PlacementServers
	case set.Rules.Placement != nil:
		return fmt.Errorf("%s: a %s configuration places players on servers, expected placement servers, got %s", set.File, set.Dialect, q.Placement)
	case q.Placement == PlacementServers:
		return fmt.Errorf("%s: a %s ruleset makes matches, expected a %s configuration for placement servers",
			set.File, set.Dialect, strings.Join(dialect.NamesThat(true), " or "))
	case q.Placement == "" && set.Rules.Queue.PicksRegion:
		q.Placement = PlacementPool
	case q.Placement == "":
		q.Placement = PlacementDatacenters
	}
	return nil
}

// UnusedWithRules lists the settings that differ from the default and have no
// effect on a queue with a ruleset.
func (m *Match) UnusedWithRules(prefix string) []string {
	var keys []string
	standard := Default().Match
	if m.Order != standard.Order {
		keys = append(keys, prefix+"match.order")
	}
	if m.Prefer != standard.Prefer {
		keys = append(keys, prefix+"match.prefer")
	}
	if m.PartnerCooldown != standard.PartnerCooldown {
		keys = append(keys, prefix+"match.partner_cooldown")
	}
	if m.Size != standard.Size {
		keys = append(keys, prefix+"match.size")
	}
	return keys
}

// Options are the settings of the matcher in the terms of the dialects.
func (m *Matcher) Options() vendor.Options {
	return vendor.Options{
		Strict:         m.Strict,
		ExpansionBasis: matcher.ExpansionBasis(slices.Index(ExpansionBases, m.ExpansionBasis)),
		OptionalBasis:  matcher.OptionalBasis(slices.Index(OptionalBases, m.OptionalBasis)),
		Budget:         m.Budget,
		Batch:          m.Batch,
		PartitionAbove: m.PartitionAbove,
	}
}

// KindOf is the kind of column that a rule reads.
func KindOf(read matcher.Read) datasets.Kind {
	switch read.Kind {
	case matcher.IsNumber:
		return datasets.Number
	case matcher.IsSet:
		return datasets.List
	}
	return datasets.Text
}
