package seating

import (
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
)

// What other packages name, in short.
type (
	Row   = store.Row
	entry = expression.Entry
	span  = expression.Span
	truth = expression.Truth
)

const (
	fails = expression.Fails
	open  = expression.Open
	holds = expression.Holds
)

func exactly(x float64) span { return expression.Exactly(x) }

// limit is a number of a rule or a team that changes with the wait: its place among the
// limits of a stage; -1: there is none.
type limit int
