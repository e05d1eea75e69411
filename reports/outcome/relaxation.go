package outcome

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// RelaxClass says how far waiting had relaxed a rule.
type RelaxClass uint8

// The classes, from strictest to most relaxed. The numbers in their names are steps of the rule's
// expansion.
const (
	AsAtStart RelaxClass = iota
	ByOneStep
	ByTwoOrThree
	ByFourToSeven
	ByEightOrMore
	NotEnforced
	RelaxClasses = int(iota)
)

// RelaxKeys are the names of the classes in summary.json.
var RelaxKeys = [RelaxClasses]string{"0", "1", "2-3", "4-7", "8+", "not_enforced"}

// RelaxClassOf returns the class of a rule that was relaxed by this number of steps. A class begins with twice
// as many steps as the one before it.
func RelaxClassOf(steps int) RelaxClass {
	return min(RelaxClass(bits.Len(uint(max(0, steps)))), ByEightOrMore)
}

// PartNamed returns the part with this name, or the zero Part if there is none.
func PartNamed(p Parts, name string) Part {
	if i := slices.IndexFunc(p, func(part Part) bool { return part.Name == name }); i >= 0 {
		return p[i]
	}
	return Part{}
}

// ByClass returns, for each class, the share of matches that relaxed the rule that far.
func (r *Relaxation) ByClass() (shares [RelaxClasses]float64) {
	for _, stage := range r.Stages {
		class := NotEnforced
		if steps, ok := stage.Steps(); ok {
			class = RelaxClassOf(steps)
		}
		shares[class] += float64(stage.Share)
	}
	return shares
}

// ByClass returns, for each class, the share of matches whose most relaxed rule was relaxed that
// far.
func (h *RulesHour) ByClass() (shares [RelaxClasses]float64) {
	for class, key := range RelaxKeys {
		shares[class] = float64(PartNamed(h.Furthest, key).Share)
	}
	return shares
}

// Names of parts of Relaxation.Stages that are not stage numbers.
const (
	StageInactive = "inactive"
	StageOptional = "optional"
)

// Steps returns the stage number in the name of a part of Relaxation.Stages. ok is false if the
// name is StageInactive or StageOptional.
func (p *Part) Steps() (steps int, ok bool) {
	steps, err := strconv.Atoi(strings.TrimSuffix(p.Name, "+"))
	return steps, err == nil
}
