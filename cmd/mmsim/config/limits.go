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

type limitPair[N time.Duration | float64] struct{ good, fair limit[N] }

// limit is a threshold. If isAuto is set, n is the default.
type limit[N time.Duration | float64] struct {
	n      N
	isAuto bool
}

func (p *limitPair[N]) isAuto() bool { return p.good.isAuto && p.fair.isAuto }

func defaultLimits() Limits {
	seconds := func(s outcome.Seconds) limit[time.Duration] {
		return limit[time.Duration]{time.Duration(s) * time.Second, true}
	}
	share := func(s outcome.Share) limit[float64] { return limit[float64]{float64(s), true} }
	return Limits{
		Wait:      limitPair[time.Duration]{seconds(grade.WaitGood), seconds(grade.WaitFair)},
		RTT:       limitPair[time.Duration]{seconds(0), seconds(0)},
		Unmatched: limitPair[float64]{share(grade.UnmatchedGood), share(grade.UnmatchedFair)},
	}
}

// Given returns the limits that are set, or nil if all are defaults. It leaves out the counts
// of players, which are only known after a run.
func (l *Limits) Given() *outcome.Limits {
	if *l == defaultLimits() {
		return nil
	}
	limits := &outcome.Limits{}
	if w := &l.Wait; !w.isAuto() {
		limits.Wait = &outcome.WaitLimits{Good: outcome.RoundSeconds(w.good.n.Seconds()), Fair: outcome.RoundSeconds(w.fair.n.Seconds())}
	}
	if r := &l.RTT; !r.isAuto() {
		limits.RTT = &outcome.RTTLimits{Good: rttMillis(r.good.n), Fair: rttMillis(r.fair.n)}
	}
	if u := &l.Unmatched; !u.isAuto() {
		limits.Unmatched = &outcome.UnmatchedLimits{Good: outcome.RoundShare(u.good.n), Fair: outcome.RoundShare(u.fair.n)}
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
