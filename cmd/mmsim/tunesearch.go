package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"mmsim/cmd/mmsim/tuner"
	"mmsim/reports"
	"mmsim/sim"
)

// tuneSearch is a search under way: it tries settings for the tuner and keeps count.
type tuneSearch struct {
	*tuneCommand
	spec     *tuneSpec
	base     *inputs
	worlds   []*firstWorld // by replication
	found    reports.Tuning
	before   map[float64][]float64 // figures of the settings of before, by share of the day
	trials   []tuner.Trial         // as the tuner counts: without those of before
	known    map[string]int        // trial of some values over a share of the day
	spent    float64               // runs over the whole day
	deadline time.Time             // zero: by runs
	progress *progress
}

func newTuneSearch(t *tuneCommand, spec *tuneSpec, base *inputs) *tuneSearch {
	s := &tuneSearch{tuneCommand: t, spec: spec, base: base, before: map[float64][]float64{}, known: map[string]int{}}
	for run := range spec.runs + spec.unseen() {
		s.worlds = append(s.worlds, &firstWorld{run: uint64(run)})
	}
	for _, setting := range spec.settings {
		s.found.Settings = append(s.found.Settings, setting.key.text)
	}
	s.found.Goals = spec.goals()
	var span sim.Duration
	if spec.budgetRuns > 0 {
		span = base.config.simulated(spec.budgetRuns + 2*spec.unseen())
	} else {
		s.deadline = time.Now().Add(spec.budgetTime)
	}
	s.progress = newProgress(t.err, t.quiet || span == 0, span)
	return s
}

// search tries the settings of before, and searches better ones. With an error the
// trials before it are kept.
func (s *tuneSearch) search(ctx context.Context) error {
	if err := s.tryBefore(ctx); err != nil {
		return err
	}
	start, err := s.start()
	if err != nil {
		return err
	}
	stream := sim.NewStream(s.base.config.seed, 0, sim.PurposeTuning)
	var drawn uint64
	next := func() uint64 { drawn++; return drawn }
	problem := tuner.Problem{
		Goals: len(s.found.Goals), Start: start, Shares: s.spec.shares(),
		Uniform: func() float64 { return stream.Uniform(0, next()) },
		Normal:  func() float64 { return stream.Normal(0, next()) },
		Try:     func(candidates []tuner.Candidate) ([]tuner.Result, error) { return s.try(ctx, candidates) },
	}
	for _, setting := range s.spec.settings {
		problem.Settings = append(problem.Settings, setting.Setting)
	}
	if before, isThere := s.pointOfBefore(); isThere {
		problem.Also = []tuner.Point{before}
	}
	_, err = tuner.Search(problem)
	return err
}

// pointOfBefore is where the settings of before lie in the search; false where they are
// outside.
func (s *tuneSearch) pointOfBefore() (tuner.Point, bool) {
	p := make(tuner.Point, len(s.spec.settings))
	for i, written := range s.found.Trials[0].Values {
		var isThere bool
		if p[i], isThere = s.spec.settings[i].coordinate(written); !isThere {
			return nil, false
		}
	}
	return p, true
}

// tryBefore simulates the settings of before at every share of the day: constraints are
// measured from them. The first trial is that of the whole day.
func (s *tuneSearch) tryBefore(ctx context.Context) error {
	shares := s.spec.shares()
	slices.Reverse(shares)
	var configs []*config
	for _, share := range shares {
		c, _, err := configWith(s.spec.config, nil, nil)
		if err != nil {
			return err
		}
		s.spec.shorten(c, share)
		configs = append(configs, c)
		s.spent += float64(s.spec.runs) * s.spec.cost(s.base.config, share)
	}
	runs, err := s.simulate(ctx, configs, s.worlds[:s.spec.runs])
	if err != nil {
		return err
	}
	if s.found.Bounds, err = s.spec.constraints.limits(runs[0][0].Numbers(), true); err != nil {
		return err
	}
	for i, share := range shares {
		s.before[share] = s.found.Figures(runs[i])
	}
	trial := reports.TuningTrial{Phase: "before", Share: 1, Values: s.valuesOf(s.base.config), Runs: s.spec.runs, Figures: s.before[1]}
	trial.Violation = s.found.Violation(s.before[1], s.before[1])
	s.found.Trials = append(s.found.Trials, trial)
	return nil
}

// valuesOf writes the settings of a configuration; nothing where a part of one is meant.
func (s *tuneSearch) valuesOf(c *config) []string {
	values := make([]string, len(s.found.Settings))
	for _, setting := range settings(c) {
		if i := slices.Index(s.found.Settings, setting.path); i >= 0 {
			values[i] = flow(setting.write())
		}
	}
	return values
}

// start is how many points the search begins with: six for each setting, or fewer, so
// that half of a budget in runs is left when their halving is over.
func (s *tuneSearch) start() (int, error) {
	const least, perSetting = 4, 6
	n := cmp.Or(s.spec.start, max(8, perSetting*len(s.spec.settings)))
	if s.spec.budgetRuns == 0 {
		return n, nil
	}
	each, part := 0.0, float64(s.spec.runs)
	for _, share := range s.spec.shares() {
		each += part * s.spec.cost(s.base.config, share)
		part /= 2
	}
	left := float64(s.spec.budgetRuns) - s.spent
	if s.spec.start == 0 {
		n = max(least, min(n, int(left/2/each)))
	}
	if rounds := float64(len(s.spec.shares()) * s.spec.runs); float64(n)*each+rounds > left {
		return 0, badInputf("%s: budget: %d runs, expected at least %.0f for %d first trials in %s", s.spec.name, s.spec.budgetRuns,
			math.Ceil(s.spent+float64(n)*each+rounds), n, counted(s.spec.runs, "replication"))
	}
	return n, nil
}

// try simulates candidates side by side and tells how they did. Settings that do not go
// together are results too, and cost nothing; nor do those that are the same as others
// once they are written.
func (s *tuneSearch) try(ctx context.Context, candidates []tuner.Candidate) ([]tuner.Result, error) {
	trials := make([]reports.TuningTrial, len(candidates))
	configs := make([]*config, len(candidates)) // nil: nothing to simulate
	same := make([]int, len(candidates))        // the trial that has the result
	cost := 0.0
	for i, c := range candidates {
		trials[i] = reports.TuningTrial{Phase: string(c.Phase), Share: c.Share}
		config, values, err := s.configAt(c.Point)
		trials[i].Values = values
		if trials[i].Refused, err = refusal(err); err != nil {
			return nil, err
		}
		same[i] = len(s.found.Trials) + i
		key := fmt.Sprintf("%g %q", c.Share, values)
		if earlier, isKnown := s.known[key]; isKnown {
			same[i] = earlier
			continue
		}
		s.known[key] = same[i]
		if trials[i].Refused == "" {
			s.spec.shorten(config, c.Share)
			configs[i] = config
			cost += float64(s.spec.runs) * s.spec.cost(s.base.config, c.Share)
		}
	}
	if s.spec.budgetRuns > 0 && s.spent+cost > float64(s.spec.budgetRuns) || !s.deadline.IsZero() && time.Now().After(s.deadline) {
		return nil, tuner.ErrSpent
	}
	s.spent += cost
	runs, err := s.simulate(ctx, configs, s.worlds[:s.spec.runs])
	if err != nil {
		return nil, err
	}
	results := make([]tuner.Result, len(candidates))
	for i, c := range candidates {
		if configs[i] != nil {
			s.judge(&trials[i], runs[i])
		} else if known := same[i]; known < len(s.found.Trials) {
			trials[i].Runs, trials[i].Figures, trials[i].Violation = s.found.Trials[known].Runs, s.found.Trials[known].Figures, s.found.Trials[known].Violation
		}
		results[i] = s.result(&trials[i])
		s.found.Trials = append(s.found.Trials, trials[i])
		s.trials = append(s.trials, tuner.Trial{Candidate: c, Result: results[i]})
	}
	s.tell()
	return results, nil
}

// refusal is what an error says of settings that do not go together, "" if it is none;
// any other error stays one.
func refusal(err error) (string, error) {
	var misfit *inputError
	if errors.As(err, &misfit) {
		return misfit.message, nil
	}
	return "", err
}

// refusedViolation ranks settings that do not go together behind all others.
const refusedViolation = 1e9

// judge completes a trial by what its runs say.
func (s *tuneSearch) judge(trial *reports.TuningTrial, runs []*reports.Summary) {
	trial.Runs = len(runs)
	trial.Figures = s.found.Figures(runs)
	trial.Violation = s.found.Violation(trial.Figures, s.before[trial.Share])
}

// result is a trial in the tuner's terms.
func (s *tuneSearch) result(trial *reports.TuningTrial) tuner.Result {
	if trial.Refused != "" {
		return tuner.Result{Goals: slices.Repeat([]float64{math.NaN()}, len(s.found.Goals)), Violation: refusedViolation}
	}
	goals := slices.Clone(trial.Figures[:len(s.found.Goals)])
	for i, goal := range s.found.Goals {
		if goal.Maximise {
			goals[i] = -goals[i]
		}
	}
	return tuner.Result{Goals: goals, Violation: trial.Violation}
}

// configAt resolves the configuration at a point of the search.
func (s *tuneSearch) configAt(p tuner.Point) (*config, []string, error) {
	var keys, values []node
	for i := range s.spec.settings {
		t := &s.spec.settings[i]
		keys, values = append(keys, t.key), append(values, t.value(p[i]))
	}
	return configWith(s.spec.config, keys, values)
}

// simulate returns the summaries of configurations (nil: none) in some replications.
// What is in the folder is read there; the rest is simulated, as much at a time as there
// are cores, and written there.
func (s *tuneSearch) simulate(ctx context.Context, configs []*config, worlds []*firstWorld) ([][]*reports.Summary, error) {
	runs := make([][]*reports.Summary, len(configs))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range configs {
		runs[i] = make([]*reports.Summary, len(worlds))
	}
	for k, first := range worlds {
		for i, c := range configs {
			if c == nil {
				continue
			}
			group.Go(func() (err error) {
				runs[i][k], err = s.job(ctx, c, first)
				return err
			})
		}
	}
	return runs, group.Wait()
}

// job reads or simulates one replication of a configuration.
func (s *tuneSearch) job(ctx context.Context, c *config, first *firstWorld) (*reports.Summary, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in, err := loadInputsBeside(c, s.base)
	if err != nil {
		return nil, err
	}
	hash, err := in.configOf(first.run).sha256(in.contents)
	if err != nil {
		return nil, err
	}
	if done, err := readJob(s.dir, hash); err != nil || done != nil {
		s.progress.advance(0, sim.Instant(c.simulated(1)))
		return done, err
	}
	summary, err := first.simulate(ctx, c, s.base, s.progress)
	if err != nil {
		return nil, err
	}
	if !summary.Complete {
		return nil, context.Canceled
	}
	return summary, replacing(s.dir).File(jobName(hash), summary.Write)
}

// tell shows the best trial so far, when there is a new one.
func (s *tuneSearch) tell() {
	best := s.found.Best
	s.rank()
	if s.found.Best == best || s.quiet {
		return
	}
	s.progress.say(s.err, fmt.Sprintf("trial %d: %s", s.found.Best, s.found.Conclusion()))
}

// rank finds the front and the best of it: of a trade-off the compromise, among those
// that are no worse than before in anything, if there are some.
func (s *tuneSearch) rank() {
	s.found.Front, s.found.Best = nil, 0
	front := tuner.Front(s.trials)
	if len(front) == 0 {
		return
	}
	before := s.result(&s.found.Trials[0])
	among := slices.DeleteFunc(slices.Clone(front), func(i int) bool { return !s.trials[i].Beats(before) })
	if len(among) == 0 {
		among = front
	}
	s.found.Best = 1 + tuner.Compromise(s.trials, among)
	for _, i := range front {
		s.found.Front = append(s.found.Front, 1+i)
	}
}
