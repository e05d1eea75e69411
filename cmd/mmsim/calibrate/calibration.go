package calibrate

import (
	"math"
	"time"

	"mmsim/datasets/ticketlog"
	"mmsim/reports/estimate"
	"mmsim/reports/fidelity"
	"mmsim/reports/outcome"
)

// calibrationOf returns the content of calibrationFile.
func calibrationOf(l *ticketlog.Log, f *fitted, zone *time.Location) *fidelity.Calibration {
	c := &l.Counts
	date := func(ms int64) string { return time.UnixMilli(ms).In(zone).Format(time.DateOnly) }
	found := &fidelity.Calibration{
		Schema: fidelity.Schema, Complete: true, Format: l.Format, Events: c.Events, Repeated: c.Repeated, Tickets: c.Tickets, Players: c.Players,
		From: date(l.From), To: date(l.To - 1), Days: l.Days, Joins: c.Joins, Parties: c.Parties, Returns: c.Returns, Lost: c.Lost,
		LeftEarly: c.LeftEarly, AskedAgain: c.AskedAgain, Cut: c.Cut, Skewed: c.Skewed, Reused: c.Reused, Dropped: []fidelity.Dropped{},
		Fit: f.rounded(),
	}
	for _, q := range f.queues {
		found.Queues = append(found.Queues, fidelity.QueueFit{Name: q.queue, Fit: q.rounded()})
	}
	drop := func(why string, count int) {
		if count > 0 {
			found.Dropped = append(found.Dropped, fidelity.Dropped{Why: why, Count: count})
		}
	}
	drop("repeated events", c.Repeated)
	drop("malformed rows", c.BadRows)
	drop("joining players without a place", c.NoPlace)
	return found
}

// rounded returns the estimates as they are written.
func (f *fitted) rounded() fidelity.Fit {
	found := fidelity.Fit{Estimates: outcome.Object[fidelity.Estimate]{}, KaplanMeier: []fidelity.Step{}, Patience: []fidelity.Entry{}}
	if f.searches > 0 {
		found.Naive = rounded(float64(f.cancelled)/float64(f.searches), 5)
	}
	add := func(key string, e *estimate.Estimate, decimals int, assumed bool) {
		if e != nil {
			found.Estimates = append(found.Estimates, fidelity.Estimate{
				Name: key, Value: rounded(e.Value, decimals), Low: rounded(e.Low, decimals), High: rounded(e.High, decimals), N: e.N, Assumed: assumed,
			})
		}
	}
	add(keyPlayAgain, f.playAgain, 5, f.assumed)
	add(keyBetween, f.between, 3, f.assumed)
	add(keyLength, f.length, 3, false)
	add(keyLengthSD, f.lengthSD, 3, false)
	add(keyGiveUp, f.giveUp, 3, false)
	for _, s := range f.survival {
		found.KaplanMeier = append(found.KaplanMeier, fidelity.Step{
			At: float64(s.At) / 1000, AtRisk: s.AtRisk, Cancelled: s.Events, Survival: rounded(s.Survival, 5), Low: rounded(s.Low, 5), High: rounded(s.High, 5),
		})
	}
	for _, e := range f.patience {
		found.Patience = append(found.Patience, fidelity.Entry(e))
	}
	return found
}

// rounded rounds a number to decimals.
func rounded(v float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(v*unit) / unit
}
