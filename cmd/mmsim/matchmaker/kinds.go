// Package matchmaker has the table of transports to external matchmakers, which --matcher
// KIND:TARGET selects, and those that exchange lines of JSON: programs, WebAssembly modules and
// recordings. Services that speak gRPC have a package each in a subfolder.
//
// To add a transport, add a [transport.Kind] and a line in the table.
package matchmaker

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/matchmaker/accelbyte"
	"mmsim/cmd/mmsim/matchmaker/openmatch"
	"mmsim/cmd/mmsim/matchmaker/transport"
)

// Kinds lists the transports.
func Kinds() []transport.Kind {
	return []transport.Kind{execKind(), wasmKind(), openmatch.Kind(), accelbyte.Kind(), replayKind()}
}

// Targets lists the forms of --matcher, such as "exec:COMMAND".
func Targets() []string {
	var list []string
	for _, k := range Kinds() {
		list = append(list, k.Name+":"+k.Target)
	}
	return list
}

// Parse splits a matchmaker such as "exec:python3 mm.py" into its kind and target.
func Parse(text string) (transport.Kind, string, error) {
	name, target, _ := strings.Cut(text, ":")
	for _, k := range Kinds() {
		if k.Name == name && target != "" {
			if k.Check != nil {
				return k, target, k.Check(target)
			}
			return k, target, nil
		}
	}
	return transport.Kind{}, "", fmt.Errorf("%q", text)
}
