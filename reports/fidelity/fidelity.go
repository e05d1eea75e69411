package fidelity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// PlayersMin is the fewest players of a group that is shown.
const PlayersMin = result.PlayersMin

// groupsMax is the maximum number of groups in Result.Unexplained.
const groupsMax = 10

// Result says how far a simulation is from production. Differences are judged by limits and not by chance:
// of millions of players, every difference is more than chance.
type Result struct {
	Check       *judge.GateResult // of the simulation against production, without what tells about small groups
	Rows        []Row
	Unexplained []Unexplained // the largest first
	Hours       [24]Hour
	TimeZone    string // of Hours and of the other times of day; "" is UTC
	Waits, RTTs Distributions
}

// Row compares a metric of all players.
type Row struct {
	judge.Range             // of the simulation
	Production      float64 // NaN if production does not have the metric
	Distance, Noise float64 // of the distributions of the measure of which it is the mean; NaN without one
	Limits          []judge.LimitResult
}

// Unexplained is a group of players in which production is outside the range of a run.
type Unexplained struct {
	judge.Range
	Group      string // such as by_hour.4
	Hours      int    // of hours that differ alike, the number; Group is the first, and numbers are of all. Otherwise 1
	Production float64
	Players    float64 // in production
}

// follows reports whether a group is the hour after another one, and differs in the same way.
func (u *Unexplained) follows(before *Unexplained) bool {
	key := func(u *Unexplained) string { return u.Name[len(u.Group):] }
	hour, isHour := strings.CutPrefix(u.Group, "by_hour.")
	first, wasHour := strings.CutPrefix(before.Group, "by_hour.")
	if !isHour || !wasHour || key(u) != key(before) || (u.Mean > u.Production) != (before.Mean > before.Production) {
		return false
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(hour)
	return err == nil && err2 == nil && to == from+before.Hours
}

// join adds the hour that follows.
func (u *Unexplained) join(next *Unexplained) {
	a, b := u.Players, next.Players
	if !strings.HasSuffix(u.Name, ".players") {
		a, b = a/(a+b), b/(a+b)
	} else {
		a, b = 1, 1
	}
	sum := func(x, y float64) float64 { return float64(a*x) + float64(b*y) }
	u.Mean, u.Low, u.High = sum(u.Mean, next.Mean), sum(u.Low, next.Low), sum(u.High, next.High)
	u.Production, u.Players, u.Hours = sum(u.Production, next.Production), u.Players+next.Players, u.Hours+next.Hours
}

// size is the relative difference, weighted by the players.
func (u *Unexplained) size() float64 {
	return u.Players * math.Abs(u.Mean-u.Production) / math.Abs(u.Production)
}

// Hour has what an hour of the day is like in production and in the runs. Without enough players, all of it is NaN.
type Hour struct{ Wait, Matches Spread }

// Spread is a value of production, and those of the runs.
type Spread struct{ Production, Low, High float64 }

// Distributions has the distribution of a measure in production and in each run.
type Distributions struct {
	Production []result.Bin
	Runs       [][]result.Bin
}

// Judge compares a simulation with production. The samples have distributions.
func Judge(production, simulation *judge.Sample, limits []judge.Limit) *Result {
	ranges, before := simulation.Ranges(), production.Ranges()
	of := func(name string) float64 {
		if r, is := before[name]; is {
			return r.Mean
		}
		return math.NaN()
	}
	r := &Result{Check: judge.CheckGate(simulation, production, limits), TimeZone: production.Runs[0].Run.TimeZone}
	for _, doubt := range production.Runs[0].Warnings {
		if !slices.Contains(r.Check.Warnings, doubt) {
			r.Check.Warnings = append(r.Check.Warnings, doubt)
		}
	}
	r.Waits, r.RTTs = distributions(production, simulation, result.MeasureWaitFirst.String()), distributions(production, simulation, result.MeasureRTT.String())
	r.rows(simulation.Metrics(), ranges, of, len(simulation.Runs[0].Queues) > 0)
	for i := range r.Rows {
		r.Rows[i].measure(production, simulation)
	}
	r.Unexplained = unexplained(simulation.Metrics(), ranges, of)
	for hour := range r.Hours {
		r.Hours[hour] = hourOf(production, simulation, hour)
	}
	r.hideSmall(of)
	return r
}

// hideSmall removes from the check what tells about groups of few players in production.
func (r *Result) hideSmall(of func(name string) float64) {
	isSmall := func(l *judge.LimitResult) bool {
		return outcome.IsGroup(l.Metric) && !(of(outcome.PlayersOf(l.Metric)) >= PlayersMin)
	}
	r.Check.Limits = slices.DeleteFunc(r.Check.Limits, func(l judge.LimitResult) bool { return l.Verdict == judge.LimitSkipped && isSmall(&l) })
	for i := range r.Check.Limits {
		if l := &r.Check.Limits[i]; isSmall(l) {
			nothing := judge.Optional(math.NaN())
			l.Baseline, l.Difference, l.Low, l.High, l.Excess = nothing, nothing, nothing, nothing, nothing
			l.Reason = fmt.Sprintf("fewer than %d players in production", PlayersMin)
		}
	}
}

func distributions(production, simulation *judge.Sample, name string) Distributions {
	return Distributions{result.Pooled(production.Bins(name)...), simulation.Bins(name)}
}

// measure sets the distance of the distributions of which the metric is the mean: of first waits and of RTTs,
// and of any other with a limit.
func (row *Row) measure(production, simulation *judge.Sample) {
	name, _ := strings.CutSuffix(row.Name, ".mean")
	isLimited := slices.ContainsFunc(row.Limits, func(l judge.LimitResult) bool { return l.Kind == judge.LimitMaxDistance })
	if d, is := result.DistributionNamed(name); is && (d.Measure.IsPerQueue() || isLimited) {
		of := distributions(production, simulation, name)
		row.Distance, row.Noise = result.Distance(of.Production, result.Pooled(of.Runs...)), judge.NoiseOf(of.Runs)
	}
}

// rows sets the rows: the metrics of [judge.Headline], and those with a limit. Of several queues, it leaves
// out metrics that mean nothing over all of them.
func (r *Result) rows(metrics []outcome.Metric, ranges map[string]judge.Range, of func(name string) float64, several bool) {
	limits := map[string][]judge.LimitResult{}
	for _, l := range r.Check.Limits {
		name := l.Metric
		if l.Kind == judge.LimitMaxDistance {
			name += ".mean"
		}
		limits[name] = append(limits[name], l)
	}
	add := func(name string) {
		isIn := slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Name == name })
		row := Row{Range: ranges[name], Production: of(name), Distance: math.NaN(), Noise: math.NaN(), Limits: limits[name]}
		if isIn || several && judge.Pooled(name) && len(row.Limits) == 0 || row.Mean == 0 && row.Production == 0 || math.IsNaN(row.Mean) && math.IsNaN(row.Production) {
			return
		}
		r.Rows = append(r.Rows, row)
	}
	for _, name := range append([]string{"wait_first_s.mean", "rtt_ms.mean", "matches.count", "players.expired"}, judge.Headline...) {
		for _, m := range metrics {
			if outcome.MatchesPattern(name, m.Name) && !outcome.IsGroup(m.Name) && !ofStates(m.Name) {
				add(m.Name)
			}
		}
	}
	for _, m := range metrics {
		if len(limits[m.Name]) > 0 && !outcome.IsGroup(m.Name) {
			add(m.Name)
		}
	}
}

// ofStates reports whether a metric is about the states of searches, which production does not report.
func ofStates(name string) bool {
	return strings.HasPrefix(name, "states.") || name == "matches.with_warmbody"
}

// unexplained returns the groups of which production is outside the range of a run, each with the metric
// that differs most.
func unexplained(metrics []outcome.Metric, ranges map[string]judge.Range, of func(name string) float64) (list []Unexplained) {
	groups := map[string]map[string]bool{} // of each kind; a single one would repeat the whole
	for _, m := range metrics {
		at := strings.LastIndexByte(m.Name, '.')
		switch key := m.Name[at+1:]; {
		case !outcome.IsGroup(m.Name), key != "players" && key != "wait_mean_s" && key != "rtt_mean_ms":
			continue
		}
		kind, _, _ := strings.Cut(m.Name, ".")
		if groups[kind] == nil {
			groups[kind] = map[string]bool{}
		}
		groups[kind][m.Name[:at]] = true
		u := Unexplained{Range: ranges[m.Name], Group: m.Name[:at], Hours: 1, Production: of(m.Name), Players: of(m.Name[:at] + ".players")}
		if !(u.Players >= PlayersMin) || u.Production == 0 || !u.Outside(u.Production) {
			continue
		}
		i := slices.IndexFunc(list, func(other Unexplained) bool { return other.Group == u.Group })
		switch {
		case i < 0:
			list = append(list, u)
		case u.size() > list[i].size():
			list[i] = u
		}
	}
	list = slices.DeleteFunc(list, func(u Unexplained) bool {
		kind, _, _ := strings.Cut(u.Group, ".")
		return len(groups[kind]) < 2
	})
	for i := len(list) - 1; i > 0; i-- { // hours are in order
		if list[i].follows(&list[i-1]) {
			list[i-1].join(&list[i])
			list = slices.Delete(list, i, i+1)
		}
	}
	slices.SortStableFunc(list, func(a, b Unexplained) int { return cmp.Compare(b.size(), a.size()) })
	return list[:min(len(list), groupsMax)]
}

// hourOf describes an hour of the day, over all days.
func hourOf(production, simulation *judge.Sample, hour int) Hour {
	nothing := Spread{math.NaN(), math.NaN(), math.NaN()}
	before := &production.Runs[0].ByHour[hour]
	if before.Players < PlayersMin {
		return Hour{nothing, nothing}
	}
	h := Hour{
		Wait:    Spread{float64(before.WaitMean), math.Inf(1), math.Inf(-1)},
		Matches: Spread{float64(before.Matches), math.Inf(1), math.Inf(-1)},
	}
	for _, run := range simulation.Runs {
		g := &run.ByHour[hour]
		h.Matches.add(float64(g.Matches))
		if g.Players >= PlayersMin {
			h.Wait.add(float64(g.WaitMean))
		}
	}
	return h
}

func (s *Spread) add(x float64) { s.Low, s.High = min(s.Low, x), max(s.High, x) }
