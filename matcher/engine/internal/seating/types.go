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
