// Package jsontree parses JSON into a tree in which every value knows its position in the
// text. An error message about a value can therefore begin with FILE:LINE:COLUMN and show the line
// with a caret. The package reads vendors' rulesets and case files.
//
// A text must contain exactly one JSON value according to RFC 8259: no comments, no comma after the
// last entry, no NaN. It must be UTF-8 and must not contain duplicate keys, because JSON readers
// disagree about which of two equal keys counts. [ParseRelaxed] also accepts comments and trailing
// commas. [Value.Inner] parses JSON that is itself the content of a text.
//
// An [Object] reads members by name, checks their types, words and [Limits], and records all errors
// in [Problems], so that a user sees all errors in one run. [Object.Done] reports the members that
// were not read, which are unknown to the format. [Format] says where a vendor's reader differs from
// the usual one, such as by ignoring the letter case of names.
//
// The package is not for large data, because a tree needs about ten times the memory of its text.
// The limits below ensure that hostile files are rejected cheaply.
package jsontree

// Limits of a text, far above the needs of a ruleset or a case.
const (
	// BytesMax is the size of the largest text.
	BytesMax = 16 << 20
	// DepthMax is the maximum nesting depth of objects and lists.
	DepthMax = 64
	// ValuesMax is the maximum number of values, including nested ones. It limits the memory of a
	// tree, which is about 120 bytes per value.
	ValuesMax = 2_000_000
)
