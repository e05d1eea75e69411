// Package jsontree reads strict JSON into a tree in which every value knows its
// place, so that a message about any of them begins FILE:LINE:COLUMN and shows
// the line with a caret. Rulesets of vendors and case files are read through it.
//
// Strict means: RFC 8259 and nothing else (no comments, no comma after the last
// entry, no NaN), one value in the text, UTF-8, and no key twice in an object,
// because two readers of such a file may see two different rulesets.
//
// An [Object] reads members by name and records what is wrong in [Problems], so
// that one round of mending is enough; it also tells which members nobody asked
// for, which is how unknown ones are found.
//
// It is not for large data: a tree costs some ten times the bytes of its text.
// The limits below keep hostile files cheap to refuse.
package jsontree

// Limits of a text. Each is far above what a ruleset or a case needs.
const (
	// BytesMax is the size of the largest text that is read at all.
	BytesMax = 16 << 20
	// DepthMax is the deepest nesting of objects and lists.
	DepthMax = 64
	// ValuesMax is the number of values, those inside others included. It bounds
	// the memory of a tree: some 120 bytes each.
	ValuesMax = 2_000_000
)
