package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Help returns the help text about configurations, with all settings.
func Help() string {
	var generators strings.Builder
	section.WriteGenerators(&generators)
	return helpBeforeKeys + HelpOf("*") + helpAfterKeys + strings.TrimSuffix(generators.String(), "\n")
}

const helpBeforeKeys = `A configuration is a YAML file of settings. Pass it with --config, and set or override single
keys with --set:

  mmsim run --config mmsim.yaml --set match.size=4 --set states.ideal.rtt=40ms

In the file, a dot in a key becomes nesting. match.size=4 is written as

  match:
    size: 4

Every key is optional, and an unknown key is an error. Flags override the file, and a later flag
overrides an earlier one. Many keys also have a flag of their own, such as --seed. The value in
--set KEY=VALUE is YAML. A duration is written as 50ms, 10s, 1m30s or 24h. A path in a file is
relative to that file; a path on the command line is relative to the working directory.

"mmsim help config latency" lists only the keys of the section latency. You can also give a single
key, a pattern such as 'report.*.good', or words to search for in the keys and their meanings.

RULESETS. The key rules names a file as the vendor exports it. If the file has several rulesets,
rules: queues.json#Ranked selects one of them, and rules: queues.json#* makes a queue for each of
them, with equal shares. If a file has the whole name, with the # in it, that file is used. The answer
of AWS' describe-matchmaking-rule-sets is such a file, too. Comments (// and /* */) and commas after
the last entry give a warning; with matcher.strict, they are errors.

SETTINGS IN A RULESET. If the key rules names a vendor's ruleset, the key rules.KEY overrides the
value of KEY in the ruleset; the file itself does not change. Write KEY as it is nested in the file.
Select an element of a list by its name or, if it has no name, by its index. KEY must exist in the
file. The value null removes it. In a file with several rulesets, KEY begins inside the ruleset.

  --set rules.DifferenceRules.Skill.Difference=80
  --set rules.flexing_rule[1].duration=40

In a configuration file:

  rules: {file: queue.json, set: {DifferenceRules.Skill.Difference: 80}}

SEVERAL QUEUES. If the configuration has several queues, a key of one queue begins with queues.NAME
or queues[INDEX]. rules.KEY without such a beginning overrides the value in the rulesets of all
queues.

  --set queues.duel.rules.MaxMatchSize=3
  --set queues[0].match.size=4

TERMS. A ticket is a player or a party that searches for a match. A tick is a step of the virtual
clock. At every tick, a matching pass makes matches from the waiting tickets. The key placement
decides where tickets wait:

  datacenters  in queues, of which each datacenter has one. A ticket goes through the states IDEAL,
               EXPAND and WARMBODY. In IDEAL and EXPAND, it waits in the queues of all datacenters
               to which its RTT is low enough (states.ideal.rtt, states.expand.rtt); a state with
               no such datacenter is skipped. In WARMBODY, it may join a match in any datacenter.
               This is the default without a ruleset. With a ruleset, the states replace its region
               rule, and its other rules decide which tickets play together.
  pool         in one pool, from which a ruleset or an external matchmaker makes matches. A ticket
               that has waited for players.give_up_after gives up. This is the default for a
               ruleset that makes matches. A match is in the datacenter, of the region that the
               rules choose, in which the highest RTT of its players is lowest. PlayFab and
               FlexMatch rules without a region rule do not see RTTs: they match players from
               anywhere, and the match is in the best of all datacenters. AccelByte rules without
               one use the service's own range of RTTs.
  servers      nowhere: there are no matches, and players join running servers, as in Roblox

KEYS. `

const helpAfterKeys = `
GENERATORS. players.attributes maps the name of an attribute to a generator, which draws the
attribute's values. If the data has a column with the name of the attribute, mmsim uses the
column instead. The values depend on seed and run, but not on the settings of the matchmaking.

`

// HelpOf describes every setting that the texts select, or returns "" if they select none. A text is
// a key such as match.size, a section such as match, or a pattern with stars; any other text is a
// word to search for, in keys and meanings.
func HelpOf(texts ...string) string {
	const legend = "Each key has three lines: the key with its default, its meaning, and the values that it accepts.\n\n"
	all := Settings(Default())
	matches := func(wanted, key string) bool {
		return outcome.MatchesPattern(wanted, key) || outcome.MatchesPattern(wanted+".*", key)
	}
	query := words.NewQuery(texts, func(text string) bool {
		return slices.ContainsFunc(all, func(s Setting) bool { return matches(text, s.Path) })
	})
	var list strings.Builder
	found := slices.DeleteFunc(slices.Clone(all), func(s Setting) bool {
		return !query.Selects(s.Path, s.Meaning, func(wanted string) bool { return matches(wanted, s.Path) })
	})
	for _, s := range found {
		fmt.Fprintf(&list, "  %s: %s\n      %s\n      %s\n", s.Path, cmp.Or(value.Flow(s.Write("")), "(unset)"), s.Meaning, s.Expects)
	}
	switch len(found) {
	case 0:
		return ""
	case 1:
		list.WriteString(partsOf(&found[0]))
	case len(all):
		return legend + list.String()
	}
	return fmt.Sprintf("%d of %d keys match. ", len(found), len(all)) + legend + list.String()
}

// partsOf describes the keys inside a setting, or returns "" if it has none.
func partsOf(s *Setting) string {
	if s.Parts == nil {
		return ""
	}
	var list strings.Builder
	list.WriteString("\nKeys inside it, with their meaning and the values that they accept:\n\n")
	for _, part := range s.Parts() {
		fmt.Fprintf(&list, "  %s\n", yamltree.Join(s.Path, part.Path))
		if part.Meaning != "" {
			fmt.Fprintf(&list, "      %s\n", part.Meaning)
		}
		fmt.Fprintf(&list, "      %s\n", part.Expects)
	}
	return list.String()
}

// Schema returns the JSON Schema of configurations.
func Schema() value.Schema {
	return described().keys.Schema().With("type", []string{"object", "null"})
}

// TopKeys lists the keys at the top of a configuration, most of which are sections.
func TopKeys() []string { return described().keys.Names() }

// SchemasOfKeys returns the JSON Schemas of all keys that --set accepts, including sections. In
// keys such as players.parties.2, the user chooses the last part. patterns has the schemas of
// such keys, by regular expression.
func SchemasOfKeys() (keys, patterns map[string]value.Schema) {
	all := described().keys
	keys, patterns = map[string]value.Schema{}, map[string]value.Schema{}
	for _, s := range all.Keys {
		for j, letter := range s.Path {
			if section := s.Path[:j]; letter == '.' && all.Find(section) == nil {
				keys[section] = value.Schema{"type": []string{"object", "null"}}
			}
		}
		keys[s.Path] = all.SchemaAt(s.Path)
		if s.Entry != nil {
			patterns["^"+regexp.QuoteMeta(s.Path+".")+"[^.]+$"] = s.Schema()["additionalProperties"].(value.Schema)
		}
	}
	patterns[`^rules\.`] = value.Schema{} // the ruleset's dialect checks these
	patterns[`^queues(\[|\.).`] = value.Schema{}
	return keys, patterns
}
