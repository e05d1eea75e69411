package tidy

import (
	"slices"
	"strings"
	"testing"
)

// insideDatasets lists, for every package of the room datasets, the packages of the room that it
// may import.
var insideDatasets = map[string][]string{
	"datasets":                 {"datasets/internal/draws", "datasets/internal/tables"},
	"datasets/atlas":           {"datasets", "datasets/internal/draws"},
	"datasets/builtin":         {"datasets", "datasets/atlas", "datasets/internal/draws", "datasets/internal/tables"},
	"datasets/joinfile":        {"datasets", "datasets/atlas", "datasets/internal/tables", "datasets/placing"},
	"datasets/placing":         {"datasets", "datasets/atlas", "datasets/internal/tables"},
	"datasets/population":      {"datasets", "datasets/atlas", "datasets/internal/draws", "datasets/internal/tables"},
	"datasets/ticketlog":       {"datasets", "datasets/atlas", "datasets/internal/tables", "datasets/joinfile"},
	"datasets/internal/draws":  {},
	"datasets/internal/tables": {},
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
