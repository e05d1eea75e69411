package search

import (
	"testing"

	"mmsim/cmd/mmsim/commandtest"
)

func TestSchemasAcceptValidFiles(t *testing.T) {
	commandtest.AcceptsValidFiles(t, SweepSchema(), isSweep, 10)
	commandtest.AcceptsValidFiles(t, SiteSchema(), func(file string) bool {
		_, err := readSite(file, nil)
		return err == nil
	}, 4)
}

// isSweep reports whether mmsim accepts a file as a sweep.
func isSweep(file string) bool {
	s, err := readSweep(file, nil)
	if err != nil {
		return false
	}
	points := 1
	for _, a := range s.axes {
		points *= len(a.values)
	}
	from, err := s.base()
	if err != nil {
		return false
	}
	for i := range points {
		keys, values := s.pointSettings(i, points)
		if _, _, err := from.LoadWith(s.dir, keys, values); err != nil {
			return false
		}
	}
	return true
}
