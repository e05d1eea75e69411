package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// placements counts placements of players on servers.
type placements struct {
	servers *setup.Servers
	metrics []histogram.Decimals // by measure
	windows []result.ServerWindow
	samples []int // censuses per window

	placed, opening, contests, preferred int
	score, margin                        float64
	contribution, advantage              []float64 // sums by signal
	decided                              []int     // by signal
	reasons                              [3]int    // by scoring.Reason
}

func newPlacements(servers *setup.Servers, duration sim.Duration) *placements {
	windows := result.RowsUpTo(sim.Instant(duration), result.WindowLength)
	p := &placements{
		servers: servers, metrics: make([]histogram.Decimals, len(servers.Measures)),
		windows: make([]result.ServerWindow, windows), samples: make([]int, windows),
		contribution: make([]float64, len(servers.Signals)), advantage: make([]float64, len(servers.Signals)),
		decided: make([]int, len(servers.Signals)),
	}
	for i := range p.windows {
		p.windows[i].T = i * result.WindowLength
	}
	return p
}

// decision counts what each signal contributed to the choice of the server.
func (p *placements) decision(placed *sim.Placed) {
	p.score += placed.Score
	for i, weighted := range placed.Contributions {
		p.contribution[i] += weighted
	}
	if !placed.RunnerUp {
		return
	}
	p.contests++
	p.margin += placed.Decision.Margin
	for i, weighted := range placed.Contributions {
		p.advantage[i] += weighted - placed.RunnerUpContributions[i]
	}
	p.reasons[placed.Decision.Reason]++
	if placed.Decision.Reason == 0 && placed.Decision.Signal >= 0 {
		p.decided[placed.Decision.Signal]++
	}
}

// sampled adds a census to its window.
func (p *placements) sampled(c *sim.Census) {
	i := int(c.At / (result.WindowLength * sim.Instant(sim.Second)))
	if c.At%sim.Instant(sim.Minute) != 0 || i >= len(p.windows) {
		return
	}
	w := &p.windows[i]
	p.samples[i]++
	w.Running += outcome.Count(c.Servers.Running)
	w.Seats += outcome.Count(c.Servers.Seats)
	w.Taken += outcome.Count(c.Servers.Taken)
}

// finish returns the block "servers" of the summary and the rows of servers.csv.
func (p *placements) finish(t *sim.Totals) (*outcome.Servers, []result.ServerWindow) {
	for i := range p.windows {
		w, n := &p.windows[i], float64(p.samples[i])
		w.Running, w.Seats, w.Taken = outcome.RoundCount(outcome.Ratio(float64(w.Running), n)), outcome.RoundCount(outcome.Ratio(float64(w.Seats), n)), outcome.RoundCount(outcome.Ratio(float64(w.Taken), n))
	}
	contests, decisions := float64(p.contests), float64(p.placed-p.opening)
	s := &outcome.Servers{
		Revision: p.servers.Revision, Capacity: outcome.Count(p.servers.Capacity),
		Opened: outcome.Count(t.Servers.Opened), Peak: outcome.Count(t.Servers.Peak),
		Mean:          outcome.RoundAverage(outcome.Ratio(float64(t.Servers.Time), float64(t.Reached))),
		Hours:         outcome.RoundAverage(float64(t.Servers.Time) / float64(sim.Hour)),
		OccupancyMean: outcome.RoundShare(outcome.Ratio(float64(t.Servers.TakenTime), float64(t.Servers.SeatTime))),
		Placed:        outcome.Count(p.placed), Opening: outcome.Count(p.opening), Contest: outcome.Count(p.contests),
		PreferredMatch: outcome.ShareOf(p.preferred, p.placed),
		Metrics:        outcome.PlacementStats{}, Signals: outcome.PlacementSignals{},
		ScoreMean: outcome.RoundValue(outcome.Ratio(p.score, decisions)), MarginMean: outcome.RoundValue(outcome.Ratio(p.margin, contests)),
		ByScore: outcome.ShareOf(p.reasons[0], p.contests), ByAge: outcome.ShareOf(p.reasons[1], p.contests), BySequence: outcome.ShareOf(p.reasons[2], p.contests),
	}
	for i := range p.metrics {
		if p.servers.Measures[i].Kind != setup.OfFriend {
			s.Metrics = append(s.Metrics, p.metrics[i].Stat(p.servers.Measures[i].Name))
		}
	}
	for i, signal := range p.servers.Signals {
		if signal.Weight > 0 {
			s.Signals = append(s.Signals, outcome.PlacementSignal{
				Name: signal.Name, Weight: outcome.RoundValue(signal.Weight),
				Contribution: outcome.RoundValue(outcome.Ratio(p.contribution[i], decisions)), Advantage: outcome.RoundValue(outcome.Ratio(p.advantage[i], contests)),
				Decided: outcome.ShareOf(p.decided[i], p.contests),
			})
		}
	}
	return s, p.windows[:min(result.RowsUpTo(t.Reached, result.WindowLength), len(p.windows))]
}
