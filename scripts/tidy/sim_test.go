package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideSim lists, for every package of the room sim, the packages of the room that it may import.
var insideSim = map[string][]string{
	"sim":        {},
	"sim/fleet":  {"sim"},
	"sim/season": {"sim"},
	"sim/engine": {"sim", inSim("states"), inSim("pool"), inSim("servers"), inSim("world")},

	// Kinds of queues, which must not import each other.
	inSim("states"):  {"sim", inSim("rules"), inSim("lifecycle"), inSim("world")},
	inSim("pool"):    {"sim", inSim("rules"), inSim("lifecycle"), inSim("world")},
	inSim("servers"): {"sim", inSim("world")},

	// Packages that the kinds of queues share.
	inSim("rules"):     {"sim", inSim("lifecycle")},
	inSim("lifecycle"): {"sim", inSim("world")},
	inSim("world"):     {"sim"},
}

// inSim returns the path of a package inside sim/engine.
func inSim(name string) string { return "sim/engine/internal/" + name }

func TestImportsInsideSim(t *testing.T) {
	for _, p := range load(t) {
		if room(p.PkgPath) != "sim" {
			continue
		}
		allowed, known := insideSim[strings.TrimPrefix(p.PkgPath, module+"/")]
		if !known {
			t.Errorf("%s is not in the table insideSim; add it with the packages of the room that it may import", p.PkgPath)
		}
		for path := range p.Imports {
			if name, ours := strings.CutPrefix(path, module+"/"); ours && room(path) == "sim" && !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s; it may import %v", p.PkgPath, path, allowed)
			}
		}
	}
}
