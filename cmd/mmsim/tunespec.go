package main

import (
	"slices"
	"strings"
	"time"

	"mmsim/reports"
)

// tuneSpec is the text of a tuning: what is made small, within which constraints, and
// which settings may change.
//
//	config: mmsim.yaml
//	settings:
//	  states.ideal.rtt: {from: 20ms, to: 80ms}
//	  match.order: [shuffle, oldest]
//	minimise: rtt_ms.mean
//	constraints:
//	  wait_s.p95: {max_increase: 0%}
//	budget: {runs: 200}
type tuneSpec struct {
	name        string
	config      string // file; "" is the defaults
	runs        int    // replications of every trial
	settings    []tunable
	minimise    []node
	maximise    []node
	constraints gateFile
	budgetRuns  int           // over the whole day; 0: by minutes
	budgetTime  time.Duration // 0: by runs
	start       int           // points of the Latin hypercube; 0: by the number of settings
	halve       string        // what a cheap trial has less of
}

// What is usual.
const (
	tuneRunsUsual   = 1
	tuneBudgetUsual = 200
	tuneUnseenLeast = 4 // an interval of fewer runs is wide
)

// What a cheap trial has less of than the whole day.
const (
	halveHours = "hours"
	halveJoins = "joins"
	halveNone  = "none"
)

// readTuning reads a tuning. Every error is bad input and says where.
func readTuning(file string) (*tuneSpec, error) {
	root, err := readSpec(file)
	if err != nil {
		return nil, err
	}
	s := &tuneSpec{name: file, runs: tuneRunsUsual, halve: halveHours, constraints: gateFile{name: file}}
	for _, e := range root.entries {
		if err := s.apply(e); err != nil {
			return nil, err
		}
	}
	goals := len(s.minimise) + len(s.maximise)
	switch {
	case len(s.settings) == 0:
		return nil, root.errorf("no settings, expected some such as settings: {states.ideal.rtt: {from: 20ms, to: 80ms}}")
	case goals == 0:
		return nil, root.errorf("nothing to minimise, expected a number such as minimise: rtt_ms.mean")
	case goals > 3:
		return nil, root.errorf("%d numbers to minimise or maximise, expected one, or two or three to trade off", goals)
	}
	if s.budgetRuns == 0 && s.budgetTime == 0 {
		s.budgetRuns = tuneBudgetUsual
	}
	return s, s.checkSettings()
}

var tuneKeys = []string{"config", "runs", "settings", "minimise", "maximise", "constraints", "budget", "start", "halve"}

// apply reads one key of the tuning.
func (s *tuneSpec) apply(e entry) error {
	key, n := e.key.text, e.value
	switch key {
	case "config":
		return required(path(&s.config, "the name of a file")).in(key, n)
	case "runs":
		return whole(&s.runs, 1, replicationsMax).in(key, n)
	case "start":
		return whole(&s.start, 4, sweepPointsMax).in(key, n)
	case "halve":
		return choice(&s.halve, []string{halveHours, halveJoins, halveNone}).in(key, n)
	case "minimise":
		return numbersIn(&s.minimise, key, n)
	case "maximise":
		return numbersIn(&s.maximise, key, n)
	case "settings":
		return s.applySettings(n)
	case "constraints":
		return s.applyConstraints(n)
	case "budget":
		return s.applyBudget(n)
	}
	return e.key.errorf("unknown key %q%s; expected %s", key, didYouMean(key, tuneKeys), strings.Join(tuneKeys, ", "))
}

// in reads the value of a key of a spec.
func (v value) in(key string, n node) error {
	if err := v.read(n); err != nil {
		return n.errorf("%s: got %v, expected %s", key, err, v.expects)
	}
	return nil
}

// numbersIn reads the name of a number, or a list of some.
func numbersIn(list *[]node, key string, n node) error {
	*list = []node{n}
	if n.kind == kindList && len(n.elements) > 0 {
		*list = n.elements
	}
	for _, name := range *list {
		if name.kind != kindPlain && name.kind != kindText {
			return name.errorf("%s: got %s, expected a number of summary.json such as rtt_ms.mean, or a list of some", key, name)
		}
	}
	return nil
}

// notTunable are the keys that say whose luck is simulated, how long and where the
// results go. A sweep may go over them; a search would find the luckiest.
var notTunable = []string{"seed", "run", "clock.duration", "clock.warmup", "output"}

func (s *tuneSpec) applySettings(n node) error {
	if n.kind != kindMapping {
		return n.errorf("settings: got %s, expected a mapping of keys of the configuration to ranges or lists", n)
	}
	for _, e := range n.entries {
		if slices.ContainsFunc(notTunable, func(key string) bool { return e.key.text == key || strings.HasPrefix(e.key.text, key+".") }) {
			return e.key.errorf("settings: %s is no choice of a matchmaker: it would be tuned for luck or for less to simulate", e.key.text)
		}
		t, err := readTunable(e)
		if err != nil {
			return err
		}
		s.settings = append(s.settings, t)
	}
	return nil
}

func (s *tuneSpec) applyConstraints(n node) error {
	if n.kind != kindMapping {
		return n.errorf("constraints: got %s, expected a mapping of numbers to limits, such as {wait_s.p95: {max: 10s}}", n)
	}
	for _, e := range n.entries {
		line, err := readGateLine(e)
		if err != nil {
			return err
		}
		if line.minPlayers > 0 {
			return line.minAt.errorf("constraints: %s is for gates, expected limits", minPlayersKey)
		}
		s.constraints.lines = append(s.constraints.lines, line)
	}
	return nil
}

func (s *tuneSpec) applyBudget(n node) error {
	if n.kind != kindMapping || len(n.entries) != 1 {
		return n.errorf("budget: got %s, expected {runs: 200} or {minutes: 10}", n)
	}
	switch e := n.entries[0]; e.key.text {
	case "runs":
		return whole(&s.budgetRuns, 1, sweepJobsMax).in("budget.runs", e.value)
	case "minutes":
		var minutes float64
		err := number(&minutes, limits{high: 100_000, lowOpen: true}).in("budget.minutes", e.value)
		s.budgetTime = time.Duration(minutes * float64(time.Minute))
		return err
	default:
		return e.key.errorf("budget: unknown key %q; expected runs or minutes", e.key.text)
	}
}

// checkSettings applies the values of every setting, one by one, so that a bad one is
// found before anything is simulated. Which of them do not go together shows later.
func (s *tuneSpec) checkSettings() error {
	for _, t := range s.settings {
		for _, n := range t.ends() {
			l := newLoader()
			if err := l.applyKey(t.key.text, t.key, n); err != nil {
				return err
			}
		}
	}
	_, _, err := configWith(s.config, nil, nil)
	return err
}

// goals are what the search is about.
func (s *tuneSpec) goals() []reports.Goal {
	var list []reports.Goal
	for _, n := range s.minimise {
		list = append(list, reports.Goal{Name: n.text})
	}
	for _, n := range s.maximise {
		list = append(list, reports.Goal{Name: n.text, Maximise: true})
	}
	return list
}

// check refuses numbers that no run can have.
func (s *tuneSpec) check(base *inputs) error {
	var bounded []node
	for _, line := range s.constraints.lines {
		if !strings.Contains(line.key.text, "*") {
			bounded = append(bounded, line.key)
		}
	}
	names, err := numberNames(base)
	if err != nil {
		return err
	}
	for _, list := range []struct {
		key     string
		metrics []node
	}{{"minimise", s.minimise}, {"maximise", s.maximise}, {"constraints", bounded}} {
		if err := checkMetrics(names, list.key, list.metrics); err != nil {
			return err
		}
	}
	for _, n := range s.minimise {
		if reports.BetterOf(n.text) == reports.BetterHigher {
			return n.errorf("minimise: %s is better when it is higher, expected it under maximise", n.text)
		}
	}
	for _, n := range s.maximise {
		if reports.BetterOf(n.text) == reports.BetterLower {
			return n.errorf("maximise: %s is better when it is lower, expected it under minimise", n.text)
		}
	}
	return s.checkTwice()
}

// checkTwice refuses a goal that is there twice.
func (s *tuneSpec) checkTwice() error {
	var seen []string
	for _, n := range slices.Concat(s.minimise, s.maximise) {
		if slices.Contains(seen, n.text) {
			return n.errorf("%s is there twice, expected it once", n.text)
		}
		seen = append(seen, n.text)
	}
	return nil
}

// unseen is in how many replications, which the search does not see, the best settings
// are compared with those of before.
func (s *tuneSpec) unseen() int { return max(s.runs, tuneUnseenLeast) }

// shares are the parts of the day that rounds of halving simulate.
func (s *tuneSpec) shares() []float64 {
	if s.halve == halveNone {
		return []float64{1}
	}
	return []float64{0.25, 0.5, 1}
}

// shorten makes a configuration as cheap as a share of it.
func (s *tuneSpec) shorten(c *config, share float64) {
	switch {
	case share == 1:
	case s.halve == halveJoins:
		c.dataset.scale *= share
	default:
		part := time.Duration(float64(c.clock.duration) * share)
		c.clock.duration = max(c.clock.tick, part.Truncate(max(c.clock.tick, time.Second)))
	}
}

// cost is what a share of the whole day costs, in runs over the whole day.
func (s *tuneSpec) cost(c *config, share float64) float64 {
	if s.halve == halveJoins {
		return share
	}
	warmup, duration := c.clock.warmup.Seconds(), c.clock.duration.Seconds()
	return (warmup + share*duration) / (warmup + duration)
}
