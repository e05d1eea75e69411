package collect

import (
	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
)

// deciles merges the bins into tenths of the matched players. A whole bin goes to the tenth of
// its middle player.
func (a *attributeTally) deciles() outcome.AttributeDeciles {
	matched := 0
	for i := range a.bins {
		matched += a.bins[i].matched
	}
	var tenths [10]decileTally
	in := make([]*decileTally, len(a.bins)) // the decile of each bin; nil for a bin without players
	before := 0
	for i := range a.bins {
		b := &a.bins[i]
		if !b.used() {
			continue
		}
		middle := 2*before + max(0, b.matched-1) // twice the rank of the bin's middle player; ranks count from 0
		before += b.matched
		tenth := &tenths[min(9, 10*middle/max(1, 2*matched))]
		if !tenth.used() {
			tenth.from = b.from
		}
		tenth.to = b.to
		tenth.merge(b)
		in[i] = tenth
	}
	a.waits.addTo(func(bin int) *histogram.Histogram { return &in[bin].wait })
	a.rtts.addTo(func(bin int) *histogram.Histogram { return &in[bin].rtt })
	d := outcome.AttributeDeciles{Name: a.Name, Deciles: []outcome.Decile{}}
	for i := range tenths {
		if t := &tenths[i]; t.used() {
			d.Deciles = append(d.Deciles, t.decile())
		}
	}
	return d
}

// decileTally is the sum of the bins of one decile.
type decileTally struct {
	binTally
	wait, rtt histogram.Histogram // keys from histogram.Coarse
}

// used reports whether any player was counted.
func (b *binTally) used() bool {
	return b.entries+b.matched > 0 || b.unmatched != unmatched{}
}

func (b *binTally) merge(other *binTally) {
	b.sums.merge(&other.sums)
	b.unmatched.merge(&other.unmatched)
	b.spreads.merge(&other.spreads)
	b.matches += other.matches
	b.entries += other.entries
}

// decile returns the statistics of the decile. Means are exact; percentiles are within 0.4 %.
func (b *decileTally) decile() outcome.Decile {
	served := outcome.Served{
		Players:  outcome.Count(b.matched),
		Matches:  outcome.Count(b.matches),
		WaitMean: b.waitMean(),
		WaitP95:  p95(&b.wait, histogram.Fine, waitSeconds),
		RTTMean:  b.rttMean(),
		RTTP95:   p95(&b.rtt, histogram.Fine, rttMillis),
	}
	return outcome.Decile{
		From:       outcome.RoundValue(b.from),
		To:         outcome.RoundValue(b.to),
		SpreadMean: b.spreads.mean(),
		Group:      b.unmatched.group("", served, b.entries),
	}
}
