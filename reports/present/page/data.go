package page

import (
	"bytes"
	"math"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/figure"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// pageData is the data for the page's scripts. The page contains it as JSON.
type pageData struct {
	Classes     grade.RTTClasses   `json:"classes"`    // upper limits in ms; the last class has none
	Thresholds  outcome.Thresholds `json:"thresholds"` // see grade.RTTsOf
	Seconds     float64            `json:"seconds"`    // length of the measured window
	HasStates   bool               `json:"has_states"`
	Queues      bool               `json:"queues"` // whether waits and RTTs are shown only per queue
	Minutes     minuteData         `json:"minutes"`
	Windows     windowData         `json:"windows"`
	Servers     *serverData        `json:"servers,omitempty"`
	Waits       []curveData        `json:"waits"` // in s
	RTTs        []curveData        `json:"rtts"`  // in ms
	RTTBars     barData            `json:"rtt_bars"`
	Datacenters []datacenterData   `json:"datacenters"`
	Coast       [][]int            `json:"coast,omitempty"` // alternating longitudes and latitudes, in tenths of a degree
	Lapse       *lapseData         `json:"lapse,omitempty"`
}

// minuteData has one value per row of timeseries.csv or, for a long run, the mean of a few rows.
type minuteData struct {
	T         []float64 `json:"t"`
	Playing   []float64 `json:"playing"`
	Between   []float64 `json:"between"`
	Searching []float64 `json:"searching"`
	Bots      []float64 `json:"bots"`
	Joins     []float64 `json:"joins"` // per minute
	Returns   []float64 `json:"returns"`
	Failed    []float64 `json:"failed"`
}

// windowData has one value per row of percentiles.csv. A percentile without players is null.
type windowData struct {
	T      []float64     `json:"t"`      // middle of the window, in s
	Wait   [3][]*float64 `json:"wait"`   // of first searches: p50, p90, p99
	RTT    [3][]*float64 `json:"rtt"`    // p50, p90, p99
	States [3][]*float64 `json:"states"` // shares: ideal, expand, warm body
}

// curveData is a cumulative distribution: the fraction Share[i] of the players is at or below
// X[i].
type curveData struct {
	Name  string    `json:"name"`
	X     []float64 `json:"x"`
	Share []float64 `json:"share"`
}

// barData is a histogram with bars of equal width in ms.
type barData struct {
	Width  float64         `json:"width"`
	Shares []outcome.Share `json:"shares"`
}

type datacenterData struct {
	Name      string          `json:"name"`
	Latitude  outcome.Degrees `json:"latitude"`
	Longitude outcome.Degrees `json:"longitude"`
}

// lapseData is the time-lapse. Packed is a gzip file with the players of all frames, followed by
// the RTTs of all frames; see appendPlanes.
type lapseData struct {
	Step       int     `json:"step"` // in s, also the time of the first frame
	Frames     int     `json:"frames"`
	Latitudes  []int   `json:"latitudes"` // Latitudes and Longitudes are the south-west corners of the cells
	Longitudes []int   `json:"longitudes"`
	Packed     []byte  `json:"packed"`
	Load       [][]int `json:"load"`     // by frame and datacenter
	InMatch    []int   `json:"in_match"` // by frame; includes players whose place is unknown
}

// pagePoints is the maximum number of points in a curve: one per minute of a day.
const pagePoints = 1440

func newPageData(r *result.Result, coast figure.Coast) (*pageData, error) {
	s := &r.Summary
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	d := &pageData{
		Classes:     limits.Classes(),
		Thresholds:  outcome.Thresholds{Ideal: limits.Good, Expand: limits.Fair},
		Seconds:     r.Span(),
		HasStates:   s.HasStates(),
		Queues:      len(s.Queues) > 0,
		Minutes:     minutesOf(r),
		Windows:     windowsOf(r),
		Datacenters: []datacenterData{},
		Waits:       waitCurves(r),
		RTTs:        rttCurves(r),
	}
	bars, width := figure.Rebin(r.Distribution(result.MeasureRTT).Bins)
	d.RTTBars.Width = width
	for _, n := range bars {
		d.RTTBars.Shares = append(d.RTTBars.Shares, outcome.ShareOf(outcome.Count(n), s.RTT.Count))
	}
	for _, dc := range s.ByDatacenter {
		d.Datacenters = append(d.Datacenters, datacenterData{dc.Name, dc.Latitude, dc.Longitude})
	}
	if s.Servers != nil {
		d.Servers = serversOf(r)
	}
	if len(r.Timelapse) == 0 {
		return d, nil
	}
	d.Coast = tenths(coast)
	var err error
	d.Lapse, err = newLapseData(r)
	return d, err
}

// rttCurves returns the distribution of all RTTs, or one distribution per queue if there are
// several queues.
func rttCurves(r *result.Result) []curveData {
	if len(r.Summary.Queues) > 0 {
		return queueCurves(r, result.MeasureRTT)
	}
	return []curveData{
		curveOf("RTT", r.Distribution(result.MeasureRTT)),
		curveOf("above the player's best", r.Distribution(result.MeasureDeltaRTT)),
	}
}

// queueCurves returns each queue's distribution of a measure.
func queueCurves(r *result.Result, measure result.Measure) (curves []curveData) {
	for i := range r.Summary.Queues {
		name := r.Summary.Queues[i].Name
		curves = append(curves, curveOf(words.Name(name), r.QueueDistribution(name, measure)))
	}
	return curves
}

// waitCurves returns the distributions of waits. If there are several queues, these are the waits
// of first searches per queue. On servers it returns only the waits for servers to start, and none
// if nobody waited.
func waitCurves(r *result.Result) []curveData {
	if len(r.Summary.Queues) > 0 {
		return queueCurves(r, result.MeasureWaitFirst)
	}
	first := curveOf("first searches", r.Distribution(result.MeasureWaitFirst))
	switch {
	case r.Summary.Servers == nil:
		return []curveData{first, curveOf("after a match", r.Distribution(result.MeasureWaitRepeat))}
	case r.Summary.Wait.Max > 0:
		first.Name = "for the start of the server"
		return []curveData{first}
	}
	return []curveData{}
}

func minutesOf(r *result.Result) (d minuteData) {
	per := func(value func(*result.Minute) int) (xs, ys []float64) {
		xs, ys = figure.OverMinutes(r, pagePoints, value)
		for i := range ys {
			ys[i] = math.Round(ys[i]*10) / 10
		}
		return listed(xs), listed(ys)
	}
	d.T, d.Playing = per(func(m *result.Minute) int { return m.Playing })
	_, d.Between = per(func(m *result.Minute) int { return m.Between })
	_, d.Searching = per((*result.Minute).Searching)
	_, d.Bots = per(func(m *result.Minute) int { return m.Bots })
	_, d.Joins = per(func(m *result.Minute) int { return m.Joins })
	_, d.Returns = per(func(m *result.Minute) int { return m.Returns })
	_, d.Failed = per(func(m *result.Minute) int { return m.Failed })
	return d
}

// windowsOf returns the percentiles of all windows. It returns none if there are more than
// pagePoints windows, because percentiles cannot be averaged over several windows.
func windowsOf(r *result.Result) (d windowData) {
	d.T = []float64{}
	for _, curves := range [...]*[3][]*float64{&d.Wait, &d.RTT, &d.States} {
		for k := range curves {
			curves[k] = []*float64{}
		}
	}
	for i := 0; i < len(r.Windows); i += (len(r.Windows) + pagePoints - 1) / pagePoints {
		w := &r.Windows[i]
		d.T = append(d.T, float64(w.T)+result.WindowLength/2)
		for k, v := range [...]outcome.Seconds{w.WaitFirstP50, w.WaitFirstP90, w.WaitFirstP99} {
			d.Wait[k] = append(d.Wait[k], measured(float64(v)))
		}
		for k, v := range [...]outcome.Millis{w.RTTP50, w.RTTP90, w.RTTP99} {
			d.RTT[k] = append(d.RTT[k], measured(float64(v)))
		}
		inStates := w.Ideal + w.Expand + w.WarmBody // the other players were matched from a pool
		for k, n := range [...]int{w.Ideal, w.Expand, w.WarmBody} {
			d.States[k] = append(d.States[k], measured(float64(outcome.RoundShare(float64(n)/float64(inStates)))))
		}
	}
	return d
}

// listed returns list, or an empty list if it is nil, because JSON would write a nil list as null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// measured returns a pointer to v, or nil if v is NaN, which JSON cannot write.
func measured(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// curveOf returns the cumulative distribution up to the last bin with a player.
func curveOf(name string, d result.Distribution) curveData {
	c := curveData{name, []float64{}, []float64{}}
	total, below := 0, 0
	for _, b := range d.Bins {
		total += b.Players
	}
	for _, b := range d.Bins {
		if below += b.Players; b.Players > 0 {
			c.X, c.Share = append(c.X, b.To), append(c.Share, float64(outcome.ShareOf(below, total)))
		}
	}
	return c
}

// tenths returns the visible parts of the coast in tenths of a degree.
func tenths(coast figure.Coast) (rings [][]int) {
	for _, ring := range coast {
		for _, part := range figure.VisibleParts(ring) {
			var points []int
			for _, at := range part {
				x, y := int(math.Round(10*at[0])), int(math.Round(10*at[1]))
				if n := len(points); n == 0 || points[n-2] != x || points[n-1] != y {
					points = append(points, x, y)
				}
			}
			if len(points) > 4 {
				rings = append(rings, points)
			}
		}
	}
	return rings
}

// lapseLevel is the gzip level of the time-lapse. It takes half the time of slower levels and
// compresses small numbers equally well.
const lapseLevel = 3

func newLapseData(r *result.Result) (*lapseData, error) {
	d := &lapseData{Step: r.Timelapse[0].T, Frames: len(r.Timelapse)}
	var inhabited cellSet
	for i := range r.Timelapse {
		f := &r.Timelapse[i]
		d.Load = append(d.Load, f.Load)
		d.InMatch = append(d.InMatch, r.PlayingAt(f))
		for j := range f.Cells {
			inhabited.add(int(f.Cells[j].Latitude), int(f.Cells[j].Longitude))
		}
	}
	d.Latitudes, d.Longitudes = inhabited.number()
	var players, rtts []byte
	for i := range r.Timelapse {
		players, rtts = inhabited.appendPlanes(players, rtts, &r.Timelapse[i])
	}
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, lapseLevel)
	if err != nil {
		return nil, err
	}
	for _, plane := range [...][]byte{players, rtts} {
		if _, err := zip.Write(plane); err != nil {
			return nil, err
		}
	}
	err = zip.Close()
	d.Packed = packed.Bytes()
	return d, err
}

// serverData has one value per row of servers.csv.
type serverData struct {
	T         []float64       `json:"t"` // middle of the window, in s
	Running   []outcome.Count `json:"running"`
	Taken     []outcome.Count `json:"taken"`
	Free      []outcome.Count `json:"free"`
	Opened    []int           `json:"opened"`
	Placed    []int           `json:"placed"`
	Preferred []int           `json:"preferred"`
}

func serversOf(r *result.Result) *serverData {
	d := &serverData{T: []float64{}}
	for i := range r.Servers {
		w := &r.Servers[i]
		d.T = append(d.T, float64(w.T)+result.WindowLength/2)
		d.Running, d.Taken, d.Free = append(d.Running, w.Running), append(d.Taken, w.Taken), append(d.Free, outcome.RoundCount(float64(w.Seats-w.Taken)))
		d.Opened, d.Placed, d.Preferred = append(d.Opened, w.Opened), append(d.Placed, w.Placed), append(d.Preferred, w.Preferred)
	}
	return d
}
