package matcher

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Nobody whom a seed may meet is left out of its company, in any pass of a pool that is
// kept.
func TestCompanyLeavesNobodyOut(t *testing.T) {
	met := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 19))
		w := drawStarWorld(r, seed%3 == 0)
		pool, err := NewPool(w.rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		for nowMS := w.nowMS - 12_000; nowMS < w.nowMS+15_000; nowMS += 1500 {
			for _, ticket := range w.tickets {
				if ticket.CreatedMS > nowMS-1500 && ticket.CreatedMS <= nowMS {
					_, _ = pool.Add(ticket) // who is refused is not there
				}
			}
			pool.begin(nowMS)
			pool.all.settle()
			pool.all.gather()
			for i := range pool.all.members {
				row := pool.all.members[i].row
				pool.all.gathered.turn(row)
				met += checkCompany(t, &pool.all, i)
			}
			pool.Pass(nowMS)
		}
	}
	if met < 30_000 {
		t.Errorf("%d pairs are too few to tell anything", met)
	}
}

// checkCompany looks for a member's company one by one and returns how many it meets.
func checkCompany(t *testing.T, s *Subset, at int) (met int) {
	p, row := s.pool, s.members[at].row
	players := make([]int32, MaxRegions)
	regions := p.star.reached(row)
	lists := make(map[Region][]Row)
	s.gathered.meet(row)
	for _, region := range regions {
		lists[region] = slices.Clone(s.gathered.reachers(row, region))
	}
	for i := at + 1; i < len(s.members); i++ {
		other := s.members[i].row
		if !p.star.meets(row, other) {
			continue
		}
		met++
		for k, region := range regions {
			there := region == NoRegion || p.reach.mask(other, p.fronts[row].level)>>region&1 == 1
			if there {
				players[k] += p.size[other]
			}
			if there != slices.Contains(lists[region], other) {
				t.Fatalf("%d in region %d of %d: want %v", other, region, row, there)
			}
		}
	}
	most := slices.Max(players)
	if fullest := s.gathered.fullest(row, s.gathered.crowded(row, most), MaxGroupPlayers); fullest < most {
		t.Fatalf("%d: fullest %d, want at least %d", row, fullest, most)
	}
	return met
}
