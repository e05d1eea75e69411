// Package result defines the contents of a result directory, and writes and reads its files.
//
// # Reading timelapse.csv.gz and load.csv
//
// Both describe the same instants, every 10 minutes of a day. timelapse.csv.gz has the
// players in match and their mean RTT for every cell of one degree in which they live, by
// the south-west corner of the cell; cells without players are left out. load.csv has the
// players in match for every datacenter. Players whose match began in the warm-up period
// are in neither; the column playing of timeseries.csv counts them.
//
// Names in a result come from data files, which are not trusted. In CSV they pass through
// [guard.Text], because spreadsheets run texts that begin with =.
package result

import (
	"math"
	"slices"
	"strings"

	"mmsim/reports/outcome"
)

// A Result has the contents of the files of a result directory, and nothing else: pictures are
// drawn from written files, never from values that were only in memory. Load(Write(r)) equals r,
// because every number is rounded when it is computed.
type Result struct {
	Summary       outcome.Summary
	Series        []Minute       // timeseries.csv, one row per minute of the window
	Windows       []Window       // percentiles.csv, one row per quarter of an hour
	Distributions []Distribution // distributions.csv
	Map           []Cell         // map.csv, cells with at least one matched player
	QueueMaps     []QueueCell    // map_queues.csv, the same for each of several queues
	Servers       []ServerWindow // servers.csv, one row per quarter of an hour, on servers only
	Timelapse     []Frame        // timelapse.csv.gz and load.csv, one frame per 10 minutes of a day
}

// MinuteLength is the span of one row of timeseries.csv in seconds.
const MinuteLength = 60

// Minute is one row of timeseries.csv: the number of players by activity at the instant T, and the
// events in [T, T+60 s).
type Minute struct {
	T        int             `csv:"t_s"` // s since the start of the window
	Playing  int             `csv:"playing"`
	Between  int             `csv:"between"`
	Ideal    int             `csv:"ideal"`
	Expand   int             `csv:"expand"`
	WarmBody int             `csv:"warmbody"`
	Bots     int             `csv:"bots"`
	Joins    int             `csv:"joins"` // players who began to search, like Returns
	Returns  int             `csv:"returns"`
	Matches  int             `csv:"matches"`     // matches made
	Failed   int             `csv:"failed"`      // players who left without a match: failed or expired
	WaitMean outcome.Seconds `csv:"wait_mean_s"` // of the players matched in this minute
	RTTMean  outcome.Millis  `csv:"rtt_mean_ms"`
	RTTP90   outcome.Millis  `csv:"rtt_p90_ms"`
	Waiting  int             `csv:"waiting,omitzero"` // in a pool, at T
}

// Searching counts the players who wait for a match.
func (m *Minute) Searching() int { return m.Ideal + m.Expand + m.WarmBody + m.Waiting }

// WindowLength is the span of one row of percentiles.csv in seconds.
const WindowLength = 900

// Window is one row of percentiles.csv: the players that were matched in [T, T+900 s).
type Window struct {
	T            int             `csv:"t_s"`     // s since the start of the window
	Matched      int             `csv:"matched"` // players matched: Ideal + Expand + WarmBody + Waiting
	Ideal        int             `csv:"ideal"`   // the same by the state in which they matched
	Expand       int             `csv:"expand"`
	WarmBody     int             `csv:"warmbody"`
	WaitP50      outcome.Seconds `csv:"wait_p50_s"`
	WaitP90      outcome.Seconds `csv:"wait_p90_s"`
	WaitP99      outcome.Seconds `csv:"wait_p99_s"`
	First        int             `csv:"first"` // players matched in a first search that began in the window
	WaitFirstP50 outcome.Seconds `csv:"wait_first_p50_s"`
	WaitFirstP90 outcome.Seconds `csv:"wait_first_p90_s"`
	WaitFirstP99 outcome.Seconds `csv:"wait_first_p99_s"`
	RTTP50       outcome.Millis  `csv:"rtt_p50_ms"`
	RTTP90       outcome.Millis  `csv:"rtt_p90_ms"`
	RTTP99       outcome.Millis  `csv:"rtt_p99_ms"`
	Waiting      int             `csv:"waiting,omitzero"` // matched out of a pool
}

// Measures of the distributions, in the order of distributions.csv.
const (
	MeasureWaitFirst  = "wait_first_s"
	MeasureWaitRepeat = "wait_repeat_s"
	MeasureWait       = "wait_s"
	MeasureRTT        = "rtt_ms"
	MeasureDeltaRTT   = "delta_rtt_ms"
)

var measures = [...]string{MeasureWaitFirst, MeasureWaitRepeat, MeasureWait, MeasureRTT, MeasureDeltaRTT}

// QueueMeasure returns the name of a measure of the players of one of several queues: their first
// waits or their RTTs.
func QueueMeasure(queue, measure string) string { return queuePrefix + queue + "." + measure }

const queuePrefix = "queues."

// isMeasure reports whether a distribution may have the name.
func isMeasure(name string) bool {
	if slices.Contains(measures[:], name) {
		return true
	}
	queue, is := strings.CutPrefix(name, queuePrefix)
	return is && (strings.HasSuffix(queue, "."+MeasureWaitFirst) || strings.HasSuffix(queue, "."+MeasureRTT))
}

// Distribution is the histogram of one measure over players. Its bins adjoin and
// reach from 0 to the highest value; a measure without players has none. Waits begin
// with a bin from 0 to 0 for the players that did not wait at all.
type Distribution struct {
	Measure string
	Bins    []Bin
}

// Bin counts the players with a value above From and at most To, in the unit of the measure; the
// first bin also counts those at From. So if a threshold is an edge, the bins up to it count
// exactly the players whose value is at most the threshold.
type Bin struct {
	From    float64 `csv:"from"`
	To      float64 `csv:"to"`
	Players int     `csv:"players"`
}

// Distribution returns the distribution of one measure, empty if there is none.
func (r *Result) Distribution(measure string) Distribution {
	for _, d := range r.Distributions {
		if d.Measure == measure {
			return d
		}
	}
	return Distribution{Measure: measure}
}

// Cell is one row of map.csv: the players matched whose place lies in the cell of
// one degree with this south-west corner.
type Cell struct {
	Latitude  int             `csv:"latitude"`  // degrees: -90..89
	Longitude int             `csv:"longitude"` // degrees: -180..179
	Players   int             `csv:"players"`
	RTTMean   outcome.Millis  `csv:"rtt_mean_ms"`
	WaitMean  outcome.Seconds `csv:"wait_mean_s"`
}

// QueueCell is one row of map_queues.csv: the players matched in one of several queues whose place
// lies in a cell.
type QueueCell struct {
	Queue string `csv:"queue"`
	Cell
}

// MapOf returns the cells of one of several queues. Results of earlier versions have none.
func (r *Result) MapOf(queue string) (cells []Cell) {
	for i := range r.QueueMaps {
		if c := &r.QueueMaps[i]; c.Queue == queue {
			cells = append(cells, c.Cell)
		}
	}
	return cells
}

// Span returns the length of the measured window in seconds, at least a minute, so that the axes
// of an empty result have a length.
func (r *Result) Span() float64 {
	return max(float64(r.Summary.Run.Duration), 60)
}

// PlayingAt returns how many players are in a match at the instant of a frame.
func (r *Result) PlayingAt(f *Frame) int {
	if minute := f.T / MinuteLength; minute < len(r.Series) {
		return r.Series[minute].Playing
	}
	players := 0
	for _, n := range f.Load {
		players += n
	}
	return players
}

// FirstWait returns a percentile of the waits of first searches, NaN if there were none.
func (w *Window) FirstWait(percentile outcome.Seconds) float64 {
	if w.First == 0 {
		return math.NaN()
	}
	return float64(percentile)
}
