package outcome

import (
	"math"
	"reflect"
	"slices"
	"strings"
)

// A MetricValue is a metric with its value in one summary. Its names have the keys of groups in
// place of stars.
type MetricValue struct {
	Metric
	Value   float64       // NaN if it was not measured
	Instant *Seconds      // if the metric is an extremum, the time at which it was reached; nil if unknown
	at      reflect.Value // in the summary
}

// MetricValues lists the metrics of a summary, with their values, in the order of the file.
func (s *Summary) MetricValues() (list []MetricValue) {
	schema().values(reflect.ValueOf(s).Elem(), nil, &list)
	return list
}

// MarkUnmeasured sets every statistic to NaN that is 0 because it describes nobody: its base is 0. A
// statistic other than 0 was measured even if its base is 0, because the base may miss a few players.
func (s *Summary) MarkUnmeasured() {
	list := s.MetricValues()
	values := make(map[string]float64, len(list))
	for i := range list {
		values[list[i].Name] = list[i].Value
	}
	for i := range list {
		if v := &list[i]; v.Base != "" && v.Value == 0 && !v.isCount() {
			if first, second, _ := strings.Cut(v.Base, " - "); values[first]-values[second] == 0 {
				v.at.SetFloat(math.NaN())
			}
		}
	}
}

// isCount reports whether the number is a count. A count without players is 0, not missing.
func (v *MetricValue) isCount() bool {
	return !v.at.CanFloat() || v.at.Type() == reflect.TypeFor[Count]()
}

// values adds the metrics of a value. keys has the keys that belong in place of the stars in names.
func (n *node) values(v reflect.Value, keys []string, list *[]MetricValue) {
	for _, m := range n.members {
		value := m.in(v)
		if !value.IsValid() {
			continue
		}
		m.values(value, keys, list)
		if m.instant != nil {
			if at := m.instant.in(v); at.IsValid() {
				(*list)[len(*list)-1].Instant = at.Addr().Interface().(*Seconds)
			}
		}
	}
	switch {
	case n.isMetric:
		*list = append(*list, MetricValue{Metric: n.Metric.of(keys), Value: number(v), at: v})
	case n.hasBlocks():
		for i := range v.Len() {
			key, body := n.itemAt(v, i)
			item, stars := n.familyOf(key)
			item.values(body, slices.Concat(keys, stars), list)
		}
	}
}

// number returns the value of a number of any type.
func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}
