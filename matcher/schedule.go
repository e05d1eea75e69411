package matcher

import "math"

// Never is the instant or the wait, in ms, of an event that does not happen.
const Never int64 = math.MaxInt64

// Schedule is a threshold that changes with the time waited. After n whole periods of EveryMS it
// is in stage n. The zero Schedule is the constant 0.
type Schedule struct {
	Base    float64    // threshold at the start, unless there is a List
	EveryMS int64      // period, ms; 0 if the threshold is constant
	Step    float64    // added in each stage, unless there is a List
	Limit   float64    // the largest threshold if Step is positive, the smallest if it is negative; may be infinite
	List    []Override // thresholds from stage 0 on; the last one applies to all later stages
}

// Override is the threshold of one stage in a list.
type Override struct {
	Value    float64
	Inactive bool // the rule is not enforced in this stage
}

// Fixed returns a schedule whose threshold never changes.
func Fixed(base float64) Schedule { return Schedule{Base: base} }

// Linear returns a schedule whose threshold is base + n·step in stage n. The threshold stops at
// limit. If base is already beyond limit, it stays at base.
func Linear(base, step, limit float64, everyMS int64) Schedule {
	return Schedule{Base: base, EveryMS: everyMS, Step: step, Limit: limit}
}

// Custom returns a schedule with a list of thresholds, one for each stage. The threshold of
// inactive stages is base, because distances depend on a threshold even then.
func Custom(base float64, everyMS int64, list []Override) Schedule {
	return Schedule{Base: base, EveryMS: everyMS, List: list}
}

// Stage returns the stage after a wait in ms. A negative wait counts as 0.
func (s *Schedule) Stage(waitMS int64) int64 {
	if s.EveryMS <= 0 || waitMS <= 0 {
		return 0
	}
	return waitMS / s.EveryMS
}

// At returns the threshold after a wait in ms, and reports whether the rule is active then. In an
// inactive stage the threshold is Base.
func (s *Schedule) At(waitMS int64) (threshold float64, active bool) {
	return s.atStage(s.Stage(waitMS))
}

func (s *Schedule) atStage(stage int64) (threshold float64, active bool) {
	if n := int64(len(s.List)); n > 0 {
		o := s.List[min(stage, n-1)]
		if o.Inactive {
			return s.Base, false
		}
		return o.Value, true
	}
	if s.EveryMS <= 0 || s.Step == 0 || stage == 0 {
		return s.Base, true
	}
	moved := s.Base + float64(float64(stage)*s.Step)
	if s.Step > 0 {
		return max(s.Base, min(moved, s.Limit)), true
	}
	return min(s.Base, max(moved, s.Limit)), true
}

// NextChange returns the first wait after waitMS at which the threshold changes or the rule becomes
// active or inactive. It returns Never if nothing changes.
func (s *Schedule) NextChange(waitMS int64) int64 {
	stage := s.Stage(waitMS)
	now, active := s.atStage(stage)
	if n := int64(len(s.List)); n > 0 {
		for stage++; stage < n; stage++ {
			if v, a := s.atStage(stage); v != now || a != active {
				return s.startOf(stage)
			}
		}
		return Never
	}
	if next, _ := s.atStage(stage + 1); next == now {
		return Never
	}
	return s.startOf(stage + 1)
}

// startOf returns the wait in ms at which a stage begins.
func (s *Schedule) startOf(stage int64) int64 {
	if s.EveryMS <= 0 || stage > Never/s.EveryMS {
		return Never
	}
	return stage * s.EveryMS
}

// Span returns the smallest and the largest threshold of all stages, and reports whether any stage
// is inactive. The threshold of an inactive stage is Base.
func (s *Schedule) Span() (least, most float64, everInactive bool) {
	if len(s.List) == 0 {
		least, most = s.Base, s.Base
		if s.EveryMS > 0 && s.Step != 0 {
			// If Base is already beyond the limit, endOfSteps returns Base.
			least, most = min(least, s.endOfSteps()), max(most, s.endOfSteps())
		}
		return least, most, false
	}
	least, most = math.Inf(1), math.Inf(-1)
	for i := range s.List {
		v, active := s.atStage(int64(i))
		least, most, everInactive = min(least, v), max(most, v), everInactive || !active
	}
	return least, most, everInactive
}

// endOfSteps returns the final threshold of a linear schedule.
func (s *Schedule) endOfSteps() float64 {
	if s.Step > 0 {
		return max(s.Base, s.Limit)
	}
	return min(s.Base, s.Limit)
}
