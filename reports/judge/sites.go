package judge

import (
	"slices"
	"strconv"
	"strings"
)

// A SiteSet is a set of datacenters that mmsim chose, as the value of a sweep's setting.
type SiteSet struct {
	Name        string   `json:"set"`              // number of datacenters, and number among the sets of that many, such as 5-1
	Datacenters []string `json:"datacenters"`      // in the order of the list
	MeanBestRTT Optional `json:"mean_best_rtt_ms"` // mean over the joins of run 0 of the lowest RTT to one of them
	Is          string   `json:"is,omitempty"`     // SetAll, SetOwn or ""
}

// Sets that are simulated whatever the search finds.
const (
	SetAll = "all" // every datacenter, but those that are never used
	SetOwn = "own" // datacenters.use of the configuration
)

// Names lists the datacenters, separated by blanks.
func (s *SiteSet) Names() string { return strings.Join(s.Datacenters, " ") }

// sitesHead has the columns of a SiteSet in CSV files, of which the second is named like the setting.
func sitesHead(setting string) []string { return []string{"sites", setting, "mean_best_rtt_ms", "set"} }

func (s *SiteSet) cells() []string {
	return []string{strconv.Itoa(len(s.Datacenters)), s.Names(), strconv.FormatFloat(float64(s.MeanBestRTT), 'f', 4, 64), s.Name}
}

// SiteSetting returns the index of the setting whose values are the sets of the points, or -1.
func (s *Sweep) SiteSetting() int {
	if s.Points[0].Set == nil {
		return -1
	}
	return slices.IndexFunc(s.Settings, func(key string) bool { return key == UseKey })
}

// UseKey is the setting whose values may be a SiteSet.
const UseKey = "datacenters.use"

// valueColumns returns the names of the columns that hold the settings of a point, and the cells of
// each point.
func (s *Sweep) valueColumns() (head []string, cells func(point int) []string) {
	at := s.SiteSetting()
	if at < 0 {
		return s.Settings, func(point int) []string { return s.Points[point].Values }
	}
	return slices.Replace(slices.Clone(s.Settings), at, at+1, sitesHead(UseKey)...), func(point int) []string {
		p := &s.Points[point]
		return slices.Replace(slices.Clone(p.Values), at, at+1, p.Set.cells()...)
	}
}
