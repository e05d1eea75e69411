package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideDatasets lists, for every package of the room datasets, the packages of the room that it
// may import.
var insideDatasets = map[string][]string{
	"datasets":                          {"datasets/internal/csvfile", "datasets/internal/draws", "datasets/internal/wording"},
	"datasets/atlas":                    {"datasets", "datasets/internal/draws"},
	"datasets/builtin":                  {"datasets", "datasets/atlas", "datasets/internal/csvfile", "datasets/internal/draws", "datasets/internal/wording"},
	"datasets/daycsv":                   {"datasets", "datasets/internal/csvfile"},
	"datasets/joinfile":                 {"datasets", "datasets/atlas", "datasets/internal/csvfile", "datasets/internal/digits", "datasets/internal/jsontable", "datasets/internal/parquettable", "datasets/internal/suspects", "datasets/internal/wording", "datasets/placing"},
	"datasets/placing":                  {"datasets", "datasets/atlas", "datasets/internal/wording"},
	"datasets/population":               {"datasets", "datasets/atlas", "datasets/internal/csvfile", "datasets/internal/draws", "datasets/internal/wording"},
	"datasets/providers":                {"datasets"},
	"datasets/ticketlog":                {"datasets", "datasets/internal/csvfile", "datasets/internal/digits", "datasets/internal/wording", "datasets/joinfile"},
	"datasets/internal/csvfile":         {"datasets/internal/wording"},
	"datasets/internal/jsontable":       {"datasets/internal/csvfile", "datasets/internal/wording"},
	"datasets/internal/parquettable":    {"datasets/internal/csvfile", "datasets/internal/wording"},
	"datasets/internal/digits":          {"datasets/internal/csvfile"},
	"datasets/internal/draws":           {},
	"datasets/internal/draws/drawstest": {},
	"datasets/internal/suspects":        {"datasets", "datasets/atlas"},
	"datasets/internal/wording":         {},
}

func TestImportsInsideDatasets(t *testing.T) {
	for _, p := range load(t) {
		if room(p.PkgPath) != "datasets" {
			continue
		}
		name := strings.TrimPrefix(p.PkgPath, module+"/")
		allowed, known := insideDatasets[name]
		if !known {
			t.Errorf("%s is not in the table insideDatasets; add it with the packages of the room that it may import", p.PkgPath)
		}
		for path := range p.Imports {
			if room(path) == "datasets" && !slices.Contains(allowed, strings.TrimPrefix(path, module+"/")) {
				t.Errorf("%s imports %s; of the room, it may import %v", p.PkgPath, path, allowed)
			}
		}
	}
}
