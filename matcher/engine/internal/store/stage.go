package store

// Limit is the limit that one rule applies at a given wait.
type Limit struct {
	Bound    float64 // the largest allowed value
	Least    float64 // the smallest allowed value, if the rule has one
	Active   bool    // the rule applies in this stage
	Optional bool    // the wait is so long that the rule no longer needs to hold
	Level    int32   // index of the limit in a list that the rule keeps
}

// Stage contains the limits of all rules during an interval of waits. The interval begins where
// the previous stage ends and ends before UntilMS.
type Stage struct {
	UntilMS int64
	Limits  []Limit // indexed by rule
}

// Stages returns the stage for a given wait. It computes each stage only once and shares it among
// all tickets in the same stage.
type Stages struct {
	compute func(waitMS int64) Stage
	known   []*Stage // consecutive, starting at wait 0
}

// maxStages is the largest number of stages to keep. Rules that change in small steps for hours
// have more. These further stages are computed again for each ticket.
const maxStages = 512

// At returns the stage at a given wait, in ms.
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
