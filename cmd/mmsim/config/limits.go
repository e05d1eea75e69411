package config

import (
	"fmt"
	"math"
	"time"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Limits has the thresholds that separate good, fair and poor results in reports. They do not
// affect the simulation.
type Limits struct {
	Wait      limitPair[time.Duration] // for the 90th percentile of waits in first searches
	RTT       limitPair[time.Duration] // for the 90th percentile of RTTs; auto uses the thresholds of the states
	Unmatched limitPair[float64]       // for the share of searches that end without a match
}

// limitPair has two thresholds. One that is auto has the default.
type limitPair[N time.Duration | float64] struct {
	good, fair         N
	goodAuto, fairAuto bool
}

func defaultLimits() Limits {
	return Limits{
		Wait:      limitPair[time.Duration]{time.Duration(grade.WaitGood) * time.Second, time.Duration(grade.WaitFair) * time.Second, true, true},
		RTT:       limitPair[time.Duration]{goodAuto: true, fairAuto: true},
		Unmatched: limitPair[float64]{float64(grade.UnmatchedGood), float64(grade.UnmatchedFair), true, true},
	}
}

// Given returns the limits that are set, or nil if all are defaults. It leaves out the counts
// of players, which are only known after a run.
func (l *Limits) Given() *outcome.Limits {
	if *l == defaultLimits() {
		return nil
	}
	limits := &outcome.Limits{}
	if w := &l.Wait; !w.goodAuto || !w.fairAuto {
		limits.Wait = &outcome.WaitLimits{Good: outcome.RoundSeconds(w.good.Seconds()), Fair: outcome.RoundSeconds(w.fair.Seconds())}
	}
	if r := &l.RTT; !r.goodAuto || !r.fairAuto {
		limits.RTT = &outcome.RTTLimits{Good: rttMillis(r.good), Fair: rttMillis(r.fair)}
	}
	if u := &l.Unmatched; !u.goodAuto || !u.fairAuto {
		limits.Unmatched = &outcome.UnmatchedLimits{Good: outcome.RoundShare(u.good), Fair: outcome.RoundShare(u.fair)}
	}
	return limits
}

// rttMillis rounds an RTT down to the unit in which RTTs are stored.
func rttMillis(d time.Duration) outcome.Millis {
	return outcome.RoundMillis(float64(RTTUnits(d)) / sim.RTTUnit)
}

// shareStep is the resolution of shares in results.
const shareStep = 1e-5

// share returns the setting for a share in steps of shareStep.
func share(p *float64) value.Value {
	var x float64
	v := value.Share(&x, value.Limits{High: 1}).Checked(func(n yamltree.Node) error {
		rounded := float64(outcome.RoundShare(x))
		if math.Abs(x-rounded) > shareStep*1e-6 {
			return n.Misfit()
		}
		*p = rounded
		return nil
	})
	v.Expects = fmt.Sprintf("a share from 0 to 1 in steps of %.5f, such as 0.01 or 1%%", shareStep)
	v.Write = func(string) any { return *p }
	return v
}
