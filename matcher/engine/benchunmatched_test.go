package engine

import (
	"fmt"
	"testing"

	"mmsim/matcher"
)

// healerLimit requires that at most one player of each team can play a role, which is the first map
// of a benchCrowd, and that all players have a region in common.
func healerLimit() *matcher.Ruleset {
	team := func(team int) *matcher.Expression { return seatLists(mapsColumn, team) }
	return seatedBy(
		&matcher.Collection{SeatCommon: matcher.SeatCommon{Name: "healers", Party: matcher.PartyUnion}, Measured: []*matcher.Expression{team(0), team(1)},
			Operation: "contains", Reference: []matcher.Step[matcher.Reference]{{Value: matcher.Reference{Type: matcher.Type{Base: matcher.Texts}, Text: 0}}}, Max: matcher.Steps[float64]{{Value: 1}}},
		seatRegion())
}

// healerCrowd returns a crowd of n tickets, of which all but one in 16 can play only the role.
func healerCrowd(rules *matcher.Ruleset, n int) *benchCrowd {
	crowd := newBenchCrowd(&benchRuleset{rules: rules}, false, n)
	for i := range crowd.tickets {
		role := "canyon"
		if i%16 == 0 {
			role = "dust"
		}
		values := crowd.tickets[i].Players[0].Values
		values[mapsColumn] = matcher.SetValue(crowd.schema.Set([]string{role}))
		crowd.tickets[i].Values[mapsColumn] = values[mapsColumn]
	}
	return crowd
}

// BenchmarkTooManyHealers measures a pass over tickets most of which cannot be matched. Twice as many
// tickets should take about twice as long.
//
// The number of matches grows with the tickets, and most searches look at all candidates, since the oldest
// ones that fit together are no match. Most of these looks only find that the role is taken
// (quick.State.Close). The doublings from 500 to 4,000 tickets take 1.4, 2.4 and 2.4 times as many
// instructions.
func BenchmarkTooManyHealers(b *testing.B) {
	rules := healerLimit()
	for _, n := range []int{500, 1000, 2000, 4000} {
		b.Run(fmt.Sprint("waiting=", n), func(b *testing.B) {
			crowd := healerCrowd(rules, n)
			load := benchLoad{waiting: n, seconds: 1, rate: noArrivals}
			var r benchResult
			start := cpuSeconds(b)
			for b.Loop() {
				r = load.run(b, rules, crowd)
			}
			b.ReportMetric(1000*(cpuSeconds(b)-start)/float64(b.N), "cpu-ms/pass")
			b.ReportMetric(float64(r.matches), "matches")
			b.ReportMetric(float64(r.hits), "budget-hits")
			b.ReportMetric(float64(r.hash), "hash")
		})
	}
}
