package main

import (
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/dialect/jsontree"
)

// Limits of files that are read whole. Days of joins and measured samples are read row
// by row, and their readers have limits of their own.
const (
	// MaxPlanBytes bounds the plan of a sweep. One of a million jobs, which no sweep has,
	// takes some 70 MB.
	MaxPlanBytes = 64 << 20

	// MaxCaseBytes bounds a case file: its ruleset and a scene of 100,000 tickets.
	MaxCaseBytes = jsontree.BytesMax
)

var (
	planLimit = input.Limit{Name: "MaxPlanBytes", Bytes: MaxPlanBytes, Expected: "the plan of a sweep"}
	caseLimit = input.Limit{Name: "MaxCaseBytes", Bytes: MaxCaseBytes, Expected: "a case file"}
)
