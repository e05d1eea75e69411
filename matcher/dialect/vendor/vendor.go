package vendor

import (
	"fmt"

	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
)

// Dialect is one vendor's language of rules.
type Dialect struct {
	Name  string // in configurations, results and messages: one lower-case word
	Title string // what a file holds, for help texts, with its article: "a PlayFab queue"
	// Default is the text of the rules where a run places players and names no rules
	// file; empty: the dialect has none.
	Default string
	// Places tells that the rules place players on running servers, one by one. The
	// rules of other dialects form matches.
	Places bool
	// Recognises tells whether a JSON document looks as if it were in this dialect.
	Recognises func(jsontree.Value) bool
	// Compile compiles a document, which may hold several queues. Errors begin
	// FILE:LINE:COLUMN.
	Compile func(jsontree.Value, Options) ([]*Rules, error)
}

// Options decide what the vendors' files and documents leave open. Each dialect
// takes the options that apply to it.
type Options struct {
	Strict         bool // members that the vendor's schema does not have are errors, not warnings
	ExpansionBasis matcher.ExpansionBasis
	OptionalBasis  matcher.OptionalBasis
	Budget         int // search steps for each seed ticket; 0: the engine's default
	Follow         Follow
	Backfill       bool // running matches take further players, where rules do not say so themselves
	Batch          int  // tickets that a FlexMatch pass looks at together; 0: all that wait
	PartitionAbove int  // waiting tickets above which a queue is split, where the service does that; 0: never
}

// Follow tells what counts where a vendor's service and its documentation differ.
type Follow uint8

// What rules may follow.
const (
	FollowService Follow = iota // what the released service does
	FollowPage                  // what the documentation says
)

// String returns the word of configurations and case files.
func (f Follow) String() string { return [...]string{"service", "page"}[f] }

// FollowOf returns what a word of configurations and case files stands for.
func FollowOf(word string) (f Follow, ok bool) {
	return map[string]Follow{"service": FollowService, "page": FollowPage}[word], word == "service" || word == "page"
}

// Reading returns what the rules follow, "" where that is of no account.
func (r *Rules) Reading() string {
	if len(r.Differences) == 0 {
		return ""
	}
	return r.Follow.String()
}

// Followed says in one warning about the file what the rules follow; none where that is of
// no account.
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
	Description string             // the rules in a few words
	Warnings    []jsontree.Warning // what the compilation found doubtful
	// Lint lists what loads and yet cannot be meant. giveUpMS is the longest wait of
	// a ticket, matcher.Never when it is not known.
	Lint func(giveUpMS int64) []jsontree.Warning
	// Differences lists what the service does otherwise than the documentation says, as
	// far as it may change what becomes of tickets under these rules. A vendor of whom
	// nothing of that sort is known has none.
	Differences []jsontree.Warning
	Follow      Follow    // what they follow; without Differences it is of no account
	Queue       *Queue    // rules that form matches
	Placement   Placement // rules that place players on running servers
}
