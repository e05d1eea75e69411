package config

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/sim"
)

// check rejects settings that contradict each other. It runs after all settings have been read.
// The error points to one of these settings if the file or a flag sets one.
func (l *loader) check() error {
	c := l.config
	var faults []error
	refuse := func(isWrong bool, expected string, paths ...string) {
		if isWrong {
			faults = append(faults, l.misfits(expected, paths...))
		}
	}
	s, d := &c.States, &c.Dataset
	refuse(s.ExpandRTT < s.IdealRTT, "expected states.expand.rtt at or above states.ideal.rtt", "states.ideal.rtt", "states.expand.rtt")
	refuse(c.Clock.Tick > c.Clock.Duration, "expected at least one tick in clock.duration", "clock.tick", "clock.duration")
	refuse(d.Days > 1 && !d.Date.IsZero(), "expected one of them: days are merged, or one of them is replayed", "dataset.days", "dataset.date")
	refuse(d.Resample && d.File == "", "expected dataset.file, too: the built-in day already has new joins in every run", "dataset.resample")

	// A fair limit must not be below the good limit. RTT limits of which only one is auto would shift
	// the boundary between their classes, because that one follows the states' thresholds.
	limits := &c.Limits
	refuse(limits.RTT.goodAuto != limits.RTT.fairAuto, "expected durations for both of them, or auto", "report.limits.rtt.good", "report.limits.rtt.fair")
	l.refuseLimits(refuse, "wait", limits.Wait.fair < limits.Wait.good)
	l.refuseLimits(refuse, "rtt", limits.RTT.goodAuto == limits.RTT.fairAuto && limits.RTT.fair < limits.RTT.good)
	l.refuseLimits(refuse, "unmatched", limits.Unmatched.fair < limits.Unmatched.good)

	c.Season.Check(refuse, c.Clock.Duration, c.Match.KeepTogether && len(c.Queues) == 0, d.Rows == rowsSearches)
	refuse(c.Placement == PlacementServers && c.Players.Missing.Dead > 0, "expected 0 with placement servers", "players.dead_tickets")

	var sum float64
	for _, size := range slices.Sorted(maps.Keys(c.Players.Parties)) {
		sum += c.Players.Parties[size]
	}
	// Shares are written with few digits (0.33, 0.33, 0.34), so the sum is not exact. The
	// tolerance still catches an error of a whole percent.
	refuse(math.Abs(sum-1) > 0.005, fmt.Sprintf("expected shares that sum to 1, not %.4g", sum), "players.parties")
	byShare := func(a, b sim.PatienceStep) int { return cmp.Compare(a.Share, b.Share) }
	refuse(!slices.IsSortedFunc(c.Players.Patience, byShare), "expected shares that do not decrease, because each includes the one before", "players.patience")
	return value.Joined(faults)
}

// refuseLimits refuses a pair of limits that are in the wrong order. If one of them is auto, the message
// says what that means.
func (l *loader) refuseLimits(refuse func(isWrong bool, expected string, paths ...string), name string, isWrong bool) {
	path, usual := limitsSection+"."+name, ""
	for _, side := range []string{".good", ".fair"} {
		if setting := l.keys.Find(path + side); isWrong && setting.Write("") == value.Auto {
			_, means, _ := strings.Cut(setting.Meaning, "(auto: ")
			usual = " (auto: " + means
		}
	}
	refuse(isWrong, "expected fair at or above good"+usual, path+".good", path+".fair")
}

// misfits returns the error for settings that contradict each other.
func (l *loader) misfits(expected string, paths ...string) error {
	at := yamltree.Node{From: &yamltree.Source{Name: "configuration"}}
	var are []string
	for _, path := range paths {
		if n, ok := l.config.written[path]; ok {
			at, at.Path = n, ""
		}
		are = append(are, fmt.Sprintf("%s is %s", path, value.Flow(l.keys.Find(path).Write(""))))
	}
	return at.Errorf("%s, %s", strings.Join(are, ", "), expected)
}

// takeSearches makes every row one search, after which nobody plays again by chance. It rejects
// settings that contradict this. value describes the value of dataset.rows.
func (c *Config) takeSearches(value string) error {
	if c.Dataset.File == "" {
		return c.Errorf("dataset.rows", "got searches, expected dataset.file, too: the rows of the built-in day are sessions")
	}
	if c.Season.Skill != "" {
		return c.Errorf("dataset.rows", "got %s, expected sessions with season.skill, because a row of a season is a person", value)
	}
	if c.Dataset.Days > 1 {
		return c.Errorf("dataset.days", "%s", rowsMisfit(c.Dataset.Days, value, "dataset.days=1", "of the searches of each player, a random part would be left"))
	}
	for i, q := range c.AllQueues() {
		key := c.QueuePrefix(i) + "match.keep_together"
		if q.Match.KeepTogether {
			return c.Errorf(key, "%s", rowsMisfit(true, value, key+"=false", "the next search of each player is a row of its own"))
		}
	}
	c.searches, c.Players.PlayAgain = true, 0
	return nil
}

// UnusedStates warns about settings of the states that have no effect because no queue has states.
// Reports still use the RTT thresholds.
func (c *Config) UnusedStates() []string {
	if slices.ContainsFunc(c.AllQueues(), func(q *Queue) bool { return q.Placement == PlacementDatacenters }) {
		return nil
	}
	var warnings []string
	usual := Default()
	usual.States.WarmbodyAuto = c.States.WarmbodyAuto // auto and its default are equal without states
	thresholds := c.Differs(usual, "states.ideal.rtt", "states.expand.rtt")
	unused := slices.DeleteFunc(c.Differs(usual, "states"), func(key string) bool { return slices.Contains(thresholds, key) })
	const why = "because no queue has the states IDEAL, EXPAND and WARMBODY (placement datacenters)"
	if len(unused) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: not used, %s", strings.Join(unused, ", "), why))
	}
	if len(thresholds) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: used only to count and rate RTTs in reports, %s", strings.Join(thresholds, ", "), why))
	}
	return warnings
}

// Lint warns about settings that are valid but probably a mistake.
func (c *Config) Lint() []string {
	var warnings []string
	if c.Dataset.File == "" && len(c.Dataset.Columns) > 0 {
		warnings = append(warnings, "dataset.columns: the built-in day has no columns")
	}
	if d := &c.Dataset; d.File == "" && (len(d.Map) > 0 || !d.Date.IsZero()) {
		warnings = append(warnings, "dataset.map, dataset.date: not used without dataset.file; the date of the built-in day is dataset.builtin.date")
	}
	punished := func(q *Queue) bool {
		return q.Match.Leave.Happens() || q.Match.Acceptance.Required && q.Match.Acceptance.Again > 0
	}
	if c.Players.Missing.Penalty > 0 && !slices.ContainsFunc(c.AllQueues(), punished) {
		warnings = append(warnings, "players.penalty: not used, because no ticket leaves a match (match.leave.no_show, match.leave.per_minute) or searches again after declining one (match.acceptance.again)")
	}
	if s := &c.States; s.ExpandRTT == s.IdealRTT && s.ExpandFor > 0 {
		warnings = append(warnings, "states.expand.rtt equals states.ideal.rtt: EXPAND admits no more datacenters than IDEAL")
	}
	return warnings
}
