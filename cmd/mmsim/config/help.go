package config

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/value"
)

// Help returns the table of settings as text.
func Help() string {
	var b strings.Builder
	b.WriteString(`A configuration is a YAML file, given with --config. Every key is optional; an unknown
key is an error. The dots below mean nesting:

  match:
    size: 4

is match.size. Every key can be set on the command line with --set match.size=4 (a YAML
value; the flag can be repeated), and the common keys have flags of their own. The
configuration file overrides the defaults, and flags override the file, in their order. Paths
in a file are relative to that file, paths on the command line to the working directory.
Durations are written as 50ms, 10s, 1m30s or 24h.

To set values inside the file of rules, use the names in that file. List elements have their
name or, without one, their index:

  --set rules.DifferenceRules.Skill.Difference=80
  --set rules.flexing_rule[1].duration=40

The file must have the key; null removes its value. In a configuration, write rules: {file:
queue.json, set: {DifferenceRules.Skill.Difference: 80}}. With several queues, the key starts
with the index or name of a queue: --set queues[0].match.size=4, --set
queues.duel.rules.MaxMatchSize=3. Without it, the value is set in the file of every queue.

`)
	for _, s := range Settings(Default()) {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n      %s\n", s.Path, value.Flow(s.Write()), s.Meaning, s.Expects)
	}
	b.WriteString(`
Attributes that the data lacks are drawn once for every player, independently of all other
settings. players.attributes maps a name to one generator:

`)
	for _, g := range generators {
		fmt.Fprintf(&b, "  {%s: %s}\n      %s\n", g.name, g.form, g.about)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
