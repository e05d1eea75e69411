package page

import (
	"bytes"
	"math"
	"slices"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/figure"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// pageData is the data for the page's scripts. The page contains it as JSON.
type pageData struct {
	Classes     grade.RTTClasses `json:"classes"` // upper limits in ms; the last class has none
	Queues      bool             `json:"queues"`  // whether RTTs are shown only per queue
	Datacenters []datacenterData `json:"datacenters"`
	Coast       [][]int          `json:"coast,omitempty"` // alternating longitudes and latitudes, in tenths of a degree
	Lapse       *lapseData       `json:"lapse,omitempty"`
	Outages     []outageData     `json:"outages,omitempty"`
}

// outageData is a time in which datacenters cannot be used. Their numbers are indexes into Datacenters.
type outageData struct {
	From  outcome.Seconds `json:"from"`
	To    outcome.Seconds `json:"to"`
	Sites []int           `json:"sites"`
}

// addOutage adds the time of an event in which datacenters cannot be used.
func (d *pageData) addOutage(at, to outcome.Seconds, down []string) {
	outage := outageData{From: at, To: to}
	for i := range d.Datacenters {
		if slices.Contains(down, d.Datacenters[i].Name) {
			outage.Sites = append(outage.Sites, i)
		}
	}
	if outage.Sites != nil {
		d.Outages = append(d.Outages, outage)
	}
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

func newPageData(r *result.Result, coast figure.Coast) (*pageData, error) {
	s := &r.Summary
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	d := &pageData{Classes: limits.Classes(), Queues: len(s.Queues) > 0}
	d.Datacenters = words.Each(s.ByDatacenter, func(dc outcome.Datacenter) datacenterData { return datacenterData{dc.Name, dc.Latitude, dc.Longitude} })
	if len(r.Timelapse) == 0 {
		return d, nil
	}
	for i := range s.Events {
		e := &s.Events[i]
		d.addOutage(e.At, e.At+e.For, e.Down)
	}
	d.Coast = tenths(coast)
	var err error
	d.Lapse, err = newLapseData(r)
	return d, err
}

// tenths returns the visible parts of the coast in tenths of a degree.
func tenths(coast figure.Coast) (rings [][]int) {
	for _, ring := range coast {
		for _, part := range worldmap.VisibleParts(ring) {
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
