package search

import (
	"math"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/latencymap"
	"mmsim/reports/judge"
	"mmsim/reports/setup"
)

// demand has where the players of a day join, without simulating it.
type demand struct {
	rtts    *latencymap.Table // by place
	players []int64           // by place
	joins   int64             // sum of players
	setup   setup.Run         // names the countries of places
}

// demandOf counts the joins of run 0 from every place. It counts all rows that the run draws from the
// dataset, and every player of a party, whatever the duration and the warm-up of the run. Access delays
// and jitter are not in its RTTs. The cost is that of reading or generating the day and locating its
// places, which the simulation needs anyway, and of replaying it.
func demandOf(in *experiment.Inputs) (*demand, error) {
	r, err := in.Replication(0)
	if err != nil {
		return nil, err
	}
	d := &demand{rtts: r.RTTs(), players: make([]int64, len(r.Day.Places)), setup: r.Setup()}
	for number := range r.Day.Days() {
		replay := r.Day.Replay(number, r.ReplayOptions())
		for a, ok := replay.Next(); ok; a, ok = replay.Next() {
			d.joins += int64(len(a.Members))
			for _, m := range a.Members {
				d.players[m.Place]++
			}
		}
	}
	return d, nil
}

// problem returns the p-median problem of the players. cost is that of an RTT.
func (d *demand) problem(cost func(rtt uint16) uint16) *pMedian {
	p := newPMedian(d.rtts.Datacenters)
	costs := make([]uint16, d.rtts.Datacenters)
	for place, players := range d.players {
		if players == 0 {
			continue
		}
		for site, rtt := range d.rtts.Row(place) {
			costs[site] = cost(rtt)
		}
		p.Add(costs, players)
	}
	return p
}

// mean returns the mean RTT of the players from their sum.
func (d *demand) mean(sum int64) judge.Optional {
	if d.joins == 0 {
		return judge.Optional(math.NaN())
	}
	return judge.Optional(float64(sum) / latencymap.StepsPerMS / float64(d.joins))
}

// itself is the cost of an RTT whose mean is to be low.
func itself(rtt uint16) uint16 { return rtt }

// above returns a cost whose mean is the share of players with an RTT above a limit, in ms.
func above(limit float64) func(rtt uint16) uint16 {
	most := latencymap.Quantise(limit)
	return func(rtt uint16) uint16 {
		if rtt <= most {
			return 0
		}
		return 1
	}
}
