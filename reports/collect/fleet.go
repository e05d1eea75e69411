package collect

import (
	"fmt"
	"math"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
	"mmsim/sim/fleet"
)

// Rates has what turns the use of machines into costs.
type Rates struct {
	PerMachine int     // matches that one machine hosts at once
	Traffic    float64 // GB per player and hour of play
	Prices     []Price // by datacenter
}

// Price is what a machine in a datacenter costs.
type Price struct{ MachineHour, TrafficGB float64 }

// waitedMax is the largest share of matches that may wait for a slot without a warning. Below it, the
// difference that it would make to the players if they waited is noise.
const waitedMax = 0.01

// A row of machines.csv has one window of a fleet.
var _ = [1]struct{}{}[result.WindowLength*sim.Second-fleet.Window]

// AddFleet adds the block of a fleet to a result, the machines of each datacenter, and those of all
// through the day. usage and sites, the names of the datacenters, are indexed as in the simulation. It
// adds to the warnings.
func AddFleet(r *result.Result, sites []string, usage []fleet.Usage, rates *Rates, until sim.Instant) {
	if until <= 0 {
		return
	}
	s := &r.Summary
	perDay := float64(sim.Day) / float64(until)
	var allHours, allTraffic, allCost float64
	var total fleet.Usage
	f := &outcome.Fleet{}
	for i := range usage {
		u, price := &usage[i], &rates.Prices[i]
		hours, traffic := float64(u.Billed)/float64(sim.Hour), float64(u.PlayerTime/float64(sim.Hour)*rates.Traffic)
		cost := float64(hours*price.MachineHour) + float64(traffic*price.TrafficGB)
		allHours, allTraffic, allCost = allHours+hours, allTraffic+traffic, allCost+cost
		total.PlayerTime += u.PlayerTime
		total.MachineTime += u.MachineTime
		total.UsedTime += u.UsedTime
		total.Matches += u.Matches
		total.Waited += u.Waited
		total.Unserved += u.Unserved
		total.Waits = append(total.Waits, u.Waits...)
		if at := slices.IndexFunc(s.ByDatacenter, func(d outcome.Datacenter) bool { return d.Name == sites[i] }); at >= 0 {
			s.ByDatacenter[at].SiteFleet = outcome.SiteFleet{
				MachineHours: new(outcome.RoundAverage(hours)), CostPerDay: new(outcome.RoundValue(cost * perDay)),
				MachinesPeak: new(outcome.Count(u.Peak)), ShareWaited: new(outcome.ShareOf(u.Waited, u.Matches)),
			}
		}
	}
	slices.Sort(total.Waits)
	f.CostPerDay = outcome.RoundValue(allCost * perDay)
	f.CostPer1000Hours = outcome.RoundValue(allCost / (total.PlayerTime / float64(sim.Hour)) * 1000)
	f.MachineHours, f.TrafficGB = outcome.RoundAverage(allHours), outcome.RoundAverage(allTraffic)
	f.MachinesMean, f.MachinesPeak = outcome.RoundAverage(total.MachineTime/float64(until)), outcome.Count(fleet.Peak(usage))
	f.SlotsUsed = outcome.RoundShare(total.UsedTime / (total.MachineTime * float64(rates.PerMachine)))
	f.ShareWaited, f.Unserved = outcome.ShareOf(total.Waited, total.Matches), outcome.Count(total.Unserved)
	f.Wait = waitsForSlots(total.Waits, total.Matches-total.Unserved)
	s.Fleet, r.Machines = f, machinesThrough(usage, until)
	if float64(f.ShareWaited) > waitedMax {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%.1f %% of matches waited for a slot on a machine, more than %.1f %%: their players did not wait with them, so the fleet is too small for this result to hold (fleet.buffer, fleet.min, fleet.max, fleet.start)",
			100*f.ShareWaited, 100*waitedMax))
	}
}

// machinesThrough returns the rows of machines.csv.
func machinesThrough(usage []fleet.Usage, until sim.Instant) []result.MachineWindow {
	rows := make([]result.MachineWindow, result.RowsUpTo(until, result.WindowLength))
	for i := range rows {
		var sum fleet.WindowUse
		for k := range usage {
			w := &usage[k].Through[i]
			sum.Starting, sum.Empty, sum.Busy = sum.Starting+w.Starting, sum.Empty+w.Empty, sum.Busy+w.Busy
		}
		span := float64(min(fleet.Window, until.Sub(sim.Instant(i)*sim.Instant(fleet.Window))))
		rows[i] = result.MachineWindow{T: i * result.WindowLength, Starting: outcome.RoundAverage(sum.Starting / span),
			Empty: outcome.RoundAverage(sum.Empty / span), Busy: outcome.RoundAverage(sum.Busy / span)}
	}
	return rows
}

// waitsForSlots describes the waits of n matches. Those that are not in waits, which is sorted, waited
// 0 s.
func waitsForSlots(waits []sim.Duration, n int) outcome.Waits {
	if n == 0 {
		none := outcome.Seconds(math.NaN())
		return outcome.Waits{Mean: none, P99: none, Max: none}
	}
	sum := 0.0
	for _, w := range waits {
		sum += w.Seconds()
	}
	of := func(rank int) outcome.Seconds { // from 1
		if i := rank - 1 - (n - len(waits)); i >= 0 {
			return outcome.RoundSeconds(waits[i].Seconds())
		}
		return 0
	}
	return outcome.Waits{Mean: outcome.RoundSeconds(sum / float64(n)), P99: of((99*n + 99) / 100), Max: of(n)}
}
