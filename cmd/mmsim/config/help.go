package config

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/value"
)

// Help writes the table of settings for people.
func Help() string {
	var b strings.Builder
	b.WriteString(`A configuration is a YAML file given with --config; every key is optional, and an
unknown one is an error. Dots below are nesting:

  match:
    size: 4

is match.size. Each key can be given on the command line as --set match.size=4
(a YAML value; repeat it for more), and the common ones have flags of their own.
Later wins: defaults, then the file, then flags in the order they are written.
Paths in a file are relative to that file, on the command line to the working
directory. Durations are written as 50ms, 10s, 1m30s or 24h.

Values inside the file that rules names are set by the names in that file, elements of a
list by their names or, where they have none, by their index:

  --set rules.DifferenceRules.Skill.Difference=80
  --set rules.flexing_rule[1].duration=40

The file must have the key; null removes its value. In a configuration the same is
rules: {file: queue.json, set: {DifferenceRules.Skill.Difference: 80}}. The keys of one of
several queues begin with its place or its name: --set queues[0].match.size=4,
--set queues.duel.rules.MaxMatchSize=3. Without that, they are set in the file of every queue.

`)
	for _, s := range Settings(Default()) {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n      %s\n", s.Path, value.Flow(s.Write()), s.Meaning, s.Expects)
	}
	b.WriteString(`
Attributes that the data does not have are drawn once for every player, the same
whatever else changes. players.attributes maps a name to one generator:

`)
	for _, g := range generators {
		fmt.Fprintf(&b, "  {%s: %s}\n      %s\n", g.name, g.form, g.about)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
