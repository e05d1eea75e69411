package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config/attributes"
	"mmsim/cmd/mmsim/value"
	"mmsim/reports/outcome"
)

// Help returns the help text about configurations, with all settings.
func Help() string {
	var b strings.Builder
	b.WriteString(`A configuration is a YAML file of settings. Pass it with --config, and set or override single
keys with --set:

  mmsim run --config mmsim.yaml --set match.size=4 --set states.ideal.rtt=40ms

A dot in a key means a nested key: in the file, match.size=4 is

  match:
    size: 4

Every key is optional, and an unknown key is an error. Flags override the file, and a later flag
overrides an earlier one. Many keys also have a flag of their own, such as --seed. A value of
--set is YAML. A duration is written as 50ms, 10s, 1m30s or 24h. A path in a file is relative to
that file; a path on the command line is relative to the working directory.

"mmsim help config latency" lists only the keys of the section latency. A pattern such as
'report.*.good' also selects keys.

SETTINGS IN A RULESET. rules.KEY overrides a value in the vendor's file; the file itself stays
unchanged. Write the keys as in that file, and select an element of a list by its name or, if it
has none, by its index. The key must exist in the file. The value null removes it.

  --set rules.DifferenceRules.Skill.Difference=80
  --set rules.flexing_rule[1].duration=40

In a configuration file:

  rules: {file: queue.json, set: {DifferenceRules.Skill.Difference: 80}}

SEVERAL QUEUES. A key of one queue begins with queues.NAME or queues[INDEX]. Without that,
rules.KEY overrides the value in the ruleset of every queue.

  --set queues.duel.rules.MaxMatchSize=3
  --set queues[0].match.size=4

TERMS. A ticket is a player or a party that searches for a match. A tick is a step of the virtual
clock. At every tick, a matching pass makes matches from the waiting tickets. The placement
decides where tickets wait:

  datacenters  in a queue of each datacenter that their state admits. A ticket goes from the state
               IDEAL to EXPAND and then to WARMBODY. IDEAL and EXPAND admit the datacenters up to
               a maximum RTT. In WARMBODY, a ticket may join a match in any datacenter.
  pool         in one pool, from which a ruleset or your own matchmaker makes matches. A ticket
               that has waited for players.give_up_after gives up.
  servers      nowhere: there are no matches, and players join running servers, as in Roblox

KEYS. `)
	b.WriteString(HelpOf("*"))
	b.WriteString(`
GENERATORS. players.attributes maps the name of an attribute to a generator, which draws one
value for each player. A player's values depend on the seed, but on no other setting. If the data
has a column of that name, the column is used instead.

`)
	attributes.WriteHelp(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

// HelpOf describes every setting that matches one of the patterns, or returns "" if none does. A
// pattern is a key such as match.size, a section such as match, or a text with stars.
func HelpOf(patterns ...string) string {
	const legend = "The lines of each key are its default, its meaning and the accepted values.\n\n"
	var list strings.Builder
	for _, s := range Settings(Default()) {
		if slices.ContainsFunc(patterns, func(pattern string) bool {
			return outcome.MatchName(pattern, s.Path) || outcome.MatchName(pattern+".*", s.Path)
		}) {
			fmt.Fprintf(&list, "  %s: %s\n      %s\n      %s\n", s.Path, cmp.Or(value.Flow(s.Write()), "(unset)"), s.Meaning, s.Expects)
		}
	}
	if list.Len() == 0 {
		return ""
	}
	return legend + list.String()
}
