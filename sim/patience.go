package sim

import (
	"fmt"
	"math"
)

// Patience is the distribution of the wait after which the players of a ticket cancel its search. Its
// steps are ascending. The share of tickets that cancel is linear between two steps, and from 0 at a
// wait of 0 to the first step. A ticket beyond the last step does not cancel. An empty Patience
// cancels no search.
type Patience []PatienceStep

// PatienceStep is the share of tickets, from 0 to 1, that would cancel their search by a wait.
type PatienceStep struct {
	Wait  Duration
	Share float64
}

// Wait returns the wait after which a ticket cancels, at least 1 ms, for a uniform draw from [0, 1).
// It returns false if the ticket does not cancel.
func (p Patience) Wait(draw float64) (Duration, bool) {
	var before PatienceStep
	for _, step := range p {
		if draw < step.Share {
			part := (draw - before.Share) / (step.Share - before.Share)
			wait := math.Ceil(float64(part * float64(step.Wait-before.Wait)))
			return max(1, before.Wait+Duration(wait)), true
		}
		before = step
	}
	return 0, false
}

func (p Patience) validate() error {
	var before PatienceStep
	for i, step := range p {
		err := firstFailure([]fieldCheck{
			{step.Wait > before.Wait, "Wait", step.Wait, "more than in the step before, and above 0"},
			{step.Share >= before.Share && step.Share <= 1, "Share", step.Share, "at least that of the step before, and at most 1"},
		})
		if err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
		before = step
	}
	return nil
}
