package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideReports lists, for every package of the room reports, the packages of this repository that
// it may import. Package reports itself has only a package comment.
var insideReports = map[string][]string{
	"reports/outcome":                    {},
	"reports/words":                      {"reports/outcome"},
	"reports/estimate":                   {},
	"reports/grade":                      {"reports/outcome", "reports/words"},
	"reports/judge":                      {"reports/estimate", "reports/result", "reports/outcome", "reports/grade", "reports/words"},
	"reports/fidelity":                   {"reports/judge", "reports/result", "reports/outcome"},
	"reports/phrase":                     {"reports/estimate", "reports/fidelity", "reports/judge", "reports/result", "reports/outcome", "reports/words"},
	"reports/result":                     {"sim", "reports/outcome", "reports/words"},
	"reports/setup":                      {"sim", "reports/outcome"},
	"reports/collect":                    {"sim", "sim/fleet", "reports/setup", "reports/result", "reports/outcome", "reports/collect/internal/histogram"},
	"reports/collect/internal/histogram": {"reports/outcome"},
	"reports/records":                    {"sim", "reports/setup", "reports/words"},
	"reports/chart":                      {"reports/words"},
	"reports/figure":                     {"reports/chart", "reports/figure/events", "reports/figure/worldmap", "reports/result", "reports/grade", "reports/outcome", "reports/words", "reports/figure/season"},
	"reports/figure/events":              {"reports/chart", "reports/result", "reports/outcome", "reports/words"},
	"reports/figure/worldmap":            {"reports/chart", "reports/result", "reports/outcome", "reports/words"},
	"reports/figure/season":              {"reports/chart", "reports/result", "reports/estimate", "reports/outcome", "reports/words"},
	"reports/figure/decision":            {"reports/chart", "reports/figure", "reports/figure/events", "reports/figure/season", "reports/result", "reports/fidelity", "reports/judge", "reports/phrase", "reports/outcome", "reports/words"},
	"reports/internal/resulttest":        {"sim", "reports/chart", "reports/setup", "reports/result", "reports/judge", "reports/outcome"},
	"reports":                            {},
	"reports/present":                    {"reports/chart", "reports/figure", "reports/result", "reports/judge", "reports/grade", "reports/outcome", "reports/words"},
	"reports/present/decision":           {"reports/present", "reports/figure/decision", "reports/result", "reports/fidelity", "reports/judge", "reports/phrase", "reports/outcome", "reports/words"},
	"reports/present/page":               {"sim", "reports/present", "reports/chart", "reports/figure", "reports/figure/worldmap", "reports/collect", "reports/result", "reports/setup", "reports/grade", "reports/outcome", "reports/words"},
}

func TestImportsInsideReports(t *testing.T) {
	for _, p := range load(t) {
		if room(p.PkgPath) != "reports" {
			continue
		}
		allowed, known := insideReports[strings.TrimPrefix(p.PkgPath, module+"/")]
		if !known {
			t.Errorf("%s is not in the table insideReports; add it with the packages that it may import", p.PkgPath)
		}
		for path := range p.Imports {
			if name, ours := strings.CutPrefix(path, module+"/"); ours && !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s; it may import %v", p.PkgPath, path, allowed)
			}
		}
	}
}
