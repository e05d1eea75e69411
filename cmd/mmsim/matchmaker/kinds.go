// Package matchmaker is the table of the ways to reach a matchmaker outside of mmsim, for
// --matcher KIND:TARGET.
//
// A new way is a folder below this one with a [transport.Kind], and its line in the table.
package matchmaker

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/matchmaker/program"
	"mmsim/cmd/mmsim/matchmaker/transport"
)

// Kinds lists the ways to reach a matchmaker.
func Kinds() []transport.Kind {
	return []transport.Kind{program.Kind()}
}

// Parse returns the kind and the target of a text such as "exec:python3 mm.py".
func Parse(text string) (transport.Kind, string, error) {
	var names []string
	name, target, _ := strings.Cut(text, ":")
	for _, k := range Kinds() {
		if k.Name == name && target != "" {
			if k.Check != nil {
				return k, target, k.Check(target)
			}
			return k, target, nil
		}
		names = append(names, k.Name+":"+k.Target)
	}
	return transport.Kind{}, "", fmt.Errorf("expected one of %s", strings.Join(names, ", "))
}
