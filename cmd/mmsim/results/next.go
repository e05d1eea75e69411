package results

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/value"
	"mmsim/reports/grade"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// A Step is what to do after a run: a question that its result raises, and the words of the command
// that answers it.
type Step struct {
	Question string
	Command  []string
}

// GateFile is the name of a gate beside a configuration, as "mmsim init" writes it.
const GateFile = "gate.yaml"

// longest is the longest duration that the settings here accept.
const longest = 24 * time.Hour

// nextRuns is the number of replications in the command that repeats a single run.
const nextRuns = 8

// Next returns the next step after a complete run with the result s in dir, or nil if there is none.
// given is the configuration file that the run was started with, or "". The command reads the
// configuration in dir, so that it is short and repeats all settings of the run. The first of these
// questions that applies is the next one:
//
//   - Why do so many searches end without a match? If their share is poor, everything else is about
//     the players who remain.
//   - Does the gate beside the configuration hold?
//   - How much of a single run is chance?
//   - What would a change do? If players go through states, the change trades wait for RTT, in the
//     direction of the worse mark. Otherwise half as many players join.
func Next(s *outcome.Summary, c *config.Config, dir, given string) *Step {
	if !s.Complete || s.Players.Joins == 0 {
		return nil
	}
	at := filepath.Join(dir, ConfigFile)
	for _, step := range []*Step{unmatchedStep(s, c, at), gateStep(s, dir, given)} {
		if step != nil {
			return step
		}
	}
	switch {
	case replays(c): // the recording has the answers for one run only
		return nil
	case s.Replications == nil:
		more := filepath.Clean(dir) + "-runs"
		if base := filepath.Base(dir); base == "." || base == ".." || base == string(filepath.Separator) {
			more = "mmsim-runs"
		}
		return &Step{"How much of this is chance?", []string{"mmsim", "run", "--config", at, "--runs", strconv.Itoa(nextRuns), "--out", more}}
	}
	return changeStep(s, c, at)
}

// replays reports whether a matchmaker of the run is a recording.
func replays(c *config.Config) bool {
	return slices.ContainsFunc(c.AllQueues(), func(q *config.Queue) bool { return strings.HasPrefix(q.External.Matcher, "replay:") })
}

// compareStep returns a step that compares the run with a change of one setting.
func compareStep(question, at, key, to string) *Step {
	return &Step{question, []string{"mmsim", "compare", argument(at), "--set-b", key + "=" + to}}
}

// argument returns a name that no command takes for a flag.
func argument(name string) string {
	if strings.HasPrefix(name, "-") {
		return "." + string(filepath.Separator) + name
	}
	return name
}

// unmatchedStep returns the step after a result with a poor share of searches without a match. It
// asks about the most frequent way in which they end.
func unmatchedStep(s *outcome.Summary, c *config.Config, at string) *Step {
	l := outcome.Unmatched(&s.Players)
	good, fair := grade.Unmatched(s.Limits)
	if s.Servers != nil || l.Ended == 0 || grade.Mark(l.Share, good, fair) != "poor" {
		return nil
	}
	most := slices.MaxFunc(l.Kinds, func(a, b outcome.Part) int { return cmp.Compare(a.Count, b.Count) })
	longer := func(question, key string, now time.Duration) *Step {
		if twice := 2 * now; twice > 0 && twice <= longest && !replays(c) {
			return compareStep(question, at, key, value.Short(twice))
		}
		return nil
	}
	hasRules := slices.ContainsFunc(c.AllQueues(), func(q *config.Queue) bool { return q.Rules != "" })
	switch {
	case hasRules && (most.Name == "rejected" || l.Share > 0.5):
		return &Step{"Can these players meet the rules?", []string{"mmsim", "validate", argument(at)}}
	case most.Name == "expired":
		return longer("Would more find a match if they waited longer?", "players.give_up_after", c.Players.GiveUpAfter)
	case most.Name == "failed", most.Name == "bots":
		return longer("Would more find a match if they waited longer?", "states.warmbody.for", c.States.WarmbodyFor)
	case most.Name == "declined" && len(c.Queues) == 0: // each of several queues has its own timeout
		return longer("Would more accept if they had longer?", "match.acceptance.timeout", time.Duration(c.Match.Acceptance.Timeout)*time.Millisecond)
	}
	return nil
}

// gateStep returns the step that checks the gate beside the configuration. It returns nil if there
// is no gate, or if check would refuse it for this result: for example, because it needs a
// baseline.
func gateStep(s *outcome.Summary, dir, given string) *Step {
	if given == "" {
		return nil
	}
	name := filepath.Join(filepath.Dir(given), GateFile)
	file, err := gate.Read(name)
	if err != nil {
		return nil
	}
	sample := judge.Sample{Runs: []*outcome.Summary{s}}
	if _, err := file.Limits(sample.Metrics(), false); err != nil {
		return nil
	}
	return &Step{"Do the limits hold?", []string{"mmsim", "check", argument(dir), "--gate", name}}
}

// changeStep returns a step that shows what a change does.
func changeStep(s *outcome.Summary, c *config.Config, at string) *Step {
	if ideal := c.States.IdealFor; s.States.Used() && len(s.Queues) == 0 && ideal > 0 && 2*ideal <= longest {
		const key = "states.ideal.for"
		if rttIsWorse(s) {
			return compareStep("Is RTT better if players wait longer for it?", at, key, value.Short(2*ideal))
		}
		if sooner := (ideal * 7 / 10).Round(time.Millisecond); sooner > 0 {
			return compareStep("Do players wait less if they settle for a higher RTT sooner?", at, key, value.Short(sooner))
		}
	}
	return compareStep("What if half as many play?", at, "dataset.scale", strconv.FormatFloat(c.Dataset.Scale/2, 'g', -1, 64))
}

// rttIsWorse reports whether the mark of the RTTs is worse than that of the waits.
func rttIsWorse(s *outcome.Summary) bool {
	limits := grade.RTTsOf(s.Thresholds, s.Limits)
	good, fair := grade.Waits(s.Limits)
	rank := func(mark string) int { return slices.Index([]string{"good", "fair", "poor"}, mark) }
	return rank(grade.Mark(s.RTT.P90, limits.Good, limits.Fair)) > rank(grade.Mark(s.WaitFirst.P90, good, fair))
}
