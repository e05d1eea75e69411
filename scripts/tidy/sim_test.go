package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideSim lists, for every package of the room sim, the packages of the room that it may import.
var insideSim = map[string][]string{
	"sim":                   {"sim/internal/splitmix"},
	"sim/internal/splitmix": {},
	"sim/engine":            {"sim", inSim("run"), inSim("lifecycle"), inSim("waiting"), inSim("states"), inSim("packed"), inSim("ruled"), inSim("pool"), inSim("servers"), inSim("capture")},

	// Kinds of queues, which must not import each other.
	inSim("states"):  {"sim", inSim("run"), inSim("lifecycle"), inSim("store"), inSim("waiting")},
	inSim("pool"):    {"sim", inSim("run"), inSim("lifecycle"), inSim("store"), inSim("rules"), inSim("capture"), inSim("freelist"), inSim("timers")},
	inSim("servers"): {"sim", inSim("run"), inSim("freelist"), inSim("timers")},

	// Ways to form groups in a queue with states.
	inSim("packed"): {"sim", inSim("lifecycle"), inSim("store"), inSim("waiting")},
	inSim("ruled"):  {"sim", inSim("lifecycle"), inSim("store"), inSim("waiting"), inSim("rules")},

	// Packages that the ones above share.
	inSim("rules"):     {"sim", inSim("lifecycle"), inSim("store")},
	inSim("lifecycle"): {"sim", inSim("run"), inSim("store"), inSim("capture"), inSim("freelist"), inSim("roster"), inSim("timers")},
	inSim("waiting"):   {"sim", inSim("store")},
	inSim("store"):     {"sim", inSim("freelist"), inSim("roster")},
	inSim("run"):       {"sim"},
	inSim("capture"):   {"sim"},
	inSim("roster"):    {inSim("freelist")},
	inSim("freelist"):  {},
	inSim("timers"):    {},
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
