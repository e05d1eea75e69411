package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/dialect/vendor"
)

// ruleset is a vendor's file as a queue of the day goes by it.
type ruleset struct {
	file    string // as shown in messages
	dialect string
	text    []byte
	rules   *vendor.Rules
	follow  vendor.Follow
}

// Placements of tickets.
const (
	placementDatacenters = "datacenters"
	placementPool        = "pool"
	placementServers     = "servers"
)

// loadRules reads and compiles the ruleset of every queue. What is doubtful in
// them is a warning.
func (in *inputs) loadRules() error {
	c := in.config
	in.contents["rules"] = ""
	for i, q := range c.all() {
		key := ""
		if len(c.queues) > 0 {
			key = fmt.Sprintf("queues[%d].", i)
		}
		set, err := in.loadRuleset(key, q)
		if err != nil {
			return err
		}
		in.rulesets = append(in.rulesets, set)
		in.warnings = append(in.warnings, q.partyWarnings("players.parties", c.partySizes(), set)...)
	}
	in.ruleset = in.rulesets[0]
	return nil
}

// loadRuleset reads and compiles the ruleset of one queue, whose keys begin with the
// prefix; nil where the queue has none. It settles the queue's placement.
func (in *inputs) loadRuleset(prefix string, q *queueConfig) (*ruleset, error) {
	in.contents[prefix+"rules"] = ""
	if q.rules == "" {
		return nil, in.config.placeWithoutRules(prefix, q)
	}
	set, err := q.readRuleset(in.config.matcher.options())
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(set.text)
	in.contents[prefix+"rules"] = hex.EncodeToString(sum[:])
	if err := q.placeBy(set); err != nil {
		return nil, err
	}
	if q.placement == placementServers {
		if prefix != "" {
			return nil, in.config.errorf(prefix+"placement", "got servers beside other queues, expected a run of its own")
		}
		in.warnings = slices.Concat(in.warnings, set.rules.Warnings, set.rules.Lint(matcher.Never))
		return set, nil
	}
	if q.match.keepTogether {
		return nil, in.config.errorf(prefix+"match.keep_together", "got true with rules, expected false: a match has no room for itself as one party")
	}
	in.warnings = slices.Concat(in.warnings, in.lintRuleset(prefix, q, set))
	return set, nil
}

// lintRuleset lists what is doubtful about the ruleset of a queue and what settings
// have no effect beside it.
func (in *inputs) lintRuleset(prefix string, q *queueConfig, set *ruleset) []string {
	giveUpMS := matcher.Never
	if q.placement == placementPool {
		giveUpMS = in.config.players.giveUpAfter.Milliseconds()
	}
	warnings := slices.Concat(set.rules.Warnings, set.rules.Lint(giveUpMS), set.rules.Followed(set.file))
	if unused := q.match.unusedWithRules(prefix); len(unused) > 0 {
		warnings = append(warnings, strings.Join(unused, ", ")+": not used with rules, which say who plays with whom")
	}
	if q.placement == placementDatacenters && set.rules.Queue.Rules.Backfills() {
		warnings = append(warnings, set.file+": no running match takes further players (placement datacenters), though the rules ask for it")
	}
	if q.placement == placementDatacenters && set.rules.Queue.PicksRegion {
		warnings = append(warnings, set.file+": the region rule is served by the states IDEAL, EXPAND and WARMBODY (placement datacenters)")
	}
	return warnings
}

// readRuleset reads and compiles the queue's file.
func (q *queueConfig) readRuleset(options vendor.Options) (*ruleset, error) {
	text, err := input.ReadFile(shown(q.rules), rulesLimit)
	if err != nil {
		return nil, err
	}
	follow, _ := vendor.FollowOf(q.follow)
	return (&ruleset{file: shown(q.rules), text: text, follow: follow}).compile(q.dialect, options)
}

// compile compiles the text of a ruleset.
func (r *ruleset) compile(name string, options vendor.Options) (*ruleset, error) {
	set := &ruleset{file: r.file, text: r.text, follow: r.follow}
	options.Follow = r.follow
	root, err := jsontree.Parse(set.file, set.text)
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
	set.dialect, set.rules = d.Name, list[0]
	return set, nil
}

// placeWithoutRules settles the placement of a queue that has no ruleset; its keys
// begin with the prefix.
func (c *config) placeWithoutRules(prefix string, q *queueConfig) error {
	switch q.placement {
	case "":
		q.placement = placementDatacenters
	case placementPool:
		return c.errorf(prefix+"placement", "got pool without rules, expected a ruleset (rules) for a pool")
	case placementServers:
		if prefix != "" {
			return c.errorf(prefix+"placement", "got servers beside other queues, expected a run of its own")
		}
	}
	return nil
}

// placeBy settles the placement of a queue by its ruleset: one that says where
// players may meet needs a pool to say it in.
func (q *queueConfig) placeBy(set *ruleset) error {
	switch {
	case set.rules.Placement != nil && (q.placement == "" || q.placement == placementServers):
		q.placement = placementServers
	case set.rules.Placement != nil:
		return fmt.Errorf("%s: a %s configuration places players on servers, expected placement servers, got %s", set.file, set.dialect, q.placement)
	case q.placement == placementServers:
		return fmt.Errorf("%s: a %s ruleset makes matches, expected a %s configuration for placement servers",
			set.file, set.dialect, strings.Join(dialect.NamesThat(true), " or "))
	case q.placement == "" && set.rules.Queue.PicksRegion:
		q.placement = placementPool
	case q.placement == "":
		q.placement = placementDatacenters
	}
	return nil
}

// unusedWithRules lists the settings that differ from the default and have no
// effect on a queue with a ruleset.
func (m *matchConfig) unusedWithRules(prefix string) []string {
	var keys []string
	standard := defaultConfig().match
	if m.order != standard.order {
		keys = append(keys, prefix+"match.order")
	}
	if m.prefer != standard.prefer {
		keys = append(keys, prefix+"match.prefer")
	}
	if m.partnerCooldown != standard.partnerCooldown {
		keys = append(keys, prefix+"match.partner_cooldown")
	}
	if m.size != standard.size {
		keys = append(keys, prefix+"match.size")
	}
	return keys
}

// options are the settings of the matcher in the terms of the dialects.
func (m *matcherConfig) options() vendor.Options {
	return vendor.Options{
		Strict:         m.strict,
		ExpansionBasis: matcher.ExpansionBasis(slices.Index(expansionBases, m.expansionBasis)),
		OptionalBasis:  matcher.OptionalBasis(slices.Index(optionalBases, m.optionalBasis)),
		Budget:         m.budget,
		PartitionAbove: m.partitionAbove,
	}
}

// columnKinds are the kinds of the columns that rules go by. Where two rules
// differ, the first one counts.
func (in *inputs) columnKinds() map[string]datasets.Kind {
	kinds := map[string]datasets.Kind{}
	if in.config.placement == placementServers {
		return in.placedKinds()
	}
	for _, set := range in.rulesets {
		if set == nil {
			continue
		}
		for _, read := range set.rules.Queue.Reads {
			for _, name := range read.Names {
				if _, settled := kinds[name]; !settled {
					kinds[name] = kindOf(read)
				}
			}
		}
	}
	return kinds
}

// kindOf is the kind of column that a rule reads.
func kindOf(read matcher.Read) datasets.Kind {
	switch read.Kind {
	case matcher.IsNumber:
		return datasets.Number
	case matcher.IsSet:
		return datasets.List
	}
	return datasets.Text
}

// checkRegions finds the datacenters of every region, and that no region has the name
// of a datacenter that stands for itself.
func (in *inputs) checkRegions() error {
	var known, grouped []string
	for _, dc := range in.datacenters {
		known = append(known, dc.Name)
	}
	regions := slices.Sorted(maps.Keys(in.config.regions))
	for _, region := range regions {
		for _, name := range in.config.regions[region] {
			if !slices.Contains(known, name) {
				return in.config.errorf("regions."+region, "got %q, expected datacenters of the list: %s%s",
					name, strings.Join(known, ", "), didYouMean(name, known))
			}
			grouped = append(grouped, name)
		}
	}
	for _, region := range regions {
		if slices.Contains(known, region) && !slices.Contains(grouped, region) {
			return in.config.errorf("regions."+region, "got %s, but the datacenter %s, in no region, is one of that name: expected it in a region, or another name for this one",
				strings.Join(in.config.regions[region], ", "), region)
		}
	}
	return nil
}
