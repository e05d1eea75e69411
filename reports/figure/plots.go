// Package figure draws the pictures of a result and of latency maps; package decision below
// it draws those of comparisons, sweeps and tuning.
package figure

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"mmsim/reports/chart"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// Plots returns the pictures of a result in the order in which to read them.
func Plots(r *result.Result, coast Coast) []chart.Plot {
	if r.Summary.Servers != nil {
		return []chart.Plot{plotRTT(r), plotServers(r), plotSignals(r), plotDatacenters(r), plotMap(r, coast)}
	}
	plots := []chart.Plot{plotWaitTime(r), plotRTT(r), plotCCU(r)}
	if len(r.Summary.Queues) > 0 { // their rules differ, so nothing is pooled
		plots[0], plots[1] = plotQueueWaits(r), plotQueueRTTs(r)
	}
	if r.Summary.HasStates() {
		plots = append(plots, plotStates(r))
	}
	if rules := r.Summary.Rules; rules != nil {
		plots = append(plots, plotRules(rules))
	}
	for i := range r.Summary.Queues {
		if q := &r.Summary.Queues[i]; q.Rules != nil {
			p := plotRules(q.Rules)
			p.Name, p.Section, p.Title = fmt.Sprintf("%s-%d", p.Name, i+1), QueueSection(i), words.Name(q.Name)+": "+p.Title
			plots = append(plots, p)
		}
	}
	if len(r.Summary.Queues) == 0 && len(outcome.RuledDeciles(&r.Summary)) > 0 {
		plots = append(plots, plotQuality(r))
	}
	return append(plots, plotDatacenters(r), plotMap(r, coast))
}

// Write writes every picture as NAME.png and NAME.svg through create. Pictures are drawn on
// all cores and written one after the other.
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

// Sections of the page that show pictures of their own.
const (
	RulesSection      = "ruleset"
	AttributesSection = "attributes"
)

// QueueSection returns the section of the page about one of several queues.
func QueueSection(i int) string { return fmt.Sprintf("queue-%d", i+1) }
