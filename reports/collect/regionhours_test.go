package collect

import (
	"math"
	"testing"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Every hour of a continent has the numbers of the twin, and the hours add up to the continent and
// the continents to the hour.
func TestRegionHours(t *testing.T) {
	for seed := range uint64(8) {
		f := randomFacts(seed)
		r, players := resultOf(f), f.twin()
		var byContinent = map[string][3]outcome.Count{}
		var byHour [24][3]outcome.Count
		add := func(sum [3]outcome.Count, entries, players, unmatched int) [3]outcome.Count {
			return [3]outcome.Count{sum[0] + outcome.Count(entries), sum[1] + outcome.Count(players), sum[2] + outcome.Count(unmatched)}
		}
		for _, row := range r.RegionHours {
			of := func(began sim.Instant, place uint32) bool {
				return hourOfTwin(began) == row.Hour && f.Setup.Continents[f.Setup.Places[place].Continent] == row.Continent
			}
			here := players.where(func(p *twinPlayer) bool { return of(p.Began, p.Place) })
			ends := f.twinEnds(players, func(began sim.Instant, _ int, p sim.Player) bool { return of(began, p.Place) })
			wait, rtt := twinSeconds(mean(here.waits())), twinMillis(mean(here.rtts()))
			if row.Players != len(here) || row.Waited != len(here.waits()) || outcome.Count(row.Players+row.Unmatched) != ends.Ended ||
				!same(float64(row.WaitMean), float64(wait)) || !same(float64(row.RTTMean), float64(rtt)) {
				t.Errorf("seed %d: got %+v, want %d players with a mean wait of %v and an RTT of %v, and %v ended", seed, row, len(here), wait, rtt, ends.Ended)
			}
			byContinent[row.Continent] = add(byContinent[row.Continent], row.Entries, row.Players, row.Unmatched)
			byHour[row.Hour] = add(byHour[row.Hour], row.Entries, row.Players, row.Unmatched)
		}
		for i := range r.Summary.ByContinent {
			g := &r.Summary.ByContinent[i]
			if want := [3]outcome.Count{g.Entries, g.Players, outcome.Unmatched(g).Count}; byContinent[g.Name] != want {
				t.Errorf("seed %d, %s: the hours add up to %v, want %v", seed, g.Name, byContinent[g.Name], want)
			}
		}
		for hour := range r.Summary.ByHour {
			g := &r.Summary.ByHour[hour]
			if want := [3]outcome.Count{g.Entries, g.Players, outcome.Unmatched(g).Count}; byHour[hour] != want {
				t.Errorf("seed %d, hour %d: the continents add up to %v, want %v", seed, hour, byHour[hour], want)
			}
		}
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
