package store

// Limit is the state of one rule after a wait.
type Limit struct {
	Bound    float64 // the threshold; for a total, the maximum
	Least    float64 // for a total, the minimum
	Active   bool    // the rule applies in this stage
	Optional bool    // the wait is so long that the rule need not hold
	Level    int32   // index of Bound in the thresholds of the rule, from 1; 0: there are too many
}

// Stage is the state of all rules during an interval of waits, which begins where the previous
// stage ends and ends before UntilMS.
type Stage struct {
	UntilMS int64
	Limits  []Limit // by rule
}

// Stages finds the stage of a wait. It computes each stage only once, so that tickets in the
// same stage share it.
type Stages struct {
	compute func(waitMS int64) Stage
	known   []*Stage // consecutive, from wait 0 on
}

// maxStages bounds the stages that are kept. Rules that change in small steps for hours have
// more; these are recomputed for each ticket.
const maxStages = 512

// At returns the stage after a wait, in ms.
func (s *Stages) At(waitMS int64) *Stage {
	for _, stage := range s.known { // most waits are in one of the first stages
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
