package matcher

import (
	"cmp"
	"math"
	"slices"
)

// measurement is the round-trip times of a ticket or session. It is large, and those of
// many places are looked at in turn: what everybody asks stands first, in a line of memory,
// what few do last.
type measurement struct {
	bestMS   float64 // of rttMS; +Inf: none
	nearest  Region
	measured bool               // some player reported round-trip times
	exact    bool               // brief is rttMS
	known    uint8              // reaches of which the mask is known
	masks    [reachesMax]uint64 // by number of a starReach
	brief    [MaxRegions]uint16 // rttMS in units of 1/briefUnit ms, where it is available
	rttMS    []float64          // by Region: mean; +Inf or behind the end: not available
	order    []Region           // those available, best first, once somebody asked
	_        [32]byte           // to whole lines
}

// at returns the round-trip time to a region that is available.
func (m *measurement) at(region Region) float64 {
	if m.exact {
		return float64(m.brief[region]) / briefUnit
	}
	return m.rttMS[region]
}

// measure computes the round-trip times of a ticket or session.
func (m *measurement) measure(rule *StarRegion, players []Player) {
	m.measured, m.rttMS, m.bestMS, m.nearest = false, m.rttMS[:0], math.Inf(1), NoRegion
	m.known, m.order = 0, m.order[:0]
	if rule.Ignored {
		return
	}
	reporting := 0
	for i := range players {
		if players[i].measuredAny() {
			reporting++
			m.add(players[i].RTTMS)
		}
	}
	m.exact = len(m.rttMS) <= MaxRegions
	for region := range m.rttMS {
		m.rttMS[region] /= float64(reporting)
		if m.rttMS[region] < m.bestMS {
			m.bestMS, m.nearest = m.rttMS[region], Region(region)
		}
		if m.exact {
			m.brief[region], m.exact = briefly(m.rttMS[region])
		}
	}
}

// add adds what one more player measured.
func (m *measurement) add(rttMS []float64) {
	for len(m.rttMS) < len(rttMS) {
		rtt := 0.0
		if m.measured { // somebody before did not measure it
			rtt = math.Inf(1)
		}
		m.rttMS = append(m.rttMS, rtt)
	}
	m.measured = true
	for region := range m.rttMS {
		if region < len(rttMS) && !math.IsNaN(rttMS[region]) {
			m.rttMS[region] += rttMS[region]
		} else {
			m.rttMS[region] = math.Inf(1)
		}
	}
}

func (p *Player) measuredAny() bool {
	return slices.ContainsFunc(p.RTTMS, func(rtt float64) bool { return !math.IsNaN(rtt) })
}

// sort orders the regions: by round-trip time, then by name.
func (m *measurement) sort(schema *Schema) {
	for region, rtt := range m.rttMS {
		if !math.IsInf(rtt, 1) {
			m.order = append(m.order, Region(region))
		}
	}
	slices.SortFunc(m.order, func(a, b Region) int {
		return cmp.Or(cmp.Compare(m.rttMS[a], m.rttMS[b]), cmp.Compare(schema.RegionName(a), schema.RegionName(b)))
	})
}

// surveys are what players at vantages measure, by view, side by side in pieces that stay
// where they are.
type surveys []*[surveysPerPiece]measurement

const surveysPerPiece = 256

// of returns the measurement of a vantage.
func (s surveys) of(view int32) *measurement {
	return &s[uint32(view)/surveysPerPiece][uint32(view)%surveysPerPiece]
}

// grow makes room for a vantage and returns its measurement.
func (s *surveys) grow(view int32) *measurement {
	for int(view)/surveysPerPiece >= len(*s) {
		*s = append(*s, new([surveysPerPiece]measurement))
	}
	return s.of(view)
}
