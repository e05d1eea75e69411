package experiment

import (
	"context"
	"fmt"

	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/reports/collect"
	"mmsim/reports/result"
	"mmsim/sim"
)

// Progress is told how far replications have come, by several at once.
type Progress interface {
	Advance(from, to sim.Instant) // a replication has come from one instant to another
}

// simulate runs the replication to its end, or until ctx is cancelled:
// then it stops at the next tick and complete is false. The arrivals and the
// replication are checked at the end of every run; an error is a fault of ours.
func (w *Replication) simulate(ctx context.Context, p Progress, observers ...sim.Observer) (totals sim.Totals, complete bool, err error) {
	cfg := simConfig(w.Config, w.run)
	for _, q := range w.queues {
		cfg.Queues = append(cfg.Queues, q.sim(w.Config))
	}
	if w.placing != nil {
		cfg.Queues = []sim.Queue{{Servers: w.placing.Servers(w.Config)}}
	}
	engine, err := sim.New(cfg, w.places, w.arrivals(), observers...)
	if err != nil {
		return sim.Totals{}, false, err
	}
	for _, scene := range w.captures {
		if err := scene.Ask(engine, w.Config, func(queue int) *binding.Rules { return w.queues[queue].rules }); err != nil {
			return sim.Totals{}, false, err
		}
	}
	// Looking up from the simulation at every tick of a millisecond would cost
	// more than the ticks themselves.
	stride := max(cfg.Tick, sim.Second)
	for end := sim.Instant(cfg.Duration); engine.Now() < end && ctx.Err() == nil; {
		from := engine.Now()
		if err := engine.RunUntil(min(from.Add(stride), end)); err != nil {
			return sim.Totals{}, false, err
		}
		if p != nil {
			p.Advance(from, engine.Now())
		}
	}
	complete = engine.Now() >= sim.Instant(cfg.Duration)
	totals = engine.Finish()
	return totals, complete, engine.Verify()
}

// measure simulates a replication and counts what happens; observers see every fact too.
func (w *Replication) measure(ctx context.Context, p Progress, observers ...sim.Observer) (*result.Result, error) {
	collector := collect.NewCollector(w.Setup())
	totals, complete, err := w.simulate(ctx, p, append([]sim.Observer{collector}, observers...)...)
	if err != nil {
		return nil, err
	}
	result := collector.Finish(totals, w.header(complete))
	if lost := result.Summary.Players.Balance(); lost != 0 {
		return nil, fmt.Errorf("reports: %d more players began to search than are accounted for", lost)
	}
	result.Summary.Warnings = append(result.Summary.Warnings, OutcomeWarnings(&result.Summary)...)
	if complete && w.isPeriodic() {
		result.Summary.Warnings = append(result.Summary.Warnings, populationWarnings(w.Config, &totals, meanPartySize(&result.Summary))...)
	}
	return result, nil
}
