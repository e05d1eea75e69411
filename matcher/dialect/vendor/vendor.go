package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Dialect is one vendor's rule language. Every field is required unless its comment says when it is
// empty or nil. A test of package dialect checks that for all dialects and their cases.
type Dialect struct {
	Name  string // lower-case word for configurations, results and messages
	Title string // what a file contains, with an article, for help texts: "a PlayFab queue"
	// Default is the JSON of the rules for a run that places players but has no rules file. It is
	// empty if the dialect has no such rules.
	Default string
	// Placement is set if the rules place players on running servers, one player at a time. If it
	// is not set, the rules form matches.
	Placement bool
	// Readings describes how the dialect reads the vendor's documentation where it says nothing or
	// contradicts itself. It is empty if there is no such list.
	Readings string
	// Recognises reports whether a JSON document looks like this dialect.
	Recognises func(jsontree.Value) bool
	// Split lists the rulesets in a document: an export from the vendor's API may wrap a ruleset, or
	// contain several. It records problems of the document around them. Split is nil if every
	// document is one ruleset.
	Split func(root jsontree.Value, problems *jsontree.Problems) []Ruleset
	// Compile compiles a ruleset. Errors begin with FILE:LINE:COLUMN.
	Compile func(jsontree.Value, CompileOptions) (*CompiledRules, error)
}

// Ruleset is one of the rulesets in a document.
type Ruleset struct {
	Name  string // "" if it has none
	Value jsontree.Value
	Err   error // why the ruleset cannot be read, if it cannot
}

// CompileOptions are settings that vendors' files do not contain. Each dialect uses those that apply to
// it.
type CompileOptions struct {
	Strict         bool // a JSON property that is not in the vendor's schema is an error instead of a warning
	ExpansionBasis matcher.ExpansionBasis
	OptionalBasis  matcher.OptionalBasis
	Budget         int // search steps per seed ticket, or 0 for the engine's default
	Follow         Follow
	Backfill       bool // whether running matches accept more players, if the rules do not specify it
	Batch          int  // tickets that a FlexMatch pass considers together, or 0 for all waiting tickets
	PartitionAbove int  // number of waiting tickets above which a queue is split if the service splits queues, or 0 for never
}

// Follow selects whether rules behave as the vendor's service or as its documentation where the two
// differ.
type Follow uint8

// Values of Follow.
const (
	FollowService Follow = iota // what the released service does
	FollowPage                  // what the documentation says
)

// String returns the word for f in configurations and case files.
func (f Follow) String() string { return [...]string{"service", "page"}[f] }

// FollowOf returns the value for a word in configurations and case files. It returns false if the
// word is unknown.
func FollowOf(word string) (f Follow, ok bool) {
	return map[string]Follow{"service": FollowService, "page": FollowPage}[word], word == "service" || word == "page"
}

// Reading returns "service" or "page", or "" if both give the same results for these rules.
func (r *CompiledRules) Reading() string {
	if len(r.Differences) == 0 {
		return ""
	}
	return r.Follow.String()
}

// Other returns the other value of Follow.
func (f Follow) Other() Follow { return FollowPage - f }

// Followed returns a warning about the file that says whether the rules follow the service or its
// documentation. It returns no warning if both give the same results for these rules. choose returns
// the setting that selects a value of Follow.
func (r *CompiledRules) Followed(file string, choose func(Follow) string) []jsontree.Warning {
	n := len(r.Differences)
	if n == 0 {
		return nil
	}
	follows, other := "the service, which differs from its documentation", "the documentation"
	if r.Follow == FollowPage {
		follows, other = "the documentation, which differs from the service", "the service"
	}
	message := fmt.Sprintf("mmsim follows %s in %s (mmsim validate --all lists them; %s selects %s)", follows, jsontree.Count(n, "way"), choose(r.Follow.Other()), other)
	return []jsontree.Warning{{File: file, Message: message}}
}

// FollowInConfig returns the setting of a configuration that selects a value of Follow.
func FollowInConfig(f Follow) string { return "matcher.follow: " + f.String() }

// FollowInCase returns the entry of a case file that selects a value of Follow.
func FollowInCase(f Follow) string { return fmt.Sprintf("%q: %q in the case", "follow", f) }

// CompiledRules is a compiled configuration. Exactly one of Queue and Placement is set.
type CompiledRules struct {
	Value       jsontree.Value     // the ruleset, which may be a part of its file
	Description string             // short description of the rules
	Warnings    []jsontree.Warning // warnings from the compilation
	// Lint returns warnings about rules that are valid but probably not intended. giveUpMS is the
	// longest time that a ticket waits, or matcher.Never if it is not known. It is required, even if it
	// never warns.
	Lint func(giveUpMS int64) []jsontree.Warning
	// Differences lists the differences between the service and its documentation that may change
	// the results of these rules.
	Differences []jsontree.Warning
	Follow      Follow    // has no effect if there are no Differences
	Queue       *Queue    // set if the rules form matches
	Placement   Placement // set if the rules place players on running servers
}
