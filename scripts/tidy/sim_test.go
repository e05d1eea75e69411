package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideSim lists, for every package below sim, which packages of the room it may import:
// imports run one way.
var insideSim = map[string][]string{
	"sim":                   {"sim/internal/splitmix"},
	"sim/internal/splitmix": {},
	"sim/engine":            {"sim", inSim("freelist"), inSim("registry"), inSim("roster"), inSim("timers")},
	inSim("freelist"):       {},
	inSim("registry"):       {},
	inSim("roster"):         {inSim("freelist")},
	inSim("timers"):         {},
}

// inSim returns the name of a package inside the engine.
func inSim(name string) string { return "sim/engine/internal/" + name }

func TestImportsInsideSim(t *testing.T) {
	for _, p := range load(t) {
		if room(p.PkgPath) != "sim" {
			continue
		}
		allowed, known := insideSim[strings.TrimPrefix(p.PkgPath, module+"/")]
		if !known {
			t.Errorf("%s: say in insideSim which packages of the room it may import", p.PkgPath)
		}
		for path := range p.Imports {
			if name, ours := strings.CutPrefix(path, module+"/"); ours && room(path) == "sim" && !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s: it may import %v", p.PkgPath, path, allowed)
			}
		}
	}
}
