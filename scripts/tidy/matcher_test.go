package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideMatcher lists, for every package of the room matcher, the packages of the room that it may
// import. The folders of vendors below matcher/dialect share the entry aVendor.
var insideMatcher = map[string][]string{
	"matcher":                   {},
	"matcher/engine":            {"matcher", inEngine("store"), inEngine("criterion"), inEngine("candidate"), inEngine("clique"), inEngine("around"), inEngine("accelpage"), inEngine("accelservice"), inEngine("seating"), inEngine("split"), "matcher/internal/ranges"},
	inEngine("store"):           {"matcher"},
	inEngine("split"):           {},
	inEngine("reach"):           {"matcher", inEngine("store")},
	inEngine("criterion"):       {"matcher", inEngine("store"), inEngine("reach")},
	inEngine("candidate"):       {"matcher/heap", inEngine("store"), "matcher/internal/ranges"},
	inEngine("clique"):          {"matcher", inEngine("store"), inEngine("criterion"), inEngine("candidate"), "matcher/internal/ranges"},
	inEngine("around"):          {"matcher", inEngine("store"), inEngine("reach"), inEngine("criterion"), inEngine("candidate")},
	inEngine("accelpage"):       {"matcher", inEngine("around"), inEngine("store"), inEngine("criterion"), inEngine("candidate")},
	inEngine("accelservice"):    {"matcher", inEngine("around"), inEngine("store"), inEngine("candidate"), inEngine("split")},
	inEngine("expression"):      {"matcher", inEngine("store"), "matcher/internal/ranges"},
	inEngine("quick"):           {"matcher", inEngine("store"), inEngine("expression"), inEngine("reach"), "matcher/internal/ranges"},
	inEngine("seating"):         {"matcher", inEngine("store"), inEngine("criterion"), inEngine("candidate"), inEngine("expression"), inEngine("reach"), inEngine("quick"), "matcher/internal/ranges"},
	"matcher/internal/ranges":   {"matcher"},
	"matcher/scoring":           {"matcher", "matcher/heap"},
	"matcher/packing":           {},
	"matcher/heap":              {},
	"matcher/dialect/jsontree":  {},
	"matcher/dialect/vendor":    {"matcher", "matcher/scoring", "matcher/dialect/jsontree"},
	"matcher/dialect":           {"matcher/dialect/jsontree", "matcher/dialect/vendor", aVendor},
	aVendor:                     {"matcher", "matcher/internal/ranges", "matcher/scoring", "matcher/dialect/jsontree", "matcher/dialect/vendor"},
	"matcher/external/exchange": {"matcher"},
	"matcher/external":          {"matcher", "matcher/engine", "matcher/external/exchange"},
	"matcher/casefile":          {"matcher", "matcher/engine", "matcher/scoring", "matcher/dialect", "matcher/dialect/jsontree", "matcher/dialect/vendor"},
}

// inEngine returns the path of a package inside the engine.
func inEngine(name string) string { return "matcher/engine/internal/" + name }

// aVendor stands for the folder of any vendor.
const aVendor = "matcher/dialect/*"

// matcherPackage returns the key in insideMatcher for a package, or "" for a package outside
// matcher.
func matcherPackage(path string) string {
	name := strings.TrimPrefix(path, module+"/")
	_, listed := insideMatcher[name]
	switch {
	case room(path) != "matcher":
		return ""
	case !listed && strings.HasPrefix(name, "matcher/dialect/"):
		return aVendor
	}
	return name
}

func TestImportsInsideMatcher(t *testing.T) {
	for _, p := range load(t) {
		from := matcherPackage(p.PkgPath)
		allowed, known := insideMatcher[from]
		if from != "" && !known {
			t.Errorf("%s is not in the table insideMatcher; add it with the packages of the room that it may import", p.PkgPath)
		}
		for path := range p.Imports {
			to := matcherPackage(path)
			switch {
			case to == "":
			case from != "" && !slices.Contains(allowed, to):
				t.Errorf("%s imports %s; of the room, it may import %v", p.PkgPath, path, allowed)
			case from == "" && to == aVendor:
				t.Errorf("%s imports the vendor package %s; it may use only matcher/dialect and the capabilities of rules", p.PkgPath, path)
			case room(p.PkgPath) == "sim" && strings.HasPrefix(to, "matcher/dialect"):
				t.Errorf("%s imports %s; sim may use compiled rules only", p.PkgPath, path)
			}
		}
	}
}
