package matcher

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Nobody whom a seed may meet is left out of its company, in any pass of a pool that is
// kept, nor of those who came or changed.
func TestCompanyLeavesNobodyOut(t *testing.T) {
	met := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 19))
		w := drawStarWorld(r, seed%3 == 0)
		pool, err := NewPool(w.rules, w.schema)
		if err != nil {
			t.Fatal(err)
		}
		var changed []Row // since the pass before
		for nowMS := w.nowMS - 12_000; nowMS < w.nowMS+15_000; nowMS += 1500 {
			for _, ticket := range w.tickets {
				if ticket.CreatedMS > nowMS-1500 && ticket.CreatedMS <= nowMS {
					_, _ = pool.Add(ticket) // who is refused is not there
				}
			}
			before := pool.all.gathered.asOf
			pool.begin(nowMS)
			pool.all.settle()
			pool.all.gather()
			changed = changed[:0]
			for i := range pool.all.members {
				if m := &pool.all.members[i]; max(m.joined, pool.touched[m.row]) > before {
					changed = append(changed, m.row)
				}
			}
			for i := range pool.all.members {
				row := pool.all.members[i].row
				pool.all.gathered.turn(row)
				met += checkCompany(t, &pool.all, i, changed)
			}
			pool.Pass(nowMS)
		}
	}
	if met < 30_000 {
		t.Errorf("%d pairs are too few to tell anything", met)
	}
}

// checkCompany looks for a member's company one by one and returns how many it meets.
func checkCompany(t *testing.T, s *Subset, at int, changed []Row) (met int) {
	p, row := s.pool, s.members[at].row
	players, came := make([]int32, MaxRegions), int32(0)
	regions := p.star.reached(row)
	lists := make(map[Region][]Row)
	for _, region := range regions {
		lists[region] = slices.Clone(s.gathered.reachers(row, region))
	}
	for i := at + 1; i < len(s.members); i++ {
		other := s.members[i].row
		if !p.star.meets(row, other) {
			continue
		}
		met++
		if slices.Contains(changed, other) {
			came += p.size[other]
		}
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
	if most := slices.Max(players); s.gathered.fullest(row, MaxGroupPlayers) < most {
		t.Fatalf("%d: fullest %d, want at least %d", row, s.gathered.fullest(row, MaxGroupPlayers), most)
	}
	if s.gathered.came(row) < came {
		t.Fatalf("%d: came %d, want at least %d", row, s.gathered.came(row), came)
	}
	return met
}
