// Package jsontree reads strict JSON into a tree in which every value has its position, so
// that a message about it begins FILE:LINE:COLUMN and shows the line with a caret. It reads
// vendors' rulesets and case files.
//
// Strict means: RFC 8259 and nothing else (no comments, no comma after the last entry, no
// NaN), one value in the text, UTF-8, and no duplicate key in an object, because JSON readers
// disagree about which of two equal keys counts.
//
// An [Object] reads members by name and records all errors in [Problems], so that a user sees
// every error in one run. [Object.Rest] lists the members that no reader requested: these are
// unknown to the format.
//
// The package is not for large data: a tree needs about ten times the size of its text. The
// limits below make hostile files cheap to refuse.
package jsontree

// Limits of a text, each far above the needs of a ruleset or a case.
const (
	// BytesMax is the size of the largest text.
	BytesMax = 16 << 20
	// DepthMax is the deepest nesting of objects and lists.
	DepthMax = 64
	// ValuesMax is the number of values, nested ones included. It bounds the memory of a
	// tree: about 120 bytes for each value.
	ValuesMax = 2_000_000
)
