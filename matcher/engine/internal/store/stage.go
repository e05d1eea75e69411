package store

// Limit is one rule as it holds after some wait.
type Limit struct {
	Bound    float64 // the threshold; of a total the maximum
	Least    float64 // of a total the minimum
	Active   bool    // the rule is looked at in this stage
	Optional bool    // the wait is so long that the rule need not hold
	Level    int32   // place of Bound among the thresholds of the rule from 1; 0 where there are too many
}

// Stage is how all rules hold during an interval of waits, from the end of the stage
// before until UntilMS.
type Stage struct {
	UntilMS int64
	Limits  []Limit // by rule
}

// Stages finds the stage of a wait and computes each only once, so that tickets in the
// same stage share it.
type Stages struct {
	compute func(waitMS int64) Stage
	known   []*Stage // without gaps from wait 0 on
}

// maxStages bounds the stages that are kept. Rules that change in small steps for hours
// have more; those are computed again for each ticket.
const maxStages = 512

// At returns the stage after a wait, in ms.
func (s *Stages) At(waitMS int64) *Stage {
	for _, stage := range s.known { // most tickets wait for a few stages only
		if waitMS < stage.UntilMS {
			return stage
		}
	}
	from := int64(0)
	if n := len(s.known); n > 0 {
		from = s.known[n-1].UntilMS
	}
	for len(s.known) < maxStages {
		stage := s.compute(from)
		s.known = append(s.known, &stage)
		if from = stage.UntilMS; waitMS < from {
			return &stage
		}
	}
	stage := s.compute(waitMS)
	return &stage
}
