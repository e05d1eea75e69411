package tuning

import (
	"context"
	"slices"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/workers"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/sim"
)

// tuneSearch is the state of a search. It simulates the points that Search proposes and
// keeps track of their cost.
type tuneSearch struct {
	*Tune
	spec        *tuneSpec
	base        *experiment.Inputs
	results     *resultdir.Dir
	cache       *experiment.Cache
	coordinator *workers.Coordinator // nil if this process simulates
	found       judge.Tuning
	baseline    map[float64][]judge.Estimate // the baseline's metrics, by share of the day
	trials      []Trial                      // as Search numbers them, without the baseline
	known       map[string]int               // number of the trial, by values and share of the day
	spent       float64                      // cost of the trials so far, in runs over the whole day
	deadline    time.Time                    // zero if the budget is in runs
	progress    *terminal.Progress
}

func newTuneSearch(t *Tune, spec *tuneSpec, base *experiment.Inputs, cache *experiment.Cache) *tuneSearch {
	s := &tuneSearch{Tune: t, spec: spec, base: base, cache: cache, baseline: map[float64][]judge.Estimate{}, known: map[string]int{}}
	for _, setting := range spec.settings {
		s.found.Settings = append(s.found.Settings, setting.key.Text)
	}
	s.found.Goals = spec.goals()
	return s
}

// begin starts to count the time, and to show the progress.
func (s *tuneSearch) begin() {
	if s.spec.budgetRuns > 0 {
		// Pass 0 as the number of jobs, because it is unknown: it depends on the search.
		s.progress = terminal.NewProgress(s.Streams, s.Quiet, s.base.Config.Simulated(s.spec.budgetRuns+2*s.spec.holdout()), 0)
		return
	}
	s.deadline = time.Now().Add(s.spec.budgetTime)
	s.progress = terminal.NewTimed(s.Streams, s.Quiet, s.spec.budgetTime)
}

// search simulates the baseline and then searches for better settings. If it fails, earlier
// trials are kept.
func (s *tuneSearch) search(ctx context.Context) error {
	if err := s.tryBaseline(ctx); err != nil {
		return err
	}
	start, err := s.spec.firstTrials(s.base.Config)
	if err != nil {
		return err
	}
	stream := sim.NewStream(s.base.Config.Seed, 0, sim.PurposeTuning)
	var drawn uint64
	next := func() uint64 { drawn++; return drawn }
	problem := Problem{
		Goals: len(s.found.Goals), Start: start, Shares: s.spec.shares(),
		Uniform: func() float64 { return stream.Uniform(0, next()) },
		Normal:  func() float64 { return stream.Normal(0, next()) },
		Try:     func(candidates []Candidate) ([]Result, error) { return s.try(ctx, candidates) },
	}
	for _, setting := range s.spec.settings {
		problem.Settings = append(problem.Settings, setting.Setting)
	}
	if before, ok := s.baselinePoint(); ok {
		problem.Also = []Point{before}
	}
	_, err = Search(problem)
	return err
}

// baselinePoint returns the baseline as a point of the search space. The second result is false
// if the baseline is outside the search space.
func (s *tuneSearch) baselinePoint() (Point, bool) {
	p := make(Point, len(s.spec.settings))
	for i, written := range s.found.Trials[0].Values {
		var ok bool
		if p[i], ok = s.spec.settings[i].coordinate(written); !ok {
			return nil, false
		}
	}
	return p, true
}

// tryBaseline simulates the baseline for each share of the day, because constraints may be
// relative to it. Only the baseline of the whole day becomes a trial.
func (s *tuneSearch) tryBaseline(ctx context.Context) error {
	shares := s.spec.shares()
	slices.Reverse(shares)
	var configs []*config.Config
	for _, share := range shares {
		c, _, err := s.spec.load("", nil, nil)
		if err != nil {
			return err
		}
		s.spec.shorten(c, share, s.base.Config.Clock.Duration)
		configs = append(configs, c)
	}
	s.spent = s.spec.baselineCost(s.base.Config)
	runs, err := s.simulate(ctx, configs, experiment.FirstRuns(s.spec.runs))
	if err != nil {
		return err
	}
	before := &judge.Sample{Name: "before", Runs: runs[0]}
	s.found.Samples, s.found.Warnings = []judge.Origin{before.Origin()}, runs[0][0].Warnings
	if s.found.Bounds, err = s.spec.constraints.Limits(before.Metrics(), true); err != nil {
		return err
	}
	if s.found.Guard, err = s.spec.guard.Limits(s.base.Metrics(), true); err != nil {
		return err
	}
	for i, share := range shares {
		s.baseline[share] = s.found.Figures(runs[i])
	}
	trial := judge.TuningTrial{Phase: "before", Share: 1, Values: s.valuesOf(s.base.Config), Runs: s.spec.runs, Figures: s.baseline[1]}
	s.found.Judge(&trial, s.baseline[1])
	s.found.Trials = append(s.found.Trials, trial)
	return nil
}

// valuesOf returns the values that c has for the tuned settings. It returns "" for a key
// without a setting of its own, such as players.parties.2.
func (s *tuneSearch) valuesOf(c *config.Config) []string {
	values := make([]string, len(s.found.Settings))
	for _, setting := range config.Settings(c) {
		if i := slices.Index(s.found.Settings, setting.Path); i >= 0 {
			values[i] = value.Flow(setting.Write(s.Dir))
		}
	}
	for i, key := range s.found.Settings {
		if config.IsPlacedKey(key) {
			values[i] = c.RuleValue(key)
		}
	}
	return values
}

// report ranks the trials, and prints the best one if it has changed.
func (s *tuneSearch) report() {
	best := s.found.Best
	s.rank()
	if s.found.Best == best || s.Quiet {
		return
	}
	s.progress.Clear()
	terminal.PrintTo(s.Err, "trial %d: %s\n", s.found.Best, phrase.Search(&s.found)+".")
}

// rank finds the Pareto front and its best trial. With several goals, the best trial is a
// compromise among the trials on the front that beat the baseline. If none beats it, all trials
// on the front are candidates.
func (s *tuneSearch) rank() {
	s.found.Front, s.found.Best = nil, 0
	front := Front(s.trials)
	if len(front) == 0 {
		return
	}
	before := s.result(&s.found.Trials[0])
	among := slices.DeleteFunc(slices.Clone(front), func(i int) bool { return !s.trials[i].Dominates(before) })
	if len(among) == 0 {
		among = front
	}
	s.found.Best = 1 + Compromise(s.trials, among)
	for _, i := range front {
		s.found.Front = append(s.found.Front, 1+i)
	}
}
