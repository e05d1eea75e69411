package outcome

import (
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Replications describes the runs that an aggregate summary averages, and how uncertain each mean
// is. The runs differ only in their random numbers.
type Replications struct {
	Runs    int     `json:"runs"`
	Joins   Joins   `json:"joins,omitempty"`
	Metrics Spreads `json:"metrics"` // one for every metric that at least one run has
}

// Spread describes how much one metric varies between runs.
type Spread struct {
	Name string `json:"-"`
	Runs int    `json:"runs"` // runs in which at least one player has the metric
	Mean Value  `json:"mean"`
	SD   Value  `json:"sd" range:"from 0"` // sample standard deviation
	// Low to High is the 95 % confidence interval of the mean (Student's t). It is null if there is
	// only one run, if no run differs from another, which says nothing about chance, or if some of
	// the runs do not have the metric: the runs without it are not like the others, so the interval
	// would be too narrow.
	Low  *Value `json:"low"`
	High *Value `json:"high"`
}

// Interval returns Low and High, or NaNs if they are null.
func (s *Spread) Interval() (low, high float64) {
	if s.Low == nil || s.High == nil {
		return math.NaN(), math.NaN()
	}
	return float64(*s.Low), float64(*s.High)
}

// Spreads is a list of spreads in the order of the summary's metrics.
type Spreads = Object[Spread]

// Joins says how the players of one run are related to those of the other runs of a configuration,
// and so what the differences between the runs show. It is empty if every run has new joins, as on
// the built-in day: the runs then differ like days. It is also empty if that is unknown.
type Joins string

// Values of Joins.
const (
	// JoinsReplayed means that all runs replay the joins of one file. They show how much chance in
	// matchmaking changes the results of that day, and nothing about other days.
	JoinsReplayed Joins = "replayed"

	// JoinsResampled means that every run takes each party of a file a random number of times; see
	// Run.Resample. The runs differ like days from which the file could be one.
	JoinsResampled Joins = "resampled"
)

// Words lists the values for readers of files.
func (Joins) Words() []string { return []string{string(JoinsReplayed), string(JoinsResampled)} }

// Aggregate returns a summary whose metrics are the means over several runs of one configuration.
//
// A count is the mean over all runs, rounded to 3 digits. Counts that add up in every run
// therefore add up in the aggregate to within a few thousandths. A group that is missing from a
// run counts as 0 in that run. Any other metric (a mean, percentile or share) is the mean over
// the runs that have it: if nobody in a group was matched in one run, that run does not pull the
// group's mean wait towards 0. A metric that no run has was not measured and has no Spread.
//
// The thresholds and the identity of the run, hashes included, are those of the first run. The
// time of a peak is that of the run with the highest peak, or the first such run. Warnings of all
// runs are kept, each once. The aggregate is complete if every run is.
//
// The order of the runs determines the order in which floating-point numbers are added, so pass them by
// run number, not in the order in which they finished. Aggregate panics if there are no runs.
func Aggregate(runs []*Summary) *Summary {
	if len(runs) == 0 {
		panic("outcome: an aggregate of no runs")
	}
	total := *runs[0]
	values := make([]reflect.Value, len(runs))
	for i, run := range runs {
		values[i] = reflect.ValueOf(run).Elem()
	}
	schema().unite(reflect.ValueOf(&total).Elem(), values)
	total.Replications = &Replications{Runs: len(runs), Joins: JoinsOf(runs)}
	total.Replications.Metrics = average(runs, &total)
	total.Warnings = []string{}
	for _, run := range runs {
		total.Complete = total.Complete && run.Complete
		for _, warning := range run.Warnings {
			if !slices.Contains(total.Warnings, warning) {
				total.Warnings = append(total.Warnings, warning)
			}
		}
	}
	return &total
}

// JoinsOf returns how the joins of runs of one configuration are related. runs may also be a single
// aggregate. Runs have replayed the same file if their hashes of the dataset are equal, because the
// hash of a built-in day covers the joins that were drawn for the run.
func JoinsOf(runs []*Summary) Joins {
	switch {
	case len(runs) == 1 && runs[0].Replications != nil:
		return runs[0].Replications.Joins
	case len(runs) < 2:
		return ""
	}
	resampled, replayed := true, true
	first := runs[0].Run.DatasetSHA256
	for _, s := range runs {
		resampled = resampled && s.Run.Resample
		replayed = replayed && first != "" && s.Run.DatasetSHA256 == first
	}
	switch {
	case resampled:
		return JoinsResampled
	case replayed:
		return JoinsReplayed
	}
	return ""
}

// unite makes whole, a copy of the first value, the union of values of a node: its lists have the items
// of all values, in order of first appearance. Items are matched by their keys. The time of an extremum
// is taken from the value in which the extremum is highest.
func (n *node) unite(whole reflect.Value, values []reflect.Value) {
	for _, m := range n.members {
		blocks := values
		if m.extremum != nil {
			blocks = m.extremum.highest(values)
		}
		var of []reflect.Value
		for _, block := range blocks {
			if v := m.in(block); v.IsValid() {
				of = append(of, v)
			}
		}
		if len(of) == 0 {
			continue
		}
		if m.isPointer {
			whole.FieldByIndex(m.index).Set(reflect.New(m.of))
		}
		m.in(whole).Set(of[0])
		m.unite(m.in(whole), of)
	}
	if n.hasBlocks() {
		n.uniteItems(whole, values)
	}
}

// uniteItems makes whole the union of lists.
func (n *node) uniteItems(whole reflect.Value, lists []reflect.Value) {
	var keys []string
	bodies := map[string][]reflect.Value{}
	union := reflect.MakeSlice(n.of, 0, whole.Len())
	for _, list := range lists {
		for i := range list.Len() {
			key, body := n.itemAt(list, i)
			if bodies[key] == nil {
				keys = append(keys, key)
				union = reflect.Append(union, list.Index(i))
			}
			bodies[key] = append(bodies[key], body)
		}
	}
	for i, key := range keys {
		_, body := n.itemAt(union, i)
		item, _ := n.familyOf(key)
		item.unite(body, bodies[key])
	}
	if len(keys) > 0 {
		whole.Set(union)
	}
}

// highest returns the block in which a metric is highest, or the first of them if several are equal. A
// block without the metric comes last.
func (n *node) highest(blocks []reflect.Value) []reflect.Value {
	value := func(block reflect.Value) float64 {
		if v := n.in(block); v.IsValid() {
			return v.Float()
		}
		return math.Inf(-1)
	}
	first := blocks[0]
	for _, block := range blocks {
		if value(block) > value(first) {
			first = block
		}
	}
	return []reflect.Value{first}
}

// average sets every metric of total, the union of the runs, to its mean over the runs. It
// returns the spreads.
func average(runs []*Summary, total *Summary) Spreads {
	byRun := make([]map[string]float64, len(runs))
	for i, run := range runs {
		byRun[i] = map[string]float64{}
		for _, v := range run.MetricValues() {
			byRun[i][v.Name] = v.Value
		}
	}
	spreads := Spreads{}
	for _, metric := range total.MetricValues() {
		xs := make([]float64, 0, len(runs))
		for _, values := range byRun {
			x, has := values[metric.Name]
			switch {
			case !has && !metric.isCount() && metric.Whole == "": // skip the run: it does not have the group
			case !math.IsNaN(x):
				xs = append(xs, x)
			}
		}
		if s, has := metric.average(xs); has {
			if len(xs) == len(runs) {
				s.Low, s.High = metric.interval(xs, total.Replications.Joins)
			}
			spreads = append(spreads, s)
		}
	}
	return spreads
}

// average sets the metric to the mean of xs, its values in the runs that have it, rounded like
// the metric itself. If xs is empty, the metric was not measured and has no spread.
func (v *MetricValue) average(xs []float64) (s Spread, has bool) {
	if len(xs) == 0 {
		v.at.SetFloat(math.NaN())
		return s, false
	}
	mean, sd := stat.Mean(xs, nil), 0.0
	if len(xs) > 1 {
		sd = stat.StdDev(xs, nil)
	}
	if v.at.CanFloat() { // an integer keeps its value: it describes the inputs, which are the same for every run
		v.at.SetFloat(quantityOf(v.at.Type()).round(mean))
	}
	return Spread{Name: v.Name, Runs: len(xs), Mean: v.rounded(mean), SD: v.rounded(sd)}, true
}

// interval returns the 95 % confidence interval of the mean of xs. It returns nil for a single
// value and for equal values.
//
// Runs that resample a file (see JoinsResampled) are centred on that file instead of the law of the
// day. The file itself deviates from the law about as much as one run deviates from the file, so
// the variance of a single run is added to that of the mean.
func (v *MetricValue) interval(xs []float64, joins Joins) (low, high *Value) {
	n := float64(len(xs))
	if slices.Min(xs) == slices.Max(xs) {
		return nil, nil
	}
	mean, sd := stat.MeanStdDev(xs, nil)
	margin := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	if joins == JoinsResampled {
		margin *= math.Sqrt(n + 1) // from sd²/n to sd²/n + sd²
	}
	return new(v.rounded(mean - margin)), new(v.rounded(mean + margin))
}

// rounded rounds a statistic of the metric: a count like a count, and any other finer than the
// metric's own digits, so that the mean lies in its interval.
func (v *MetricValue) rounded(x float64) Value {
	if v.at.Type() == reflect.TypeFor[Count]() {
		return Value(RoundCount(x))
	}
	return RoundValue(x)
}
