package outcome

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A MetricValue is a metric with its value in one summary. Its names have the keys of groups in
// place of stars.
type MetricValue struct {
	Metric
	Value   float64  // NaN if the metric describes no player
	Instant *Seconds // if the metric is an extremum, the time at which it was reached; nil if unknown
}

// MetricValues lists the metrics of a summary, with their values, in the order of the file.
func (s *Summary) MetricValues() []MetricValue {
	leaves := leavesOf(s)
	list := make([]MetricValue, len(leaves))
	values := make(map[string]float64, len(leaves))
	for i := range leaves {
		l := &leaves[i]
		list[i] = MetricValue{l.Metric, l.number(), l.instant}
		values[l.Name] = list[i].Value
	}
	// A statistic that is 0 because its base is 0 was not measured, so its value becomes NaN. A
	// statistic other than 0 was measured even if its base is 0: the base may miss a few players,
	// or an aggregate may have rounded it to 0.
	for i := range list {
		v := &list[i]
		if v.Base == "" || v.Value != 0 || leaves[i].isCount() {
			continue
		}
		first, second, _ := strings.Cut(v.Base, " - ")
		if values[first]-values[second] == 0 {
			v.Value = math.NaN()
		}
	}
	return list
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
	w := walker{declared: declared().byName}
	w.fields("", nil, reflect.ValueOf(s).Elem())
	return w.leaves
}

// walker visits the numbers of a summary by their JSON keys. Its methods receive a path, the name
// of a declared metric with stars, and the keys that belong in place of the stars.
type walker struct {
	declared map[string]*Metric
	leaves   []leaf
}

func (w *walker) fields(path string, keys []string, v reflect.Value) {
	for _, f := range walkedFields(v.Type()) {
		if value := v.Field(f.index); !f.isInstant {
			w.value(join(path, f.key), keys, value, f.better)
		} else if at := reflect.Indirect(value); at.IsValid() { // the extremum is the previous field
			w.leaves[len(w.leaves)-1].instant = at.Addr().Interface().(*Seconds)
		}
	}
}

// A walkedField is a field of a struct that a walker visits.
type walkedField struct {
	index     int
	key       string
	better    Better
	isInstant bool // the time of the extremum in the previous field
}

// walkedByType has the fields of each type, because reading tags takes half of the time of a walk.
var walkedByType sync.Map

func walkedFields(t reflect.Type) []walkedField {
	if known, ok := walkedByType.Load(t); ok {
		return known.([]walkedField)
	}
	var list []walkedField
	for i := range t.NumField() {
		field := t.Field(i)
		if isInstant := field.Tag.Get("instant") != ""; isInstant || holdsMetrics(field) {
			list = append(list, walkedField{i, keyOf(field), Better(field.Tag.Get("better")), isInstant})
		}
	}
	walkedByType.Store(t, list)
	return list
}

// value visits the value of a field. better is the field's tag.
func (w *walker) value(path string, keys []string, v reflect.Value, better Better) {
	switch {
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			w.value(path, keys, v.Elem(), better)
		}
	case v.Kind() == reflect.Struct:
		w.fields(path, keys, v)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			key := itemKey(v.Index(i), i)
			for _, family := range families(better) {
				if own, is := starred(family.keys, key); is {
					w.fields(join(path, family.keys), slices.Concat(keys, own), v.Index(i))
					break
				}
			}
		}
	case isNumber(v.Type()):
		w.leaves = append(w.leaves, leaf{Metric: w.declared[path].of(keys), at: v})
	}
}

// itemKey returns the key of a list item: its name, or its index if it has no name.
func itemKey(item reflect.Value, index int) string {
	if item.Kind() == reflect.Struct {
		if name := item.FieldByName("Name"); name.IsValid() && name.String() != "" {
			return name.String()
		}
	}
	return strconv.Itoa(index)
}
