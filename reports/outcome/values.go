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
	Value   float64  // NaN if it was not measured
	Instant *Seconds // if the metric is an extremum, the time at which it was reached; nil if unknown
}

// MetricValues lists the metrics of a summary, with their values, in the order of the file.
func (s *Summary) MetricValues() []MetricValue {
	leaves := leavesOf(s)
	list := make([]MetricValue, len(leaves))
	for i := range leaves {
		l := &leaves[i]
		list[i] = MetricValue{l.Metric, l.number(), l.instant}
	}
	return list
}

// MarkUnmeasured sets every statistic to NaN that is 0 because it describes nobody: its base is 0. A
// statistic other than 0 was measured even if its base is 0, because the base may miss a few players.
func (s *Summary) MarkUnmeasured() {
	leaves := leavesOf(s)
	values := make(map[string]float64, len(leaves))
	for i := range leaves {
		values[leaves[i].Name] = leaves[i].number()
	}
	for i := range leaves {
		if l := &leaves[i]; l.Base != "" && l.number() == 0 && !l.isCount() {
			if first, second, _ := strings.Cut(l.Base, " - "); values[first]-values[second] == 0 {
				l.at.SetFloat(math.NaN())
			}
		}
	}
}

// leaf is one number in a summary.
type leaf struct {
	Metric
	at      reflect.Value
	instant *Seconds // see MetricValue
}

func (l *leaf) number() float64 {
	switch {
	case l.at.CanInt():
		return float64(l.at.Int())
	case l.at.CanUint():
		return float64(l.at.Uint())
	}
	return l.at.Float()
}

// isCount reports whether the number is a count. A count without players is 0, not missing.
func (l *leaf) isCount() bool {
	return !l.at.CanFloat() || l.at.Type() == reflect.TypeFor[Count]()
}

// leavesOf lists the numbers of a summary that are metrics.
func leavesOf(s *Summary) []leaf {
	var leaves []leaf
	schema().leaves(reflect.ValueOf(s).Elem(), nil, &leaves)
	return leaves
}

// leaves adds the metrics of a value. keys has the keys that belong in place of the stars in names.
func (n *node) leaves(v reflect.Value, keys []string, list *[]leaf) {
	for _, m := range n.members {
		value := m.in(v)
		if !value.IsValid() {
			continue
		}
		m.leaves(value, keys, list)
		if m.instant != nil {
			if at := m.instant.in(v); at.IsValid() {
				(*list)[len(*list)-1].instant = at.Addr().Interface().(*Seconds)
			}
		}
	}
	switch {
	case n.isMetric:
		*list = append(*list, leaf{Metric: n.Metric.of(keys), at: v})
	case n.hasBlocks():
		for i := range v.Len() {
			key, body := n.itemAt(v, i)
			item, stars := n.familyOf(key)
			item.leaves(body, slices.Concat(keys, stars), list)
		}
	}
}
