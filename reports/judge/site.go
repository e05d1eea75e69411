package judge

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
)

// A Site is a sweep over sets of datacenters, with goals and limits.
type Site struct {
	*Sweep
	Goals    []string  // metrics to improve, of which the first is the cost; or SitesGoal
	Bounds   []Limit   // limits that a good set meets
	Removals []Removal // by datacenter of the cheapest set that meets every limit; empty if they are not known
}

// SitesGoal is the goal that stands for the cost if there are no prices: the number of datacenters.
const SitesGoal = "sites"

// CostMetric is the goal that is the cost if there are prices.
const CostMetric = "fleet.cost_per_day"

// A Removal describes a set without one of its datacenters.
type Removal struct {
	Datacenter string             `json:"datacenter"`
	Runs       []*outcome.Summary `json:"-"`
	Reason     string             `json:"reason,omitempty"`    // why there are no runs
	Players    int64              `json:"players"`             // joins of run 0 that are nearest to the datacenter
	Countries  []string           `json:"countries,omitempty"` // the countries where most of them are
	BestRTT    Optional           `json:"best_rtt_ms"`         // by how much the removal raises the mean of their lowest RTTs
}

// A BrokenLimit is a limit with the mean that is beyond it.
type BrokenLimit struct {
	Limit
	Mean float64 // NaN if no run has the metric
}

// Broken returns the limits that the means of a set are beyond.
func (s *Site) Broken(point int) []BrokenLimit {
	return s.broken(func(metric string) float64 { return s.Value(metric, point) })
}

// BrokenWithout returns the limits that the means of a removal with runs are beyond.
func (s *Site) BrokenWithout(r *Removal) []BrokenLimit {
	return s.broken(func(metric string) float64 {
		mean, _ := Of(r.Runs, metric)
		return mean
	})
}

func (s *Site) broken(mean func(metric string) float64) (broken []BrokenLimit) {
	for _, l := range s.Bounds {
		if x := mean(l.Name); l.excess(x, math.NaN()) > 0 {
			broken = append(broken, BrokenLimit{l, x})
		}
	}
	return broken
}

// Meets reports whether a set is good: its means meet every limit, and it is not worse than the guard
// allows.
func (s *Site) Meets(point int) bool {
	return len(s.Broken(point)) == 0 && len(s.Table().Beyond[point]) == 0
}

// Value returns the mean of a goal at a point.
func (s *Site) Value(goal string, point int) float64 {
	if goal == SitesGoal {
		return float64(len(s.Points[point].Set.Datacenters))
	}
	t := s.Table()
	return t.Estimates[slices.Index(t.Metrics, goal)][point].Mean
}

// Cheapest returns the set that meets every limit at the lowest cost, which is the first goal. If the
// costs of several are equal, the next goal decides. It returns -1 if no set meets every limit.
func (s *Site) Cheapest() int {
	best := -1
	for i := range s.Points {
		if s.Meets(i) && (best < 0 || s.compare(i, best) < 0) {
			best = i
		}
	}
	return best
}

// compare returns a negative number if a point is better than another in the first goal in which their
// means differ.
func (s *Site) compare(point, other int) int {
	for _, goal := range s.Goals {
		d := cmp.Compare(s.Value(goal, point), s.Value(goal, other))
		if d != 0 {
			return -d * s.direction(goal)
		}
	}
	return 0
}

// Nearest returns the set that exceeds the limits least, in proportion to the limits.
func (s *Site) Nearest() int {
	best, least := 0, math.Inf(1)
	for i := range s.Points {
		sum := 0.0
		for _, b := range s.Broken(i) {
			sum += b.excess(b.Mean, math.NaN())
		}
		if len(s.Table().Beyond[i]) == 0 && sum < least {
			best, least = i, sum
		}
	}
	return best
}

func (s *Site) direction(goal string) int {
	if goal == SitesGoal {
		return -1
	}
	return direction(goal)
}

// Front returns the sets that no other set beats: none is better in one goal and not worse in the
// others. Differences of metrics are judged as for SweepTable.Front.
func (s *Site) Front() []int {
	t := s.Table()
	var goals []func(point, other int) int
	var metrics []int
	for _, goal := range s.Goals {
		if goal == SitesGoal {
			goals = append(goals, func(point, other int) int { return cmp.Compare(s.Value(goal, other), s.Value(goal, point)) })
		} else {
			m := slices.Index(t.Metrics, goal)
			goals, metrics = append(goals, t.better(m)), append(metrics, m)
		}
	}
	return front(slices.DeleteFunc(t.Admitted(metrics...), func(i int) bool { return len(t.Beyond[i]) > 0 }), goals...)
}

// All returns the set of all datacenters.
func (s *Site) All() int {
	return slices.IndexFunc(s.Points, func(p SweepPoint) bool { return p.Set.Is == SetAll })
}

// Saving compares the cost of a set with that of all datacenters. It is the zero Difference if the
// number of datacenters stands for the cost.
func (s *Site) Saving(point int) Difference {
	if s.Goals[0] == SitesGoal {
		return Difference{}
	}
	return s.Table().Difference(slices.Index(s.Table().Metrics, s.Goals[0]), s.All(), point)
}

// Holds judges the limits at a point with the chance of its runs; see CheckGate.
func (s *Site) Holds(point int) []LimitResult {
	runs := &Sample{Runs: s.Points[point].Runs}
	_, known := metricsOf(runs.Runs)
	return CheckGate(runs, nil, slices.DeleteFunc(slices.Clone(s.Bounds), func(l Limit) bool { return known[l.Name] == nil })).Limits
}

// WriteCSV writes a row for every set like Sweep.WriteCSV. Two further columns say which limits the set
// breaks, and whether it is on the front.
func (s *Site) WriteCSV(w io.Writer, marks func(all Choices, choice int) []string) error {
	front := s.Front()
	return s.writeCSV(w, marks, []string{"limits", "front"}, func(point int) []string {
		broken := words.Each(s.Broken(point), func(l BrokenLimit) string {
			return l.Name + " " + string(l.Kind) + " " + strconv.FormatFloat(float64(l.Bound), 'f', -1, 64)
		})
		row := []string{"met", ""}
		if len(broken) > 0 {
			row[0] = "broken: " + strings.Join(broken, "; ")
		}
		if slices.Contains(front, point) {
			row[1] = "yes"
		}
		return row
	})
}

// siteDocument is the JSON form of a Site.
type siteDocument struct {
	sweepDocument
	Goals    []string          `json:"goals"`
	Bounds   []Limit           `json:"constraints"`
	Meets    []string          `json:"meets"`    // sets that meet every limit
	Front    []string          `json:"front"`    // sets on the front
	Cheapest string            `json:"cheapest"` // "" if no set meets every limit
	Removals []removalDocument `json:"removals,omitempty"`
}

// removalDocument is the JSON form of a Removal.
type removalDocument struct {
	*Removal
	Change map[string]Optional `json:"change,omitempty"` // of the means, by metric
	Broken []string            `json:"broken,omitempty"` // limits that it breaks, by metric
}

// removal returns the JSON form of a removal from a set.
func (s *Site) removal(r *Removal, point int) (d removalDocument) {
	if d.Removal = r; r.Reason != "" {
		return d
	}
	d.Change = map[string]Optional{}
	for _, metric := range s.Table().Metrics {
		mean, _ := Of(r.Runs, metric)
		d.Change[metric] = Optional(mean - s.Value(metric, point))
	}
	d.Broken = words.Each(s.BrokenWithout(r), func(b BrokenLimit) string { return b.Name })
	return d
}

// Write writes the table of the sets as JSON.
func (s *Site) Write(w io.Writer) error {
	name := func(point int) string { return s.Points[point].Set.Name }
	d := siteDocument{sweepDocument: s.document(), Goals: s.Goals, Bounds: append([]Limit{}, s.Bounds...), Meets: []string{}, Front: words.Each(s.Front(), name)}
	for i := range s.Points {
		if s.Meets(i) {
			d.Meets = append(d.Meets, name(i))
		}
	}
	if best := s.Cheapest(); best >= 0 {
		d.Cheapest = name(best)
		for i := range s.Removals {
			d.Removals = append(d.Removals, s.removal(&s.Removals[i], best))
		}
	}
	return outcome.WriteJSON(w, d)
}

// Of returns the mean of a metric over runs, or NaN if no run has it, and its unit.
func Of(runs []*outcome.Summary, metric string) (mean float64, unit outcome.Unit) {
	_, known := metricsOf(runs)
	if f := known[metric]; f != nil {
		return f.moments.Mean, f.Unit
	}
	return math.NaN(), outcome.UnitNone
}

// BestOf returns the set of n datacenters with the best mean of a goal. There must be one.
func (s *Site) BestOf(goal string, n int) int {
	best := -1
	for i, p := range s.Points {
		isBetter := func(x, than float64) bool {
			return math.IsNaN(than) || cmp.Compare(x, than) == s.direction(goal) && !math.IsNaN(x)
		}
		if len(p.Set.Datacenters) == n && (best < 0 || isBetter(s.Value(goal, i), s.Value(goal, best))) {
			best = i
		}
	}
	return best
}
