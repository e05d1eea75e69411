package rules

import (
	"mmsim/matcher"
	"mmsim/sim"
)

// explainMax limits the number of ticket comparisons per minute of virtual time. The comparisons
// find out why tickets whose search ends could not play with others. If rules keep thousands of
// tickets waiting, only some of the ended searches are explained.
const explainMax = 20_000

// explained limits the work of explaining, and holds scratch memory for it.
type explained struct {
	minute   sim.Instant
	compared int // tickets compared in this minute
	apart    sim.Apart
}

// Explain counts, by rule, the waiting tickets that a ticket could not play with. It returns nil if
// no observer needs the result, if an external matchmaker makes the matches, or if the limit of
// explainMax comparisons in this minute is reached. The next call overwrites the result.
func (r *Tickets) Explain(row matcher.Row) *sim.Apart {
	if !r.queue.Watched() || r.Engine == nil {
		return nil
	}
	e, now := &r.explained, r.queue.Now()
	if minute := now / sim.Instant(sim.Minute); minute != e.minute {
		e.minute, e.compared = minute, 0
	}
	if e.compared += r.Pool.Waiting(); e.compared > explainMax {
		return nil
	}
	clear(e.apart.ByRule)
	e.apart = sim.Apart{ByRule: e.apart.ByRule}
	r.Engine.KeptApart(int64(now), row, &e.apart)
	return &e.apart
}
