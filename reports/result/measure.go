package result

import (
	"slices"
	"strings"

	"mmsim/reports/outcome"
)

// A Measure is a number of matched players, such as their wait. Its distribution is in
// distributions.csv.
type Measure uint8

// The measures, in the order of distributions.csv.
const (
	MeasureWaitFirst Measure = iota
	MeasureWaitRepeat
	MeasureWait
	MeasureRTT
	MeasureDeltaRTT

	Measures // the number of measures
)

// measures describes each Measure.
var measures = [Measures]struct {
	name     string       // of its statistics in summary.json, such as rtt_ms for rtt_ms.mean
	unit     outcome.Unit // UnitSeconds or UnitMillis
	perQueue bool         // whether the file has the distribution of each of several queues
	words    string
}{
	MeasureWaitFirst:  {"wait_first_s", outcome.UnitSeconds, true, "waits of first searches"},
	MeasureWaitRepeat: {"wait_repeat_s", outcome.UnitSeconds, false, "waits of repeat searches"},
	MeasureWait:       {"wait_s", outcome.UnitSeconds, false, "waits of all searches"},
	MeasureRTT:        {"rtt_ms", outcome.UnitMillis, true, "RTTs"},
	MeasureDeltaRTT:   {"delta_rtt_ms", outcome.UnitMillis, false, "extra RTTs"},
}

// String returns the name in distributions.csv.
func (m Measure) String() string { return measures[m].name }

// Words names the numbers for readers, such as "RTTs".
func (m Measure) Words() string { return measures[m].words }

// MeasureNamed returns the measure with this name in distributions.csv.
func MeasureNamed(name string) (m Measure, is bool) {
	i := slices.Index(MeasureNames(), name)
	return Measure(max(0, i)), i >= 0
}

// MeasureNames lists the names of all measures.
func MeasureNames() (names []string) {
	for m := range Measures {
		names = append(names, m.String())
	}
	return names
}

// Unit returns UnitSeconds or UnitMillis.
func (m Measure) Unit() outcome.Unit { return measures[m].unit }

// IsPerQueue reports whether distributions.csv also has the distribution of the measure in each of
// several queues.
func (m Measure) IsPerQueue() bool { return measures[m].perQueue }

// Distribution is the histogram of one measure over players. Its bins are adjacent and cover 0 to
// the highest value; a measure without players has no bins. The first bin of waits is from 0 to
// 0, for the players who did not wait at all.
type Distribution struct {
	Measure Measure
	Queue   string // one of several queues; "" for the whole run
	Bins    []Bin
}

// Bin counts the players with a value above From and at most To, in the unit of the measure. The
// first bin also counts those at From. So if a threshold is an edge, the bins up to it count
// exactly the players within the threshold.
type Bin struct {
	From    float64 `csv:"from"`
	To      float64 `csv:"to"`
	Players int     `csv:"players"`
}

// Distribution returns the distribution of a measure. It is empty if there is none.
func (r *Result) Distribution(measure Measure) Distribution { return r.QueueDistribution("", measure) }

// QueueDistribution returns the distribution of a measure in one of several queues. It is empty
// if there is none.
func (r *Result) QueueDistribution(queue string, measure Measure) Distribution {
	for _, d := range r.Distributions {
		if d.Measure == measure && d.Queue == queue {
			return d
		}
	}
	return Distribution{Measure: measure, Queue: queue}
}

// Name returns the name of the distribution in the file: that of its measure, or
// queues.QUEUE.MEASURE.
func (d *Distribution) Name() string {
	if d.Queue == "" {
		return d.Measure.String()
	}
	return queuePrefix + d.Queue + "." + d.Measure.String()
}

const queuePrefix = "queues."

// DistributionNamed returns the distribution with this name, without bins. is is false if no file
// can have a distribution of this name.
func DistributionNamed(name string) (d Distribution, is bool) {
	queue, isQueue := strings.CutPrefix(name, queuePrefix)
	if d.Measure, is = MeasureNamed(name); is {
		return d, true
	}
	for d.Measure = range Measures {
		if of, is := strings.CutSuffix(queue, "."+d.Measure.String()); isQueue && is && d.Measure.IsPerQueue() {
			d.Queue = of
			return d, true
		}
	}
	return Distribution{}, false
}
