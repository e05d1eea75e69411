package seating

import (
	"mmsim/matcher/engine/internal/expression"
	"mmsim/matcher/engine/internal/store"
	"mmsim/matcher/internal/ranges"
)

// These aliases are used throughout the package.
type (
	Row   = store.Row
	entry = expression.Entry
	span  = ranges.Span
	truth = ranges.Truth
)

const (
	fails     = ranges.Fails
	undecided = ranges.Undecided
	holds     = ranges.Holds
)

// limit identifies a number in a rule, or a bound on a team's size, that may change with the
// wait. It is an index in the limits of a stage, or -1 if the rule or team has no such number.
type limit int
