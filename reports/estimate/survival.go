package estimate

import (
	"cmp"
	"math"
	"slices"
)

// Observation is a wait that was seen. It ended with the event, or it is only known that the event had
// not happened by then.
type Observation struct {
	Wait  int32 // in milliseconds
	Event bool
}

// Step is a row of the table of Kaplan and Meier: a wait at which events happened.
type Step struct {
	At             int32 // in milliseconds
	AtRisk, Events int
	Survival       float64 // share that goes on beyond At
	Low, High      float64 // 95 % interval of Survival, by Greenwood, on log(-log)
}

// Survival returns the table of Kaplan and Meier. A wait that ends at an instant is at risk at it. It
// sorts the observations. When nobody is left, the interval begins at 0 and ends where the one before it
// ends.
func Survival(seen []Observation) (steps []Step) {
	slices.SortFunc(seen, func(a, b Observation) int { return cmp.Compare(a.Wait, b.Wait) })
	survival, sum, high := 1.0, 0.0, 1.0
	for i := 0; i < len(seen); {
		atRisk, events, next := len(seen)-i, 0, i
		for ; next < len(seen) && seen[next].Wait == seen[i].Wait; next++ {
			if seen[next].Event {
				events++
			}
		}
		if events > 0 {
			n, d := float64(atRisk), float64(events)
			survival *= (n - d) / n
			step := Step{At: seen[i].Wait, AtRisk: atRisk, Events: events, Survival: survival, High: high}
			if events < atRisk {
				sum += d / float64(n*(n-d))
				spread := z * math.Sqrt(sum) / -math.Log(survival)
				step.Low, step.High = math.Pow(survival, math.Exp(spread)), math.Pow(survival, math.Exp(-spread))
				high = step.High
			}
			steps = append(steps, step)
		}
		i = next
	}
	return steps
}

// thresholds are the shares at which Patience has entries.
var thresholds = func() []float64 {
	list := []float64{0.01, 0.02, 0.05}
	for percent := 10; percent <= 95; percent += 5 {
		list = append(list, float64(percent)/100)
	}
	return list
}()

// Patience returns the steps with which the share that has ended passes 1, 2, 5, 10, 15, … 95 %, and
// the last one. A step that passes several of them is there once.
func Patience(steps []Step) (entries []Step) {
	passed := 0
	for i, s := range steps {
		before := passed
		for passed < len(thresholds) && 1-s.Survival >= thresholds[passed]-1e-12 {
			passed++
		}
		if passed > before || i == len(steps)-1 {
			entries = append(entries, s)
		}
	}
	return entries
}
