package phrase

import (
	"mmsim/reports/judge"
	"mmsim/reports/words"
)

// SiteSet names the datacenters of a set, or says which set it is.
func SiteSet(s *judge.SiteSet) string {
	switch s.Is {
	case judge.SetAll:
		return "all"
	case judge.SetOwn:
		return words.Printable(s.Names()) + " (of the configuration)"
	}
	return words.Printable(s.Names())
}
