package decision

import (
	"mmsim/reports/chart"
	"mmsim/reports/judge"
)

// Site returns the pictures of a site search.
func Site(s *judge.Site) []chart.Plot { return nil }
