package reports

import (
	"cmp"
	"math"
	"slices"

	"mmsim/sim"
)

// maxBins limits the bins of an attribute: the bin of a row is a byte, and the
// highest byte says that the row has no value.
const (
	maxBins = 255
	noBin   = 255
)

// attributeTally counts by the value of one numeric column. Deciles are cut on
// matched players, and nobody knows while counting how they will be spread. So the
// rows of the dataset are cut into at most 255 bins, of one value each or of equal
// numbers of rows, players are counted by bin, and deciles are made of whole bins
// at the end: exact up to 255 distinct values, else a cut is off by half a bin at
// most, 0.2 % of the rows. Memory is a byte per row and about 3 MiB for 255 bins.
type attributeTally struct {
	column Column
	bin    []uint8 // by row
	bins   []binTally

	spread      histogram // of spreadKey
	spreads     int       // matches with at least two players who have a value
	spreadTotal float64
}

// binTally counts the players whose value lies in [from, to].
type binTally struct {
	from, to         float64
	wait, rtt        histogram // of coarse values
	matches, entries int
	unmatched
	sums
}

func newAttributeTally(column Column) *attributeTally {
	sorted := make([]float64, 0, len(column.Values))
	for _, v := range column.Values {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	a := &attributeTally{column: column, bins: cut(sorted), bin: make([]uint8, len(column.Values))}
	for row, v := range column.Values {
		a.bin[row] = noBin
		if !math.IsNaN(v) {
			i, _ := slices.BinarySearchFunc(a.bins, v, func(b binTally, v float64) int { return cmp.Compare(b.to, v) })
			a.bin[row] = uint8(i)
		}
	}
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

// of returns the bin of a row, nil if the row has no value.
func (a *attributeTally) of(row uint32) *binTally {
	if int(row) >= len(a.bin) || a.bin[row] == noBin {
		return nil
	}
	return &a.bins[a.bin[row]]
}

func (a *attributeTally) entered(row uint32) {
	if b := a.of(row); b != nil {
		b.entries++
	}
}

func (a *attributeTally) ended(row uint32, into sim.State) {
	if b := a.of(row); b != nil {
		b.ended(into, 1)
	}
}

// matched counts a match; oldest is the index of its player who waited longest.
func (a *attributeTally) matched(m *sim.Match, oldest int) {
	lowest, highest, have := math.Inf(1), math.Inf(-1), 0
	for i := range m.Players {
		p := &m.Players[i]
		b := a.of(p.Row)
		if b == nil {
			continue
		}
		have++
		lowest, highest = min(lowest, a.column.Values[p.Row]), max(highest, a.column.Values[p.Row])
		b.addRTT(uint64(p.RTT))
		b.rtt.add(coarse(uint64(p.RTT)))
		if p.Began >= 0 {
			wait := uint64(m.At.Sub(p.Began))
			b.addWait(wait)
			b.wait.add(coarse(wait))
		}
	}
	if b := a.of(m.Players[oldest].Row); b != nil {
		b.matches++
	}
	if have >= 2 {
		a.spreads++
		a.spreadTotal += highest - lowest
		a.spread.add(spreadKey(highest - lowest))
	}
}

// attribute returns the statistics of spread.
func (a *attributeTally) attribute() Attribute {
	return Attribute{
		Name:       a.column.Name,
		Matches:    Count(a.spreads),
		SpreadMean: value(ratio(a.spreadTotal, float64(a.spreads))),
		SpreadP95:  value(spreadOf(a.spread.percentiles(95)[0])),
	}
}
