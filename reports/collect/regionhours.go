package collect

import (
	"mmsim/reports/result"
	"mmsim/sim"
)

// regionHour counts the players of one continent in one hour of the day, by the hour in which their
// search began. The counts of continents and of hours are sums over these.
type regionHour struct {
	entries int
	unmatched
	sums
}

// regionHour returns the counts of the players who live in a place and began to search at a time.
func (c *Collector) regionHour(place uint32, began sim.Instant) *regionHour {
	return &c.regionHours[c.spots[place].Continent][hourOf(began)]
}

// addRegionHours adds up the searches of the continents and of the hours. It returns the hours of each
// continent in which anything was counted.
func (c *Collector) addRegionHours() (rows []result.RegionHour) {
	for continent := range c.regionHours {
		for hour := range c.regionHours[continent] {
			n := &c.regionHours[continent][hour]
			for _, t := range []*tally{&c.continents[continent], &c.hours[hour]} {
				t.entries += n.entries
				t.unmatched.merge(&n.unmatched)
			}
			without := n.unmatched.sum()
			if n.entries+n.matched+without == 0 {
				continue
			}
			rows = append(rows, result.RegionHour{
				Continent: c.setup.Continents[continent], Hour: hour,
				Entries: n.entries, Players: n.matched, Unmatched: without, Waited: n.waited,
				WaitMean: n.waitMean(), RTTMean: n.rttMean(),
			})
		}
	}
	return rows
}
