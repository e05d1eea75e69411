package main

import (
	"mmsim/cmd/mmsim/input"
	"mmsim/matcher/dialect/jsontree"
)

// Limits of files that are read whole. Days of joins and measured samples are read row
// by row, and their readers have limits of their own.
const (
	// MaxCaseBytes bounds a case file: its ruleset and a scene of 100,000 tickets.
	MaxCaseBytes = jsontree.BytesMax
)

var (
	caseLimit = input.Limit{Name: "MaxCaseBytes", Bytes: MaxCaseBytes, Expected: "a case file"}
)
