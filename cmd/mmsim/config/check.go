package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config/rows"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
)

// check rejects settings that contradict each other. It runs after all settings have been read.
// The error points to one of these settings if the file or a flag sets one.
func (l *loader) check() error {
	c := l.config
	if s := &c.States; s.ExpandRTT < s.IdealRTT {
		return l.misfits("expected states.expand.rtt at or above states.ideal.rtt",
			"states.ideal.rtt", "states.expand.rtt")
	}
	if c.Clock.Tick > c.Clock.Duration {
		return l.misfits("expected at least one tick in clock.duration", "clock.tick", "clock.duration")
	}
	if d := &c.Dataset; d.Days > 1 && !d.Date.IsZero() {
		return l.misfits("expected one of them: days are merged, or one of them is replayed", "dataset.days", "dataset.date")
	}
	if d := &c.Dataset; d.Resample && d.File == "" {
		return l.misfits("expected dataset.file, too: the built-in day already has new joins in every run", "dataset.resample")
	}
	if err := l.checkLimits(); err != nil {
		return err
	}
	var sum float64
	for _, size := range SortedSizes(c.Players.Parties) {
		sum += c.Players.Parties[size]
	}
	// Shares are written with few digits (0.33, 0.33, 0.34), so the sum is not exact. The
	// tolerance still catches an error of a whole percent.
	if math.Abs(sum-1) > 0.005 {
		return l.misfits(fmt.Sprintf("expected shares that sum to 1, not %.4g", sum), "players.parties")
	}
	return nil
}

// checkLimits rejects a fair limit below the good limit. It also rejects RTT limits of which
// only one is auto: that limit would follow the states' thresholds while the other one stays,
// which shifts the boundary between the two classes.
func (l *loader) checkLimits() error {
	s := &l.config.Limits
	if s.RTT.good.isAuto != s.RTT.fair.isAuto {
		return l.misfits("expected durations for both of them, or auto", "report.limits.rtt.good", "report.limits.rtt.fair")
	}
	for _, pair := range []struct {
		name    string
		isWrong bool
	}{{"wait", s.Wait.fair.n < s.Wait.good.n}, {"rtt", s.RTT.fair.n < s.RTT.good.n}, {"unmatched", s.Unmatched.fair.n < s.Unmatched.good.n}} {
		if path := limitsSection + "." + pair.name; pair.isWrong {
			usual := ""
			for _, side := range []string{".good", ".fair"} {
				if setting := l.keys.Find(path + side); setting.Write() == auto {
					_, means, _ := strings.Cut(setting.Meaning, "(auto: ")
					usual = " (auto: " + means
				}
			}
			return l.misfits("expected fair at or above good"+usual, path+".good", path+".fair")
		}
	}
	return nil
}

// misfits returns the error for settings that contradict each other.
func (l *loader) misfits(expected string, paths ...string) error {
	at := yamltree.Node{From: &yamltree.Source{Name: "configuration"}}
	var are []string
	for _, path := range paths {
		if n, ok := l.config.written[path]; ok {
			at, at.Path = n, ""
		}
		are = append(are, fmt.Sprintf("%s is %s", path, value.Flow(l.keys.Find(path).Write())))
	}
	return at.Errorf("%s, %s", strings.Join(are, ", "), expected)
}

// takeSearches makes every row one search, after which nobody plays again by chance. It rejects
// settings that contradict this. value describes the value of dataset.rows.
func (c *Config) takeSearches(value string) error {
	if c.Dataset.File == "" {
		return c.Errorf("dataset.rows", "got searches, expected dataset.file, too: the rows of the built-in day are sessions")
	}
	if c.Dataset.Days > 1 {
		return c.Errorf("dataset.days", "%s", rows.Misfit(c.Dataset.Days, value, "dataset.days=1", "of the searches of each player, a random part would be left"))
	}
	for i, q := range c.AllQueues() {
		key := "match.keep_together"
		if len(c.Queues) > 0 {
			key = fmt.Sprintf("queues[%d].%s", i, key)
		}
		if q.Match.KeepTogether {
			return c.Errorf(key, "%s", rows.Misfit(true, value, key+"=false", "the next search of each player is a row of its own"))
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
	if s := &c.States; s.ExpandRTT == s.IdealRTT && s.ExpandFor > 0 {
		warnings = append(warnings, "states.expand.rtt equals states.ideal.rtt: EXPAND admits no more datacenters than IDEAL")
	}
	return warnings
}
