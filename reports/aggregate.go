package reports

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Replications says of how many runs a summary is the mean, and how far to trust
// it. Runs differ in their random draws alone.
type Replications struct {
	Runs    int     `json:"runs"`
	Metrics Metrics `json:"metrics"` // of every number of the summary, by its keys: "wait_s.mean"
}

// Metric is the spread of one number over replications.
type Metric struct {
	Name string `json:"-"`
	Runs int    `json:"runs"` // that have the number: not those in which it would describe nobody
	Mean Value  `json:"mean"`
	SD   Value  `json:"sd"`   // sample standard deviation
	Low  Value  `json:"low"`  // 95 % confidence interval of the mean (Student's t);
	High Value  `json:"high"` // with a single run it is the number itself
}

// Metrics are in the order of the summary.
type Metrics []Metric

// Aggregate returns the summary whose numbers are the means of those of
// replications of one configuration.
//
// Counts are means over all runs, to 3 digits, so that what adds up in every run adds
// up in the aggregate to a few thousandths; a group that a run lacks counts 0 there.
// Statistics (means, percentiles, shares) are means over the runs that have them: one
// in which nobody was matched in a group does not say that the wait there is 0.
// What no run has is 0, and no metric.
//
// The thresholds, the run and its hashes are those of the first; the instant of the
// peak is that of the run with the highest one, the first of equals; warnings are
// those of any. It is complete if every run is.
//
// The order of results decides the order of sums: give them by run number, whatever
// finished first. No results are a fault of the program.
func Aggregate(results []*Result) *Summary {
	if len(results) == 0 {
		panic("reports: an aggregate of no results")
	}
	m, total := &averager{}, results[0].Summary
	summaries := make([]reflect.Value, len(results))
	for i, r := range results {
		summaries[i] = reflect.ValueOf(r.Summary.withGaps()).Elem()
	}
	m.value("", summaries, reflect.ValueOf(&total).Elem())
	total.Warnings = []string{}
	highest := &results[0].Summary.CCU
	for _, r := range results {
		if ccu := &r.Summary.CCU; ccu.Peak > highest.Peak {
			highest = ccu
		}
		total.Complete = total.Complete && r.Summary.Complete
		for _, warning := range r.Summary.Warnings {
			if !slices.Contains(total.Warnings, warning) {
				total.Warnings = append(total.Warnings, warning)
			}
		}
	}
	total.CCU.PeakAt = highest.PeakAt
	total.Replications = &Replications{Runs: len(results), Metrics: m.metrics}
	return &total
}

// averager walks over the same place of several summaries at once.
type averager struct{ metrics Metrics }

// value sets mean to the mean of the values of one place, and notes their spread
// under its path. What is no number keeps the value it has.
func (m *averager) value(path string, values []reflect.Value, mean reflect.Value) {
	switch mean.Kind() {
	case reflect.Int: // of the inputs, which are those of every run
		m.number(path, values, mean.Type(), func(v reflect.Value) float64 { return float64(v.Int()) })
	case reflect.Float64:
		mean.SetFloat(m.number(path, values, mean.Type(), reflect.Value.Float))
	case reflect.Struct:
		m.fields(path, values, mean)
	case reflect.Pointer: // a block that every run has or none
		if !mean.IsNil() {
			block := reflect.New(mean.Type().Elem())
			block.Elem().Set(mean.Elem())
			mean.Set(block)
			m.value(path, each(values, reflect.Value.Elem), mean.Elem())
		}
	case reflect.Slice:
		if mean.Type().Elem().Kind() == reflect.Struct && !mean.IsNil() { // nil: a block that no run has
			m.list(path, values, mean)
		}
	}
}

// noMetrics are the keys of what is the same in every run, or has no mean; see metricKey.
var noMetrics = []string{"-", "schema", "run", "thresholds_ms", "peak_at_s", "window_s"}

// fields averages structs field by field. Fields that say which run it is, limits,
// instants and positions are no metrics.
func (m *averager) fields(path string, structs []reflect.Value, mean reflect.Value) {
	for i := range mean.NumField() {
		if key, is := metricKey(mean.Type().Field(i)); is {
			m.value(join(path, key), each(structs, func(v reflect.Value) reflect.Value { return v.Field(i) }), mean.Field(i))
		}
	}
}

// metricKey returns the key of a field in JSON, and whether it stands for numbers of a
// run: not which run it is, limits, instants and positions, nor what is not written.
func metricKey(field reflect.StructField) (key string, is bool) {
	key, _, _ = strings.Cut(field.Tag.Get("json"), ",")
	return key, field.IsExported() && !slices.Contains(noMetrics, key) && field.Type != reflect.TypeFor[Degrees]()
}

// list averages named items by name and others by position, in the order in which
// they appear first. An item that a run lacks has no statistics there, and counts 0.
func (m *averager) list(path string, lists []reflect.Value, mean reflect.Value) {
	var keys []string
	items := map[string][]reflect.Value{}
	first := map[string]reflect.Value{}
	for run, list := range lists {
		for i := range list.Len() {
			key := itemKey(list.Index(i), i)
			if items[key] == nil {
				keys = append(keys, key)
				items[key], first[key] = lacking(mean.Type().Elem(), len(lists)), list.Index(i)
			}
			items[key][run] = list.Index(i)
		}
	}
	mean.Set(reflect.MakeSlice(mean.Type(), len(keys), len(keys)))
	for i, key := range keys {
		mean.Index(i).Set(first[key])
		m.value(join(path, key), items[key], mean.Index(i))
	}
}

// lacking returns items of one kind as runs have them that lack the item. Of a part of
// a whole they have 0, so that shares go on to add up to 1.
func lacking(kind reflect.Type, runs int) []reflect.Value {
	item := reflect.New(kind).Elem()
	if kind != reflect.TypeFor[Part]() {
		gap(item)
	}
	return slices.Repeat([]reflect.Value{item}, runs)
}

// number notes the spread of one number and returns its mean, rounded as such a
// number is. Runs in which it describes nobody are left out; if it does so in all of
// them there is nothing to note, and the mean is 0.
func (m *averager) number(path string, values []reflect.Value, number reflect.Type, float func(reflect.Value) float64) float64 {
	xs := make([]float64, 0, len(values))
	for _, v := range values {
		if x := float(v); !math.IsNaN(x) {
			xs = append(xs, x)
		}
	}
	if len(xs) == 0 {
		return 0
	}
	mean, sd, margin := stat.Mean(xs, nil), 0.0, 0.0
	if n := float64(len(xs)); n > 1 {
		sd = stat.StdDev(xs, nil)
		margin = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	}
	rounded := value // finer than the number itself, so that the mean lies in its interval
	if number == reflect.TypeFor[Count]() {
		rounded = func(x float64) Value { return Value(count(x)) }
	}
	m.metrics = append(m.metrics, Metric{path, len(xs), rounded(mean), rounded(sd), rounded(mean - margin), rounded(mean + margin)})
	return roundedAs(number, mean)
}

// roundedAs rounds to the digits of a number of results.
func roundedAs(number reflect.Type, x float64) float64 {
	switch number {
	case reflect.TypeFor[int](), reflect.TypeFor[Count]():
		return float64(count(x))
	case reflect.TypeFor[Seconds]():
		return float64(seconds(x))
	case reflect.TypeFor[Millis]():
		return float64(millis(x))
	case reflect.TypeFor[Share]():
		return float64(share(x))
	case reflect.TypeFor[Average]():
		return float64(average(x))
	case reflect.TypeFor[Value]():
		return float64(value(x))
	}
	panic(fmt.Sprintf("reports: %v is no number of a result", number))
}

func each(values []reflect.Value, of func(reflect.Value) reflect.Value) []reflect.Value {
	parts := make([]reflect.Value, len(values))
	for i, v := range values {
		parts[i] = of(v)
	}
	return parts
}

// join extends a path of keys; an embedded struct has no key of its own.
func join(path, key string) string {
	if path == "" || key == "" {
		return path + key
	}
	return path + "." + key
}
