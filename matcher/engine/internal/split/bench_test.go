package split

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// match describes a match to be divided by a Solver.
type match struct {
	sizes  []int
	values []float64
	given  []int
}

// matchesOf returns random matches. count is their number. Each fills the given number of teams,
// all of the same size, with solos or, if parties is set, with solos and parties.
func matchesOf(count, teams, size int, parties bool) []match {
	r := rand.New(rand.NewPCG(7, 8))
	list := make([]match, count)
	for i := range list {
		m := &list[i]
		for team := range teams {
			for left := size; left > 0; {
				n := 1
				if parties {
					n = 1 + r.IntN(min(left, 3))
				}
				value := 0.0
				for range n {
					value += math.Round(1500 + 300*r.NormFloat64())
				}
				m.sizes, m.values, m.given = append(m.sizes, n), append(m.values, value), append(m.given, team)
				left -= n
			}
		}
	}
	return list
}

// describe adds the teams and units of a match to a solver.
func (m *match) describe(s *Solver, width, teams, size int) {
	s.Reset(width)
	for range teams {
		s.AddTeam(size, size)
	}
	for i, n := range m.sizes {
		if width == 0 {
			s.AddUnit(n, false)
		} else {
			s.AddUnit(n, false, m.values[i])
		}
	}
}

var benchmarks = []struct {
	name        string
	teams, size int
	parties     bool
	gap         float64 // limit for Limits; 0 means that averages have no limit
	even        bool
}{
	{"limits/2x5-solos", 2, 5, false, 0, false},
	{"limits/2x5-parties", 2, 5, true, 0, false},
	{"limits/2x5-solos-gap", 2, 5, false, 200, false},
	{"limits/2x5-parties-gap", 2, 5, true, 200, false},
	{"limits/4x4-parties-gap", 4, 4, true, 200, false},
	{"even/2x5-solos", 2, 5, false, 0, true},
	{"even/2x5-parties", 2, 5, true, 0, true},
	{"even/4x4-parties", 4, 4, true, 0, true},
	{"even/2x30-parties", 2, 30, true, 0, true},
}

// BenchmarkSplit also reports a hash of all teams found. The hash must not change when the search
// is made faster.
func BenchmarkSplit(b *testing.B) {
	for _, test := range benchmarks {
		b.Run(test.name, func(b *testing.B) {
			matches := matchesOf(64, test.teams, test.size, test.parties)
			var s Solver
			width := 1
			limits := Limits{MaxSpread: MaxPlayers, MaxGaps: []float64{test.gap}}
			if !test.even && test.gap == 0 {
				width, limits.MaxGaps = 0, nil
			}
			even := Even{MinTeams: test.teams}
			split := func(m *match) {
				m.describe(&s, width, test.teams, test.size)
				if test.even {
					even.Given = m.given
					s.Split(&even)
				} else {
					limits.Budget = TeamBudget
					s.Split(&limits)
				}
			}
			hash := fnv.New32a()
			for i := range matches {
				split(&matches[i])
				for k := range matches[i].sizes {
					unit, team := s.Assigned(k)
					_ = binary.Write(hash, binary.LittleEndian, [2]int32{int32(unit), int32(team)})
				}
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				split(&matches[i%len(matches)])
			}
			b.ReportMetric(float64(hash.Sum32()%1e6), "hash")
		})
	}
}
