package experiment_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// allTrials names the environment variable that runs the trials of statistics at full size: pools of
// 400 runs, 400 trials of gates and 4,000 of intervals. Without it, a smaller form runs, whose bounds
// leave more room for chance.
const allTrials = "MMSIM_TEST_TRIALS"

// trials has the runs from which trials draw their samples, and the sizes of the trials.
type trials struct {
	alike, alike2, changed []*outcome.Summary // by run number; alike2 has the law of alike, but other matches
	gates, intervals       int                // numbers of trials
	slack                  float64            // added to the share of trials that may fail
	noise                  float64            // how much more the runs vary than those of the full size
	draw                   *rand.Rand
}

// newTrials simulates the pools: a day of six hours around the world, the same day after a longer
// warm-up period, which changes who meets whom and nothing else, and the day with another setting.
func newTrials(t *testing.T) *trials {
	t.Helper()
	of := &trials{gates: 60, intervals: 80, slack: 0.07, noise: 2.5, draw: rand.New(rand.NewPCG(29, 1))}
	runs, joins, duration := 60, "20000", "90m"
	if os.Getenv(allTrials) != "" {
		runs, joins, duration = 400, "50000", "6h"
		of.gates, of.intervals, of.slack, of.noise = 400, 4000, 0, 1
	}
	var configs []*config.Config
	for _, change := range []config.Override{{Key: "clock.warmup", Text: "60m"}, {Key: "clock.warmup", Text: "80m"}, {Key: "states.ideal.for", Text: "7s"}} {
		c, err := config.Load("", []config.Override{
			{Key: "dataset.builtin.joins", Text: joins}, {Key: "clock.duration", Text: duration}, {Key: "clock.warmup", Text: "60m"}, change,
		})
		if err != nil {
			t.Fatal(err)
		}
		configs = append(configs, c)
	}
	cache := experiment.NewCache(1)
	arms, err := experiment.LoadArms(cache, configs...)
	if err != nil {
		t.Fatal(err)
	}
	pools, err := experiment.MeasureAll(t.Context(), arms, experiment.FirstRuns(runs), experiment.Options{Cache: cache}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := busiest(pools[0][0])
	for _, pool := range pools {
		for _, s := range pool {
			lighten(s, names)
		}
	}
	of.alike, of.alike2, of.changed = pools[0], pools[1], pools[2]
	return of
}

// starMembers is the number of metrics that the limit with a star has in trials.
const starMembers = 6

// lighten removes the groups that trials do not use, so that a trial is quick. It keeps the
// datacenters in names.
func lighten(s *outcome.Summary, names []string) {
	s.ByContinent, s.ByHour, s.ByPartySize, s.Warnings = nil, nil, nil, nil
	s.ByDatacenter = slices.DeleteFunc(s.ByDatacenter, func(d outcome.Datacenter) bool { return !slices.Contains(names, d.Name) })
}

// busiest returns the names of the datacenters with the most players.
func busiest(s *outcome.Summary) []string {
	list := slices.SortedFunc(slices.Values(s.ByDatacenter), func(a, b outcome.Datacenter) int { return cmp.Compare(b.Players, a.Players) })
	var names []string
	for _, d := range list[:starMembers] {
		names = append(names, d.Name)
	}
	return names
}

// sample copies runs of a pool and numbers them from 0, so that the runs of two samples are pairs.
func sample(pool []*outcome.Summary, runs []int, seed uint64) *judge.Sample {
	s := &judge.Sample{Name: "x", Matters: judge.MattersList{{Pattern: "*"}}}
	for i, run := range runs {
		c := *pool[run]
		c.Run.Run, c.Run.Seed = i, seed
		s.Runs = append(s.Runs, &c)
	}
	return s
}

// alikePair returns two samples of n runs with the same law. They are pairs with the same players,
// pairs with other players, or no pairs, in turn.
func (of *trials) alikePair(trial, n int) (a, b *judge.Sample) {
	runs := of.draw.Perm(len(of.alike))
	switch trial % 3 {
	case 0:
		return sample(of.alike, runs[:n], 1), sample(of.alike2, runs[:n], 1)
	case 1:
		return sample(of.alike, runs[:n], 1), sample(of.alike, runs[n:2*n], 1)
	}
	return sample(of.alike, runs[:n], 1), sample(of.alike, runs[n:2*n], 2)
}

// starLimits returns a limit with a star that allows an increase by the share bound.
func starLimits(s *judge.Sample, bound float64) []judge.Limit {
	var limits []judge.Limit
	for _, d := range s.Runs[0].ByDatacenter {
		limits = append(limits, judge.Limit{Pattern: "by_datacenter.*.wait_mean_s", Name: "by_datacenter." + d.Name + ".wait_mean_s",
			Kind: judge.LimitMaxIncrease, Bound: judge.Optional(bound), Relative: true, Among: len(s.Runs[0].ByDatacenter)})
	}
	return limits
}

func increase(name string, bound float64) judge.Limit {
	return judge.Limit{Pattern: name, Name: name, Kind: judge.LimitMaxIncrease, Bound: judge.Optional(bound), Relative: true}
}

// verdictOf returns the verdict of a comparison on a metric.
func verdictOf(c *judge.Comparison, name string) judge.Verdict {
	i := slices.IndexFunc(c.Metrics, func(d judge.Difference) bool { return d.Name == name })
	return c.Metrics[i].Verdict
}

// The verdicts of gates and comparisons are as certain as they say. The truth is known: the two
// sides have the same law, or the mean wait of one is 15 % longer.
func TestTrialsOfVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates some hundred runs")
	}
	of := newTrials(t)
	for _, n := range []int{2, 3, 5, 8} {
		t.Run(strconv.Itoa(n)+" runs", func(t *testing.T) { of.alarms(t, n); of.regressions(t, n) })
	}
	t.Run("room", of.room)
	for _, n := range []int{5, 8} {
		t.Run(strconv.Itoa(n)+" runs, intervals", func(t *testing.T) { of.coverage(t, n) })
	}
}

// alarms counts false alarms about samples with the same law: of a limit of no increase, of such a
// limit on six metrics, and of a comparison. Each may be raised in at most 5 % of the trials.
func (of *trials) alarms(t *testing.T, n int) {
	var one, star, worse int
	for trial := range of.gates {
		a, b := of.alikePair(trial, n)
		g := judge.CheckGate(b, a, append(starLimits(a, 0), increase("wait_s.mean", 0)))
		if last := &g.Limits[starMembers]; last.Verdict == judge.LimitBroken {
			one++
		}
		if slices.ContainsFunc(g.Limits[:starMembers], func(l judge.LimitResult) bool { return l.Verdict == judge.LimitBroken }) {
			star++
		}
		if verdictOf(judge.Compare(a, b, nil), "wait_s.mean") == judge.VerdictWorse {
			worse++
		}
	}
	for name, count := range map[string]int{"limit": one, "limit of six metrics": star, "comparison": worse} {
		t.Logf("%s: %d of %d false alarms", name, count, of.gates)
		if share := float64(count) / float64(of.gates); share > 0.05+of.slack {
			t.Errorf("%s: %d of %d trials raise a false alarm, want at most 5 %%", name, count, of.gates)
		}
	}
}

// regressions checks mean waits that are truly 15 % longer against a limit of 2 %. Too few runs may
// leave the limit undecided, but never hold it.
func (of *trials) regressions(t *testing.T, n int) {
	meanOf := func(pool []*outcome.Summary) float64 {
		return stat.Mean(valuesOf(pool, func(s *outcome.Summary) float64 { return float64(s.Wait.Mean) }), nil)
	}
	factor := 1.15 * meanOf(of.alike) / meanOf(of.alike2)
	count := map[judge.LimitVerdict]int{}
	for range of.gates {
		runs := of.draw.Perm(len(of.alike))[:n]
		a, b := sample(of.alike, runs, 1), sample(of.alike2, runs, 1)
		for _, run := range b.Runs {
			run.Wait.Mean = outcome.RoundSeconds(factor * float64(run.Wait.Mean))
		}
		count[judge.CheckGate(b, a, []judge.Limit{increase("wait_s.mean", 0.02)}).Limits[0].Verdict]++
	}
	t.Logf("15 %% longer, limit of 2 %%: %v", count)
	if count[judge.LimitHeld] > 0 || n >= 5 && float64(count[judge.LimitBroken]) < (0.95-of.slack)*float64(of.gates) {
		t.Errorf("15 %% longer waits against a limit of 2 %%: got %v, want none held and at least 95 %% broken from 5 runs on", count)
	}
}

// room checks samples with the same law against limits that leave room for 5 % (more in the smaller
// form): with 8 runs they hold in nearly all trials.
func (of *trials) room(t *testing.T) {
	held := map[string]int{}
	for trial := range of.gates {
		a, b := of.alikePair(trial, 8)
		for _, l := range judge.CheckGate(b, a, []judge.Limit{increase("wait_s.mean", 0.05*of.noise), increase("rtt_ms.p95", 0.05*of.noise)}).Limits {
			if l.Verdict == judge.LimitHeld {
				held[l.Metric]++
			}
		}
	}
	for _, name := range []string{"wait_s.mean", "rtt_ms.p95"} {
		t.Logf("%s: %d of %d hold", name, held[name], of.gates)
		if float64(held[name]) < (0.95-of.slack)*float64(of.gates) {
			t.Errorf("%s: a limit of %g %% holds in %d of %d trials without a change, want at least 95 %%", name, 5*of.noise, held[name], of.gates)
		}
	}
}

// coverage counts how often the intervals of a comparison contain the true difference, which is that
// of the whole pools.
func (of *trials) coverage(t *testing.T, n int) {
	metrics := []string{"wait_s.mean", "wait_first_s.mean", "rtt_ms.mean", "delta_rtt_ms.mean", "rtt_ms.share_le_50", "rtt_ms.share_le_100", "wait_s.share_zero",
		"wait_s.p95", "wait_first_s.p95", "rtt_ms.p95"}
	whole := judge.Compare(&judge.Sample{Name: "a", Runs: of.alike}, &judge.Sample{Name: "b", Runs: of.changed}, nil)
	truth, hits, floors := map[string]float64{}, map[string]int{}, map[string]int{}
	for _, d := range whole.Metrics {
		truth[d.Name] = float64(d.Difference)
	}
	for range of.intervals {
		runs := of.draw.Perm(len(of.alike))[:n]
		for _, d := range judge.Compare(sample(of.alike, runs, 1), sample(of.changed, runs, 1), nil).Metrics {
			if low, high := float64(d.Low), float64(d.High); low <= truth[d.Name] && truth[d.Name] <= high {
				hits[d.Name]++
			}
			if d.Verdict == judge.VerdictEqual {
				floors[d.Name]++
			}
		}
	}
	for _, name := range metrics {
		share := float64(hits[name]) / float64(of.intervals)
		text := fmt.Sprintf("%s: %.1f %% of %d intervals contain the true difference of %.4g, in %d no pair differs", name, 100*share, of.intervals, truth[name], floors[name])
		t.Log(text)
		most := 0.97 + of.slack
		if floors[name] > of.intervals/100 { // the floor counts, which makes intervals wider
			most = 1
		}
		if share < 0.93-of.slack || share > most {
			t.Error(text + ", want 93 to 97 %")
		}
	}
}

func valuesOf(pool []*outcome.Summary, of func(*outcome.Summary) float64) []float64 {
	values := make([]float64, len(pool))
	for i, s := range pool {
		values[i] = of(s)
	}
	return values
}
