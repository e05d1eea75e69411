package outcome

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Replications describes the runs of which a summary is the mean, and the uncertainty of the
// means. The runs differ only in their random numbers.
type Replications struct {
	Runs    int     `json:"runs"`
	Metrics Spreads `json:"metrics"` // of every metric of the summary, by its name
}

// Spread describes how much one metric differs between replications.
type Spread struct {
	Name string `json:"-"`
	Runs int    `json:"runs"` // number of runs that have the metric: those with players that it describes
	Mean Value  `json:"mean"`
	SD   Value  `json:"sd" range:"from 0"` // sample standard deviation
	Low  Value  `json:"low"`               // 95 % confidence interval of the mean (Student's t);
	High Value  `json:"high"`              // with a single run it is the metric itself
}

// Member implements the interface of items of an Object.
func (s *Spread) Member() (*string, any) { return &s.Name, s }

// Spreads are in the order of the summary.
type Spreads = Object[Spread]

// Aggregate returns a summary whose metrics are the means over replications of one
// configuration.
//
// Counts are means over all runs, with 3 digits, so that counts that add up in every run add up
// in the aggregate to a few thousandths; a group that a run lacks counts as 0 there. Statistics
// (means, percentiles, shares) are means over the runs that have them: a run without matched
// players in a group does not mean that the wait there is 0. A metric that no run has is 0 and
// has no spread.
//
// The thresholds, the run and its hashes are those of the first run; the instant of an extremum
// is that of the run with the highest value, the first one if values are equal; warnings are those
// of all runs. The aggregate is complete if every run is.
//
// The order of runs determines the order of floating-point sums: pass them by run number, not in
// the order in which they finished. Aggregate panics if there are no runs.
func Aggregate(runs []*Summary) *Summary {
	if len(runs) == 0 {
		panic("outcome: an aggregate of no runs")
	}
	same := make([]reflect.Value, len(runs))
	for i, run := range runs {
		same[i] = reflect.ValueOf(run).Elem()
	}
	total := union(same).Interface().(Summary)
	total.Replications = &Replications{Runs: len(runs), Metrics: average(runs, &total)}
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

// union returns a copy of the first of some values of one type. Its lists have the items of all
// values, in the order in which they first appear; items are matched by name or, if they have
// none, by index. The instant of an extremum is that of the highest one.
func union(values []reflect.Value) reflect.Value {
	t := values[0].Type()
	whole := reflect.New(t).Elem()
	whole.Set(values[0])
	switch {
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			of := values
			if extremum := t.Field(i).Tag.Get("instant"); extremum != "" {
				of = []reflect.Value{highest(values, extremum)}
			}
			whole.Field(i).Set(union(each(of, func(v reflect.Value) reflect.Value { return v.Field(i) })))
		}
	case t.Kind() == reflect.Pointer:
		values = slices.DeleteFunc(slices.Clone(values), reflect.Value.IsNil)
		if len(values) > 0 {
			whole.Set(reflect.New(t.Elem()))
			whole.Elem().Set(union(each(values, reflect.Value.Elem)))
		}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		var keys []string
		items := map[string][]reflect.Value{}
		for _, list := range values {
			for i := range list.Len() {
				key := itemKey(list.Index(i), i)
				if items[key] == nil {
					keys = append(keys, key)
				}
				items[key] = append(items[key], list.Index(i))
			}
		}
		if len(keys) > 0 {
			whole.Set(reflect.MakeSlice(t, 0, len(keys)))
		}
		for _, key := range keys {
			whole.Set(reflect.Append(whole, union(items[key])))
		}
	}
	return whole
}

// highest returns the struct whose member of a key is highest, the first one if some are equal.
func highest(values []reflect.Value, key string) reflect.Value {
	of := func(v reflect.Value) float64 {
		for field, value := range v.Fields() {
			if value := reflect.Indirect(value); keyOf(field) == key && value.IsValid() {
				return value.Float()
			}
		}
		return math.Inf(-1) // the run lacks it
	}
	first := values[0]
	for _, v := range values {
		if of(v) > of(first) {
			first = v
		}
	}
	return first
}

func each(values []reflect.Value, of func(reflect.Value) reflect.Value) []reflect.Value {
	parts := make([]reflect.Value, len(values))
	for i, v := range values {
		parts[i] = of(v)
	}
	return parts
}

// average sets the metrics of a union of runs to the means over the runs, and returns
// their spreads.
func average(runs []*Summary, total *Summary) Spreads {
	byRun := make([]map[string]float64, len(runs))
	for i, run := range runs {
		byRun[i] = map[string]float64{}
		for _, v := range run.MetricValues() {
			byRun[i][v.Name] = v.Value
		}
	}
	spreads := Spreads{}
	for _, l := range leavesOf(total) {
		xs := make([]float64, 0, len(runs))
		for _, values := range byRun {
			x, has := values[l.Name]
			switch {
			case !has && !l.isCount() && l.Whole == "": // the run lacks the group
			case !math.IsNaN(x):
				xs = append(xs, x)
			}
		}
		if s, has := l.average(xs); has {
			spreads = append(spreads, s)
		}
	}
	return spreads
}

// average sets a metric to the mean of its values in the runs that have it, rounded to the digits
// of the quantity. If no run has it, the metric is 0 and has no spread.
func (l *leaf) average(xs []float64) (s Spread, has bool) {
	if len(xs) == 0 {
		l.at.SetFloat(0)
		return s, false
	}
	mean, sd, margin := stat.Mean(xs, nil), 0.0, 0.0
	if n := float64(len(xs)); n > 1 {
		sd = stat.StdDev(xs, nil)
		margin = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	}
	rounded := RoundValue // finer than the quantity itself, so that the mean lies in its interval
	if l.at.Type() == reflect.TypeFor[Count]() {
		rounded = func(x float64) Value { return Value(RoundCount(x)) }
	}
	if l.at.CanFloat() { // other numbers describe the inputs, which are the same for every run
		l.at.SetFloat(roundedAs(l.at.Type(), mean))
	}
	return Spread{l.Name, len(xs), rounded(mean), rounded(sd), rounded(mean - margin), rounded(mean + margin)}, true
}

// roundedAs rounds to the digits of a quantity of results.
func roundedAs(quantity reflect.Type, x float64) float64 {
	switch quantity {
	case reflect.TypeFor[Count]():
		return float64(RoundCount(x))
	case reflect.TypeFor[Seconds]():
		return float64(RoundSeconds(x))
	case reflect.TypeFor[Millis]():
		return float64(RoundMillis(x))
	case reflect.TypeFor[Share]():
		return float64(RoundShare(x))
	case reflect.TypeFor[Average]():
		return float64(RoundAverage(x))
	case reflect.TypeFor[Value]():
		return float64(RoundValue(x))
	}
	panic(fmt.Sprintf("outcome: %v is no quantity of a result", quantity))
}
