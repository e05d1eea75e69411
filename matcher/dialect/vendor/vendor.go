package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Dialect is one vendor's rule language.
type Dialect struct {
	Name  string // in configurations, results and messages: one lower-case word
	Title string // the content of a file, with an article, for help texts: "a PlayFab queue"
	// Default is the text of the rules for a run that places players and names no rules
	// file; empty: none.
	Default string
	// Places is set if the rules place players on running servers, one by one. The rules of
	// other dialects form matches.
	Places bool
	// Recognises reports whether a JSON document looks like this dialect.
	Recognises func(jsontree.Value) bool
	// Compile compiles a document, which may hold several queues. Errors begin
	// FILE:LINE:COLUMN.
	Compile func(jsontree.Value, Options) ([]*Rules, error)
}

// Options configure what the vendors' files and documentation leave open. Each dialect uses
// the options that apply to it.
type Options struct {
	Strict         bool // members unknown to the vendor's schema are errors, not warnings
	ExpansionBasis matcher.ExpansionBasis
	OptionalBasis  matcher.OptionalBasis
	Budget         int // search steps for each seed ticket; 0: the engine's default
	Follow         Follow
	Backfill       bool // running matches accept further players, for rules that do not specify it
	Batch          int  // tickets that a FlexMatch pass matches together; 0: all waiting tickets
	PartitionAbove int  // waiting tickets above which a queue is split, if the service does so; 0: never
}

// Follow selects what applies if a vendor's service and its documentation differ.
type Follow uint8

// The values of Follow.
const (
	FollowService Follow = iota // what the released service does
	FollowPage                  // what the documentation says
)

// String returns the word of configurations and case files.
func (f Follow) String() string { return [...]string{"service", "page"}[f] }

// FollowOf returns the Follow for a word of configurations and case files.
func FollowOf(word string) (f Follow, ok bool) {
	return map[string]Follow{"service": FollowService, "page": FollowPage}[word], word == "service" || word == "page"
}

// Reading returns what the rules follow, "" if it makes no difference.
func (r *Rules) Reading() string {
	if len(r.Differences) == 0 {
		return ""
	}
	return r.Follow.String()
}

// Followed returns a warning about the file that states what the rules follow, and none if it
// makes no difference.
func (r *Rules) Followed(file string) []jsontree.Warning {
	n := len(r.Differences)
	if n == 0 {
		return nil
	}
	message := fmt.Sprintf("the service is followed; its documentation says otherwise in %d points (listed by validate; matcher.follow: page)", n)
	if r.Follow == FollowPage {
		message = fmt.Sprintf("the documentation is followed; the service may decide otherwise in %d points (listed by validate; matcher.follow: service)", n)
	}
	return []jsontree.Warning{{File: file, Message: message}}
}

// Rules is one compiled configuration. Exactly one of Queue and Placement is not nil.
type Rules struct {
	Description string             // a short description of the rules
	Warnings    []jsontree.Warning // warnings of the compilation
	// Lint lists rules that are valid but probably not intended. giveUpMS is the longest wait
	// of a ticket, matcher.Never if it is not known.
	Lint func(giveUpMS int64) []jsontree.Warning
	// Differences lists how the service deviates from its documentation, if that may change
	// the outcome under these rules. It is empty for vendors without known differences.
	Differences []jsontree.Warning
	Follow      Follow    // what the rules follow; without Differences it makes no difference
	Queue       *Queue    // rules that form matches
	Placement   Placement // rules that place players on running servers
}
