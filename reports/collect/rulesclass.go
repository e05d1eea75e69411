package collect

import (
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// classOf returns the class of a relaxed rule.
func classOf(r sim.Relaxed) outcome.RelaxClass {
	if r.Optional || r.Inactive {
		return outcome.NotEnforced
	}
	return max(outcome.ByOneStep, outcome.RelaxClassOf(r.Stage))
}

// classParts returns the counts of the classes and their shares of all.
func classParts(counts *[outcome.RelaxClasses]int, all int) outcome.Parts {
	parts := outcome.Parts{}
	for class, n := range counts {
		if n > 0 {
			parts = append(parts, outcome.Part{Name: outcome.RelaxKeys[class], Count: outcome.Count(n), Share: outcome.ShareOf(n, all)})
		}
	}
	return parts
}
