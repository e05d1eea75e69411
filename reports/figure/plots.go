// Package figure draws the pictures of a result and of latency maps. Package figure/decision draws
// the pictures of comparisons, sweeps and tuning.
package figure

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"

	"mmsim/reports/chart"
	"mmsim/reports/figure/events"
	"mmsim/reports/figure/season"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// picture describes a picture of a result, or one picture for each queue.
type picture struct {
	// shows is the name of the metric in the picture, or a pattern of names. A result without that
	// metric, such as one of an earlier version, does not have the picture.
	shows string
	in    kind // the results that have the picture
	draw  func(r *result.Result, coast Coast) []chart.Plot
}

// isOf reports whether a result with this summary, whose MetricValues are values, has the picture.
func (p *picture) isOf(s *outcome.Summary, values []outcome.MetricValue) bool {
	has := func(v outcome.MetricValue) bool { return outcome.MatchesPattern(p.shows, v.Name) }
	return p.in&kindOf(s) != 0 && slices.ContainsFunc(values, has)
}

// kind is a bit set that says which results have a picture.
type kind uint8

const (
	ofOneQueue kind = 1 << iota
	ofQueues        // several queues, over which means say nothing because their rules differ
	onServers
	ofMatches = ofOneQueue | ofQueues
	anywhere  = ofMatches | onServers
)

func kindOf(s *outcome.Summary) kind {
	switch {
	case s.Servers != nil:
		return onServers
	case len(s.Queues) > 0:
		return ofQueues
	}
	return ofOneQueue
}

// pictures are the pictures of a result in reading order.
var pictures = []picture{
	{"season.visits", ofMatches, func(r *result.Result, _ Coast) []chart.Plot { return season.Plots(season.Run(r)) }},
	{"wait_first_s.p90", ofOneQueue, one(plotWaitTime)},
	{"queues.*.wait_first_s.p90", ofQueues, one(plotQueueWaits)},
	{"wait_first_s.p90", ofOneQueue, plotSteps},
	{"queues.*.wait_first_s.p90", ofQueues, plotSteps},
	{"rtt_ms.p90", ofOneQueue | onServers, one(plotRTT)},
	{"delta_rtt_ms.mean", ofOneQueue | onServers, one(plotBest)},
	{"queues.*.rtt_ms.p90", ofQueues, one(plotQueueRTTs)},
	{"servers.mean", onServers, one(plotServers)},
	{"servers.decided_by_score", onServers, plotSignals},
	{"ccu.peak", ofMatches, one(plotCCU)},
	{"players.joins", ofMatches, one(plotSearches)},
	{"events.*.searching_peak", anywhere, func(r *result.Result, _ Coast) []chart.Plot { return events.Plots(r) }},
	{"states.ideal.share", ofMatches, plotStates},
	{"rules.share_relaxed", ofOneQueue, plotRulesets},
	{"queues.*.rules.share_relaxed", ofQueues, plotRulesets},
	{"players.unmatched_share", anywhere, plotUnmatched},
	{"by_hour.*.players", anywhere, plotRegions},
	{"by_attribute_decile.*.spread_mean", ofOneQueue, plotQuality},
	{"attributes.*.spread_mean", ofOneQueue, plotSpreads},
	{"players.matched", anywhere, plotDatacenters},
	{"players.matched", anywhere, plotLoad},
	{"fleet.cost_per_day", anywhere, plotMachines},
	{"rtt_ms.mean", ofOneQueue | onServers, plotMap},
	{"players.matched", ofQueues, plotQueueMaps},
}

// one adapts a function that draws one picture without a map.
func one(plot func(r *result.Result) chart.Plot) func(*result.Result, Coast) []chart.Plot {
	return func(r *result.Result, _ Coast) []chart.Plot { return []chart.Plot{plot(r)} }
}

// Plots returns the pictures of a result in reading order.
func Plots(r *result.Result, coast Coast) (plots []chart.Plot) {
	values := r.Summary.MetricValues()
	for _, p := range pictures {
		if p.isOf(&r.Summary, values) {
			plots = append(plots, p.draw(r, coast)...)
		}
	}
	bands := events.Bands(r.Summary.Events)
	for i := range plots {
		plots[i].Bands, plots[i].Ahead = bands, float64(r.Summary.Run.UTCOffset)
	}
	return plots
}

// Write writes every picture as NAME.png and NAME.svg. It draws on all cores, but creates and
// writes the files one after the other.
func Write(plots []chart.Plot, create result.Create) error {
	files := make([][2]bytes.Buffer, len(plots))
	errs := make([]error, len(plots))
	var drawn sync.WaitGroup
	for i := range plots {
		drawn.Go(func() {
			errs[i] = plots[i].WritePNG(&files[i][0])
			if errs[i] == nil {
				errs[i] = plots[i].WriteSVG(&files[i][1])
			}
		})
	}
	drawn.Wait()
	for i, p := range plots {
		if errs[i] != nil {
			return fmt.Errorf("plot %s: %w", p.Name, errs[i])
		}
		for j, extension := range [...]string{".png", ".svg"} {
			if err := create.File(p.Name+extension, func(w io.Writer) error {
				_, err := files[i][j].WriteTo(w)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
