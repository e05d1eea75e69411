package reports

import (
	"slices"

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
func classParts(counts *[relaxClassCount]int, all int) Parts {
	parts := Parts{}
	for class, n := range counts {
		if n > 0 {
			parts = append(parts, Part{relaxKeys[class], Count(n), ShareOf(n, all)})
		}
	}
	return parts
}

// named returns the part of a name, the zero Part where there is none.
func (p Parts) named(name string) Part {
	if i := slices.IndexFunc(p, func(part Part) bool { return part.Name == name }); i >= 0 {
		return p[i]
	}
	return Part{}
}

// byClass sums the stages of a rule up by their classes.
func (r *Relaxation) byClass() (shares [relaxClassCount]float64) {
	for _, stage := range r.Stages {
		class := notEnforced
		if steps, ok := stage.steps(); ok {
			class = classOfSteps(steps)
		}
		shares[class] += float64(stage.Share)
	}
	return shares
}

// byClass has a share for every class.
func (h *RulesHour) byClass() (shares [relaxClassCount]float64) {
	for class, key := range relaxKeys {
		shares[class] = float64(h.Furthest.named(key).Share)
	}
	return shares
}
