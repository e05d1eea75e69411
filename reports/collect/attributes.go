package collect

import (
	"math"
	"slices"

	"mmsim/reports/collect/internal/histogram"
	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// maxBins is the maximum number of bins of an attribute. The bin of each row is stored in a byte.
// The highest byte, noBin, marks a row without a value.
const (
	maxBins = 255
	noBin   = 255
)

// attributeTally counts players by the value of one numeric attribute. Each decile is a tenth of
// the matched players, so its limits are known only at the end. Until then players are counted in
// up to 255 bins. If the sample has at most 255 distinct values, each value gets its own bin, and
// the deciles are exact. Otherwise the bins have equal numbers of rows, and a limit between
// deciles is off by at most half a bin, 0.2 % of the rows. At the end, whole bins are merged into
// deciles. A tally needs one byte per row of a column, and less than 5 MiB for 255 bins.
type attributeTally struct {
	setup.Attribute
	bins        []binTally
	waits, rtts binCounts
	bin         []uint8 // by row; nil if the attribute is not a column of the dataset
	edges       edges   // finds the bin of any value, even if it is not in the sample

	queues []spreadTally // by queue

	players []binned  // players of the current match who have a value; reused
	teams   []average // values by team of the current match; reused
}

// spreadTally describes how far apart the players' values are. It counts matches in which at
// least two players have a value.
type spreadTally struct {
	spread   histogram.Histogram // keys from SpreadKey
	spreads  average
	gap      histogram.Histogram // of the gaps between teams, if any match has teams; keys from SpreadKey
	gapTotal float64             // sum of the gaps between teams
}

func (t *spreadTally) merge(other *spreadTally) {
	t.spread.Merge(&other.spread)
	t.spreads.merge(&other.spreads)
	t.gap.Merge(&other.gap)
	t.gapTotal += other.gapTotal
}

// average is the number and the sum of some values, such as spreads or the values of a team, from which
// their mean is computed.
type average struct {
	count int
	total float64
}

func (a *average) add(v float64) {
	a.count++
	a.total += v
}

func (a *average) merge(other *average) {
	a.count += other.count
	a.total += other.total
}

func (a *average) mean() float64 { return a.total / float64(a.count) }

// binned is a player who has a value: the index in the match, and the bin of the value.
type binned struct {
	player int
	bin    uint8
}

// binTally counts the players whose value is in [from, to]. The histograms of their waits and
// RTTs are in attributeTally.waits and rtts.
type binTally struct {
	from, to         float64
	matches, entries int
	spreads          average // each match counts once for each of its players in this bin
	unmatched
	sums
}

func newAttributeTally(attribute setup.Attribute, queues int) *attributeTally {
	sorted := slices.DeleteFunc(slices.Clone(attribute.Sample), math.IsNaN)
	slices.Sort(sorted)
	a := &attributeTally{Attribute: attribute, bins: cut(sorted), queues: make([]spreadTally, queues)}
	a.edges = newEdges(a.bins)
	switch {
	case a.Of == nil:
		a.bin = make([]uint8, len(attribute.Sample))
		for row, v := range attribute.Sample {
			a.bin[row] = noBin
			if !math.IsNaN(v) {
				a.bin[row] = a.edges.bin(v)
			}
		}
	case len(a.bins) == 0:
		a.bins = []binTally{{from: math.Inf(1), to: math.Inf(-1)}} // the method value extends these bounds
	}
	a.waits, a.rtts = newBinCounts(len(a.bins), coarseWaits), newBinCounts(len(a.bins), coarseRTTs)
	return a
}

// cut divides sorted values into bins: one for each distinct value if there are at most maxBins.
// Otherwise the bins have equal shares of the values, except that equal values stay in one bin.
func cut(sorted []float64) (bins []binTally) {
	full := 1
	if len(slices.Compact(slices.Clone(sorted))) > maxBins {
		full = (len(sorted) + maxBins - 1) / maxBins
	}
	rows := 0 // number of values in the last bin
	for i, v := range sorted {
		if i == 0 || rows >= full && v != sorted[i-1] {
			bins = append(bins, binTally{from: v})
			rows = 0
		}
		rows++
		bins[len(bins)-1].to = v
	}
	return bins
}

// value returns a player's value and its bin, or NaN and noBin if the player has none.
func (a *attributeTally) value(p *sim.Player) (float64, uint8) {
	if a.Of == nil {
		if int(p.Row) >= len(a.bin) || a.bin[p.Row] == noBin {
			return math.NaN(), noBin
		}
		return a.Sample[p.Row], a.bin[p.Row]
	}
	v := a.Of(p)
	if math.IsNaN(v) {
		return v, noBin
	}
	bin := a.edges.bin(v)
	b := &a.bins[bin]
	if v < b.from {
		b.from = v
	}
	if v > b.to {
		b.to = v
	}
	return v, bin
}

func (a *attributeTally) entered(p *sim.Player) {
	if _, bin := a.value(p); bin != noBin {
		a.bins[bin].entries++
	}
}

func (a *attributeTally) ended(p *sim.Player, into sim.State) {
	if _, bin := a.value(p); bin != noBin {
		a.bins[bin].unmatched[into]++
	}
}

// matched counts a match, or the players who join a running match. The latter do not count in the
// spreads and team gaps. oldest is the index of the player who waited longest.
func (a *attributeTally) matched(m *sim.Match, oldest int) {
	lowest, highest := math.Inf(1), math.Inf(-1)
	a.players = a.players[:0]
	clear(a.teams)
	for i := range m.Players {
		p := &m.Players[i]
		v, bin := a.value(&p.Player)
		if bin == noBin {
			continue
		}
		if i == oldest && !m.Backfill {
			a.bins[bin].matches++
		}
		a.players = append(a.players, binned{i, bin})
		a.addToTeam(p.Team, v)
		lowest, highest = min(lowest, v), max(highest, v)
	}
	// Counting has its own loop. Its counters are scattered over memory, and in a loop that does
	// nothing else the processor loads several of them in parallel.
	for _, b := range a.players {
		a.count(m, b)
	}
	if m.Backfill || len(a.players) < 2 {
		return
	}
	t := &a.queues[m.Queue]
	t.spreads.add(highest - lowest)
	t.spread.Add(histogram.SpreadKey(highest - lowest))
	if len(a.teams) > 0 {
		gap := a.teamGap()
		t.gap.Add(histogram.SpreadKey(gap))
		t.gapTotal += gap
	}
	for _, b := range a.players {
		a.bins[b.bin].spreads.add(highest - lowest)
	}
}

// count counts the wait and the RTT of one player of a match.
func (a *attributeTally) count(m *sim.Match, of binned) {
	p, b := &m.Players[of.player], &a.bins[of.bin]
	b.addRTT(uint64(p.RTT))
	a.rtts.add(of.bin, uint64(p.RTT))
	if p.Began >= 0 {
		wait := uint64(m.At.Sub(p.Began))
		b.addWait(wait)
		a.waits.add(of.bin, wait)
	}
}

func (a *attributeTally) addToTeam(team int16, v float64) {
	if team == sim.NoTeam {
		return
	}
	for int(team) >= len(a.teams) {
		a.teams = append(a.teams, average{})
	}
	a.teams[team].add(v)
}

// teamGap returns the highest minus the lowest team mean, over the teams in which a player has a
// value. It returns 0 if there are fewer than two such teams.
func (a *attributeTally) teamGap() float64 {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range a.teams {
		if t := &a.teams[i]; t.count > 0 {
			lowest, highest = min(lowest, t.mean()), max(highest, t.mean())
		}
	}
	return max(0, highest-lowest) // highest-lowest is -Inf if there are no teams
}

// attribute returns the spreads and team gaps over the queues from first up to but not including
// end.
func (a *attributeTally) attribute(first, end int) outcome.Attribute {
	var t spreadTally
	for queue := first; queue < end; queue++ {
		t.merge(&a.queues[queue])
	}
	return outcome.Attribute{
		Name:        a.Name,
		Rules:       a.Rules,
		Matches:     outcome.Count(t.spreads.count),
		SpreadMean:  outcome.RoundValue(t.spreads.mean()),
		SpreadP95:   outcome.RoundValue(histogram.SpreadOf(t.spread.Percentiles(95)[0])),
		TeamGapMean: outcome.RoundValue(outcome.Ratio(t.gapTotal, float64(t.spreads.count))),
	}
}
