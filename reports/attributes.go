package reports

import (
	"math"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// maxBins limits the bins of an attribute: the bin of a row is a byte, and the
// highest byte says that the row has no value.
const (
	maxBins = 255
	noBin   = 255
)

// attributeTally counts by the value of one numeric attribute. Deciles are cut on
// matched players, and nobody knows while counting how they will be spread. So the
// sample is cut into at most 255 bins, of one value each or of equal numbers of
// rows, players are counted by bin, and deciles are made of whole bins at the end:
// exact up to 255 distinct values, else a cut is off by half a bin at most, 0.2 % of
// the rows. Memory is a byte per row of a column and less than 5 MiB for 255 bins.
type attributeTally struct {
	setup.Attribute
	bins        []binTally
	waits, rtts binCounts
	bin         []uint8 // by row; of a column only
	edges       edges   // what is not in the sample belongs to the first bin that does not end below it

	queues []spreadTally // by queue, as far as one had a match

	players []binned  // scratch of a match: those who have a value
	teams   []teamSum // scratch of a match
}

// spreadTally counts how far apart players are, over matches with at least two who have
// a value.
type spreadTally struct {
	spread   histogram // of spreadKey
	spreads  spreads
	gapTotal float64 // between teams
}

func (t *spreadTally) merge(other *spreadTally) {
	t.spread.merge(&other.spread)
	t.spreads.merge(&other.spreads)
	t.gapTotal += other.gapTotal
}

// spreads adds up spreads, of matches or of the matches of players.
type spreads struct {
	count int
	total float64
}

func (s *spreads) add(spread float64) {
	s.count++
	s.total += spread
}

func (s *spreads) merge(other *spreads) {
	s.count += other.count
	s.total += other.total
}

func (s *spreads) mean() outcome.Value {
	return outcome.RoundValue(outcome.Ratio(s.total, float64(s.count)))
}

// teamSum is what the mean of a team is made of.
type teamSum struct {
	players int
	total   float64
}

// binned is the player of a match who has a value: his index, and his bin.
type binned struct {
	player int
	bin    uint8
}

// binTally counts the players whose value lies in [from, to], but for the coarse
// histograms of their waits and RTTs, which are binCounts.
type binTally struct {
	from, to         float64
	matches, entries int
	spreads          spreads // of the matches of its players, once for each
	unmatched
	sums
}

func newAttributeTally(attribute setup.Attribute) *attributeTally {
	sorted := make([]float64, 0, len(attribute.Sample))
	for _, v := range attribute.Sample {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	a := &attributeTally{Attribute: attribute, bins: cut(sorted)}
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
		a.bins = []binTally{{from: math.Inf(1), to: math.Inf(-1)}} // grows with whoever has a value all the same
	}
	a.waits, a.rtts = newBinCounts(len(a.bins), coarseWaits), newBinCounts(len(a.bins), coarseRTTs)
	return a
}

// cut returns the bins of sorted values: one per value while there are few, else
// a bin is full at its fair share of the rows and is closed where the value changes.
func cut(sorted []float64) (bins []binTally) {
	distinct := 0
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			distinct++
		}
	}
	full := 1
	if distinct > maxBins {
		full = (len(sorted) + maxBins - 1) / maxBins
	}
	rows := 0 // in the last bin
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

// value returns the value of a player and its bin, noBin if the player has none.
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
		a.bins[bin].ended(into, 1)
	}
}

// matched counts a match, or those who join a running one: they say nothing about
// how alike its players are. oldest is the index of the player who waited longest.
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
	// What is counted lies all over the memory. A loop that does nothing else lets the
	// processor fetch it side by side.
	for _, b := range a.players {
		a.count(m, b)
	}
	if m.Backfill || len(a.players) < 2 {
		return
	}
	t := a.queue(m.Queue)
	t.spreads.add(highest - lowest)
	t.spread.add(spreadKey(highest - lowest))
	t.gapTotal += a.teamGap()
	for _, b := range a.players {
		a.bins[b.bin].spreads.add(highest - lowest)
	}
}

// count counts one player of a match.
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

// queue returns the tally of a queue.
func (a *attributeTally) queue(queue int) *spreadTally {
	for queue >= len(a.queues) {
		a.queues = append(a.queues, spreadTally{})
	}
	return &a.queues[queue]
}

func (a *attributeTally) addToTeam(team int16, v float64) {
	if team == sim.NoTeam {
		return
	}
	for int(team) >= len(a.teams) {
		a.teams = append(a.teams, teamSum{})
	}
	a.teams[team].players++
	a.teams[team].total += v
}

// teamGap returns the difference between the highest and the lowest mean of a team in
// which somebody has a value, 0 without two such teams.
func (a *attributeTally) teamGap() float64 {
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, t := range a.teams {
		if t.players > 0 {
			mean := t.total / float64(t.players)
			lowest, highest = min(lowest, mean), max(highest, mean)
		}
	}
	return max(0, highest-lowest) // -Inf without teams
}

// attribute returns how alike the players of matches are.
func (a *attributeTally) attribute() outcome.Attribute {
	var all spreadTally
	for i := range a.queues {
		all.merge(&a.queues[i])
	}
	return a.attributeOf(&all)
}

func (a *attributeTally) attributeOf(t *spreadTally) outcome.Attribute {
	return outcome.Attribute{
		Name:        a.Name,
		Rules:       a.Rules,
		Matches:     outcome.Count(t.spreads.count),
		SpreadMean:  t.spreads.mean(),
		SpreadP95:   outcome.RoundValue(spreadOf(t.spread.percentiles(95)[0])),
		TeamGapMean: outcome.RoundValue(outcome.Ratio(t.gapTotal, float64(t.spreads.count))),
	}
}
