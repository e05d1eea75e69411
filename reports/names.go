package reports

import (
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// Names under which cmd/mmsim knows what is in packages below. They go when it names the
// packages themselves.
type (
	Summary    = outcome.Summary
	Latency    = outcome.Latency
	Thresholds = outcome.Thresholds
	Players    = outcome.Players
	CCU        = outcome.CCU
	Seconds    = outcome.Seconds
	Millis     = outcome.Millis
)

// SummaryFile is the name of the file that holds a Summary.
const SummaryFile = outcome.SummaryFile

// What a vendor lets players see of a queue.
const (
	SeePlayersMatching = outcome.SeePlayersMatching
	SeeTimeToMatch     = outcome.SeeTimeToMatch
)

// Printable returns a text as one line that looks like what it is, see [words.Printable].
func Printable(text string) string { return words.Printable(text) }

// Escape writes every character of a text as JSON does, see [words.Escape].
func Escape(text string) string { return words.Escape(text) }

// Names of package judge.
type (
	Sample      = judge.Sample
	Comparison  = judge.Comparison
	Difference  = judge.Difference
	SettingPair = judge.SettingPair
	GateResult  = judge.GateResult
	Limit       = judge.Limit
	LimitKind   = judge.LimitKind
	Sweep       = judge.Sweep
	SweepPoint  = judge.SweepPoint
	Tuning      = judge.Tuning
	TuningTrial = judge.TuningTrial
	Goal        = judge.Goal
)

// Kinds of limits, and verdicts.
const (
	LimitMaxIncrease = judge.LimitMaxIncrease
	LimitMaxDecrease = judge.LimitMaxDecrease
	LimitBroken      = judge.LimitBroken
	LimitSkipped     = judge.LimitSkipped
	VerdictBetter    = judge.VerdictBetter
	VerdictWorse     = judge.VerdictWorse
)

// LimitKinds lists the kinds of limits for messages.
var LimitKinds = judge.LimitKinds

// Compare compares two samples, see [judge.Compare].
func Compare(a, b *Sample, settings []SettingPair) *Comparison { return judge.Compare(a, b, settings) }

// CheckGate holds a sample against limits, see [judge.CheckGate].
func CheckGate(s, baseline *Sample, limits []Limit) *GateResult {
	return judge.CheckGate(s, baseline, limits)
}
