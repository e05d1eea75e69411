package reports

import (
	"slices"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// relaxClass is how far a rule had given way to the time waited, roughly.
type relaxClass uint8

// The classes, from as good as can be to the opposite.
const (
	asAtStart relaxClass = iota
	byOneStep
	byTwoOrThree
	byFourToSeven
	byEightOrMore
	notEnforced
	relaxClassCount = int(iota)
)

// relaxKeys are the names of the classes in summary.json.
var relaxKeys = [relaxClassCount]string{"0", "1", "2-3", "4-7", "8+", "not_enforced"}

// classOf returns the class of a rule that is not as at the start.
func classOf(r sim.Relaxed) relaxClass {
	if r.Optional || r.Inactive {
		return notEnforced
	}
	return max(byOneStep, classOfSteps(r.Stage))
}

func classOfSteps(steps int) relaxClass {
	switch {
	case steps >= 8:
		return byEightOrMore
	case steps >= 4:
		return byFourToSeven
	case steps >= 2:
		return byTwoOrThree
	case steps == 1:
		return byOneStep
	}
	return asAtStart
}

// classParts lists what was counted by classes, of which there is so much in all.
func classParts(counts *[relaxClassCount]int, all int) outcome.Parts {
	parts := outcome.Parts{}
	for class, n := range counts {
		if n > 0 {
			parts = append(parts, outcome.Part{Name: relaxKeys[class], Count: outcome.Count(n), Share: outcome.ShareOf(n, all)})
		}
	}
	return parts
}

// partNamed returns the part of a name, the zero Part where there is none.
func partNamed(p outcome.Parts, name string) outcome.Part {
	if i := slices.IndexFunc(p, func(part outcome.Part) bool { return part.Name == name }); i >= 0 {
		return p[i]
	}
	return outcome.Part{}
}

// relaxationByClass sums the stages of a rule up by their classes.
func relaxationByClass(r *outcome.Relaxation) (shares [relaxClassCount]float64) {
	for _, stage := range r.Stages {
		class := notEnforced
		if steps, ok := stepsOf(&stage); ok {
			class = classOfSteps(steps)
		}
		shares[class] += float64(stage.Share)
	}
	return shares
}

// hourByClass has a share for every class.
func hourByClass(h *outcome.RulesHour) (shares [relaxClassCount]float64) {
	for class, key := range relaxKeys {
		shares[class] = float64(partNamed(h.Furthest, key).Share)
	}
	return shares
}
