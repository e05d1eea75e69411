package seating

import (
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
)

// These aliases are used throughout the package.
type (
	Row   = store.Row
	entry = expression.Entry
	span  = expression.Span
	truth = expression.Truth
)

const (
	fails     = expression.Fails
	undecided = expression.Undecided
	holds     = expression.Holds
)

func exactly(x float64) span { return expression.Exactly(x) }

// limit identifies a number in a rule, or a bound on a team's size, that may change with the
// wait. It is an index in the limits of a stage, or -1 if the rule or team has no such number.
type limit int
