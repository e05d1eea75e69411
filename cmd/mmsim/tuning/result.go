package tuning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/search"
	"mmsim/cmd/mmsim/value"
	"mmsim/reports/judge"
	"mmsim/reports/phrase"
	"mmsim/reports/present/decision"
	"mmsim/reports/result"
)

// Names of a tuning's files, except its plot.
const (
	File        = "tune.json" // results for programs; it also marks the directory as a tuning's
	TrialsFile  = "trials.csv"
	BestFile    = "best.yaml"
	frontFolder = "front"
)

// open creates the result directory. If it has a complete tuning, that tuning remains valid
// until the new one is complete.
func (s *tuneSearch) open(out *resultdir.Dir) error {
	s.results = out
	complete, err := out.IsComplete()
	if err == nil && !complete {
		err = out.Keep(File, s.found.Write)
	}
	if err != nil {
		return err
	}
	return search.JobsIn(s.Streams, s.Dir).Open()
}

// conclude writes the results and reports whether they are complete. After an interruption, it
// writes the results so far and skips the final comparison with the baseline.
func (s *tuneSearch) conclude(ctx context.Context) (complete bool, err error) {
	if len(s.found.Trials) == 0 {
		return false, nil // interrupted before the first trial was finished
	}
	s.rank()
	if s.found.Best > 0 {
		s.found.AtEnd = s.spec.atEnd(s.trials[s.found.Best-1].Point)
	}
	if complete = ctx.Err() == nil; complete && s.found.Best > 0 {
		err := s.validate(ctx)
		if complete = !errors.Is(err, context.Canceled); complete && err != nil {
			return false, err
		}
	}
	s.found.Complete, s.found.Command, s.found.Budget = complete, s.Command, strings.TrimSuffix(s.budgetText(), "\n")
	where, unpublished, err := resultdir.Published(s.write(complete))
	if err != nil {
		return false, err
	}
	s.progress.Finish()
	if err := cmp.Or(s.print(), unpublished); err != nil {
		return false, err
	}
	s.Say("results", where)
	return complete, nil
}

// print writes the results to standard output.
func (s *tuneSearch) print() error {
	if s.JSON {
		return s.found.Write(s.Out)
	}
	if s.Quiet {
		return nil
	}
	_, err := io.WriteString(s.Out, decision.Tuning(&s.found, nil, nil).Text(s.Colour())+"\n"+s.budgetText())
	return err
}

// budgetText describes how much of the budget was used and how trials count towards it.
func (s *tuneSearch) budgetText() string {
	spent := strconv.FormatFloat(math.Round(s.spent*10)/10, 'f', -1, 64)
	if s.spec.budgetRuns == 0 {
		return fmt.Sprintf("Budget: %s, in which the trials took as much as %s replications of the whole day.\n", value.Short(s.spec.budgetTime), spent)
	}
	part := map[string]string{
		halveHours: ": a trial of a part of the day counts for that part, warm-up included",
		halveJoins: ": a trial with a part of the joins counts for that part",
	}[s.spec.halve]
	return fmt.Sprintf("Budget: %s of %s of the whole day%s. The final comparison is not counted.\n",
		spent, input.Counted(s.spec.budgetRuns, "replication"), part)
}

// write writes the files of a tuning in place of an earlier tuning's files. It returns their
// directory.
func (s *tuneSearch) write(complete bool) (string, error) {
	return Kind.Write(s.results, complete, func(create result.Create) error {
		return cmp.Or(create.File(TrialsFile, func(w io.Writer) error { return s.found.WriteCSV(w, phrase.Marks) }), s.writeConfigs(create), create.File(File, s.found.Write))
	})
}

// validate compares the best settings with the baseline in runs that the search did not use,
// because the best of many trials is partly luck.
func (s *tuneSearch) validate(ctx context.Context) error {
	best, _, err := s.configAt(s.trials[s.found.Best-1].Point)
	if err != nil {
		return err
	}
	runs, err := s.simulate(ctx, []*config.Config{s.base.Config, best}, s.holdoutRuns())
	if err != nil {
		return err
	}
	matters := s.base.Config.Matters.List()
	s.found.Validate(&judge.Sample{Name: "before", Runs: runs[0], Matters: matters}, &judge.Sample{Name: "best", Runs: runs[1], Matters: matters},
		s.base.Config.Differences(best, s.Dir))
	return nil
}

// writeConfigs writes the configuration of the best trial. If there are several goals, it also
// writes the configurations of all trials on the Pareto front.
func (s *tuneSearch) writeConfigs(create result.Create) error {
	if s.found.Best == 0 {
		return nil
	}
	if err := s.writeConfig(create, BestFile, s.found.Best); err != nil || len(s.found.Goals) == 1 {
		return err
	}
	for _, trial := range s.found.Front {
		if err := s.writeConfig(create, frontName(trial), trial); err != nil {
			return err
		}
	}
	return nil
}

// writeConfig writes the configuration of a trial.
func (s *tuneSearch) writeConfig(create result.Create, name string, trial int) error {
	c, _, err := s.configAt(s.trials[trial-1].Point)
	if err != nil {
		return err
	}
	text, err := c.Resolved(filepath.Join(s.Dir, filepath.Dir(name)))
	if err != nil {
		return err
	}
	return create.Text(name, fmt.Sprintf("# trial %d of mmsim tune\n%s", trial, text))
}
