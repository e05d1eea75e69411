package scan

import (
	"math"
	"slices"

	"mmsim/matcher"
	"mmsim/matcher/engine/internal/reach"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/textset"
)

// Reason is what keeps a candidate apart from a seed for which nothing has been admitted.
type Reason struct {
	Rule         int    // index in Ruleset.RuleNames; -1: the reason applies only to sessions
	Name         string // set if Rule is -1
	Waits        bool   // it may change with the waits
	Value, Bound float64
}

// Rules without a name in the configuration, by their offset from the region's index.
const (
	otherAttributes = 1 + iota
	samePlayer
	blockedPlayer
)

// Fixed returns the first reason that does not depend on the waits.
func (r *Rules) Fixed(seed, row Row) (why Reason, apart bool) {
	a, b := &r.traits[seed], &r.traits[row]
	region := len(r.Set.Distances) + len(r.Set.Options)
	why = Reason{Value: math.NaN(), Bound: math.NaN()}
	switch {
	case r.rows.Kind[seed] == store.Session && b.newOnly:
		why.Rule, why.Name = -1, "new matches only"
		return why, true
	case textset.Meet(a.people, b.people):
		why.Rule = region + samePlayer
		return why, true
	case !r.sameAttributes(seed, row):
		why.Rule = region + otherAttributes
		return why, true
	case r.Set.Blocking == matcher.KeepApart && r.Block(seed, row):
		why.Rule = region + blockedPlayer
		return why, true
	}
	for i := range r.Set.Options {
		if !optionPasses(r.Set.Options[i].Kind, a.options[i], a.own[i], b.options[i], b.own[i]) {
			why.Rule = len(r.Set.Distances) + i
			return why, true
		}
	}
	return why, false
}

// Waiting returns the first reason that depends on the waits, for a seed and a candidate at an
// instant.
func (r *Rules) Waiting(seed, row Row, atMS int64, region matcher.Region) (why Reason, apart bool) {
	mine, theirs := r.limitsAt(seed, atMS), r.limitsAt(row, atMS)
	own, other := r.of(seed), r.of(row)
	for i := range own {
		difference := math.Abs(other[i] - own[i])
		if bound := min(mine[i].Bound, r.reference(i, theirs)); mine[i].Active && difference > bound {
			return Reason{Rule: i, Waits: true, Value: difference, Bound: bound}, true
		}
	}
	g := &r.regions
	x, y := g.Profile(seed), g.Profile(row)
	l, k := &mine[g.At], &theirs[g.At]
	reachMS := func(p *reach.Profile, l *Limit) float64 { return g.LimitMS(l.Bound, p.BestMS) }
	why = Reason{Rule: len(r.Set.Distances) + len(r.Set.Options), Waits: true, Value: math.Inf(1), Bound: min(reachMS(x, l), reachMS(y, k))}
	session := r.rows.Kind[seed] == store.Session
	switch {
	case session && region == matcher.NoRegion, !session && (x.BestMS > reachMS(x, l) || y.BestMS > reachMS(y, k)),
		!session && (math.IsInf(x.BestMS, 1) || math.IsInf(y.BestMS, 1)):
		return why, false // one of the two may go anywhere
	}
	theirMS := reachMS(y, k)
	if l.Optional && !session {
		theirMS = math.MaxFloat64
	}
	for at := range matcher.Region(g.schema.Regions()) {
		mineMS := x.To(at)
		if session {
			if mineMS = 0; at != region {
				continue
			}
		} else if mineMS > reachMS(x, l) {
			why.Value = min(why.Value, max(mineMS, y.To(at)))
			continue
		}
		if y.To(at) <= theirMS && !math.IsInf(y.To(at), 1) {
			return why, false
		}
		why.Value = min(why.Value, max(mineMS, y.To(at)))
	}
	return why, true
}

// Opens returns the first instant, from now on, at which a reason no longer applies;
// matcher.Never.
func (r *Rules) Opens(why Reason, seed, row Row, region matcher.Region) int64 {
	var after []int64
	if why.Rule < len(r.Set.Distances) {
		for _, k := range r.alike[why.Rule] {
			for _, s := range r.Set.Distances[k].Max {
				after = append(after, s.AfterMS)
			}
		}
	} else if rule := &r.Set.Region; why.Value <= rule.MaxMS {
		const stagesMax = 10_000 // more than the number of stages of any limit in milliseconds
		for stage := int64(1); rule.ReachMS.EveryMS > 0 && stage <= stagesMax; stage++ {
			after = append(after, stage*rule.ReachMS.EveryMS+1)
			if reachMS, _ := rule.ReachMS.At(stage * rule.ReachMS.EveryMS); reachMS > why.Value {
				break
			}
		}
	}
	if one := r.Set.Region.OneWayAfterMS; one < matcher.Never-1 {
		after = append(after, one+1)
	}
	var instants []int64
	for _, afterMS := range after {
		for _, at := range []int64{r.rows.CreatedMS[seed] + afterMS, r.rows.CreatedMS[row] + afterMS} {
			if at > r.rows.NowMS {
				instants = append(instants, at)
			}
		}
	}
	slices.Sort(instants)
	for _, at := range instants {
		if now, apart := r.Waiting(seed, row, at, region); !apart || now.Rule > why.Rule {
			return at
		}
	}
	return matcher.Never
}

// limitsAt returns the limits of a row at an instant.
func (r *Rules) limitsAt(row Row, atMS int64) []Limit {
	if atMS == r.rows.NowMS {
		return r.limits(row)
	}
	stage := r.StageAt(max(0, atMS-r.rows.CreatedMS[row]))
	return stage.Limits
}
