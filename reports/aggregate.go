package reports

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
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
	Mean Value  `json:"mean"`
	SD   Value  `json:"sd"`   // sample standard deviation
	Low  Value  `json:"low"`  // 95 % confidence interval of the mean (Student's t);
	High Value  `json:"high"` // with a single run it is the number itself
}

// Metrics are in the order of the summary.
type Metrics []Metric

// Aggregate returns the summary whose numbers are the means of those of
// replications of one configuration, counts rounded to whole ones. A group that some
// runs lack is the mean of those that have it. The run and its hashes are those of
// the first; warnings are those of any. It is complete if every run is.
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
		summaries[i] = reflect.ValueOf(&r.Summary).Elem()
	}
	m.value("", summaries, reflect.ValueOf(&total).Elem())
	total.Warnings = []string{}
	for _, r := range results {
		total.Complete = total.Complete && r.Summary.Complete
		for _, warning := range r.Summary.Warnings {
			if !slices.Contains(total.Warnings, warning) {
				total.Warnings = append(total.Warnings, warning)
			}
		}
	}
	total.Replications = &Replications{Runs: len(results), Metrics: m.metrics}
	return &total
}

// averager walks over the same place of several summaries at once.
type averager struct{ metrics Metrics }

// value sets mean to the mean of the values of one place, and notes their spread
// under its path. What is no number keeps the value it has.
func (m *averager) value(path string, values []reflect.Value, mean reflect.Value) {
	switch mean.Kind() {
	case reflect.Int:
		x := m.number(path, values, func(v reflect.Value) float64 { return float64(v.Int()) })
		mean.SetInt(int64(math.Round(x)))
	case reflect.Float64:
		x := m.number(path, values, reflect.Value.Float)
		mean.SetFloat(roundedAs(mean.Type(), x))
	case reflect.Struct:
		m.fields(path, values, mean)
	case reflect.Pointer: // a block that every run has or none
		if !mean.IsNil() {
			mean.Set(reflect.New(mean.Type().Elem()))
			m.value(path, each(values, reflect.Value.Elem), mean.Elem())
		}
	case reflect.Slice:
		if mean.Type().Elem().Kind() == reflect.Struct {
			m.list(path, values, mean)
		}
	}
}

// fields averages structs field by field. Fields that say which run it is, and
// positions, are no metrics.
func (m *averager) fields(path string, structs []reflect.Value, mean reflect.Value) {
	for i := range mean.NumField() {
		field := mean.Type().Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if key == "-" || key == "schema" || key == "run" || field.Type == reflect.TypeFor[Degrees]() {
			continue
		}
		m.value(join(path, key), each(structs, func(v reflect.Value) reflect.Value { return v.Field(i) }), mean.Field(i))
	}
}

// list averages named items by name and others by position, in the order in which
// they appear first.
func (m *averager) list(path string, lists []reflect.Value, mean reflect.Value) {
	var keys []string
	items := map[string][]reflect.Value{}
	for _, list := range lists {
		for i := range list.Len() {
			key := list.Index(i).FieldByName("Name").String()
			if key == "" {
				key = strconv.Itoa(i)
			}
			if items[key] == nil {
				keys = append(keys, key)
			}
			items[key] = append(items[key], list.Index(i))
		}
	}
	mean.Set(reflect.MakeSlice(mean.Type(), len(keys), len(keys)))
	for i, key := range keys {
		mean.Index(i).Set(items[key][0])
		m.value(join(path, key), items[key], mean.Index(i))
	}
}

// number notes the spread of one number and returns its mean.
func (m *averager) number(path string, values []reflect.Value, float func(reflect.Value) float64) float64 {
	xs := make([]float64, len(values))
	for i, v := range values {
		xs[i] = float(v)
	}
	mean, sd, margin := stat.Mean(xs, nil), 0.0, 0.0
	if n := float64(len(xs)); n > 1 {
		sd = stat.StdDev(xs, nil)
		margin = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	}
	m.metrics = append(m.metrics, Metric{path, value(mean), value(sd), value(mean - margin), value(mean + margin)})
	return mean
}

// roundedAs rounds to the digits of a number of results.
func roundedAs(number reflect.Type, x float64) float64 {
	switch number {
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
