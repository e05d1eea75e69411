package outcome

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Metric is one number of a summary, named by the path of its keys. A name with stars is a
// family of numbers: a star replaces the key of an item.
type Metric struct {
	Name   string // "wait_s.p95", "by_continent.*.rtt_p95_ms"
	Unit   Unit
	Better Better
	// Base names the metric that counts what this one describes, or two metrics whose
	// difference does, as "a - b". If that is 0, the metric has no value. "": 0 is a value
	// like any other.
	Base string
	// Whole names the block of a list of parts that add up to a whole. A summary with the
	// block but without the part has 0 of it. "": the metric is not of a part.
	Whole   string
	When    string // what runs with the metric have, such as "several queues"; "": all runs have it
	Meaning string // one sentence, without a full stop
}

// Unit is the unit of a metric: "s", "ms", "%", what it counts ("players", "matches"), or "" if
// the unit is unknown.
type Unit string

// Units that are not counts.
const (
	UnitNone    Unit = ""
	UnitSeconds Unit = "s"
	UnitMillis  Unit = "ms"
	UnitShare   Unit = "%" // fractions of 1, shown in percent
)

// unitPlayers is the unit of metrics that count players.
const unitPlayers Unit = "players"

// Sign returns the sign that follows a number in this unit, "" if there is none.
func (u Unit) Sign() string {
	switch u {
	case UnitSeconds, UnitMillis, UnitShare:
		return string(u)
	}
	return ""
}

// Better is the direction in which a metric improves.
type Better string

// Directions. A metric without one (the number of matches, the peak of CCU) is neither better nor
// worse by itself.
const (
	BetterLower  Better = "lower"
	BetterHigher Better = "higher"
	BetterNot    Better = ""
)

// Metrics lists the declared metrics in the order of summary.json. It is read-only.
func Metrics() []Metric { return declared().metrics }

// Names lists the names of metrics.
func Names(metrics []Metric) []string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = m.Name
	}
	return names
}

// Find returns the metric of a name, with the name's own keys in place of stars.
func Find(name string) (Metric, bool) {
	for _, m := range Metrics() {
		if keys, is := starred(m.Name, name); is {
			return m.of(keys), true
		}
	}
	return Metric{}, false
}

// BetterOf returns the direction of a metric, none if there is no such metric.
func BetterOf(name string) Better {
	m, _ := Find(name)
	return m.Better
}

// of returns a metric of a family with keys in place of its stars. Base and Whole name blocks
// around the metric, so the first keys apply to them.
func (m Metric) of(keys []string) Metric {
	if len(keys) > 0 {
		m.Name, m.Base, m.Whole = fill(m.Name, keys), fill(m.Base, keys), fill(m.Whole, keys)
	}
	return m
}

// PlayersOf returns the name of the metric that counts the players whom a metric describes: its
// base, or else players or count in the same block; "" if there is none.
func PlayersOf(name string) string {
	m, is := Find(name)
	if !is {
		return ""
	}
	block := name[:strings.LastIndexByte(name, '.')+1]
	for _, candidate := range []string{m.Base, block + "players", block + "count"} {
		if of, is := Find(candidate); is && of.Unit == unitPlayers {
			return candidate
		}
	}
	return ""
}

// IsGroup reports whether a metric belongs to a group: a datacenter, continent, hour, party size
// or decile.
func IsGroup(name string) bool { return strings.HasPrefix(name, "by_") }

// declarations holds the metrics that the tags of Summary declare.
type declarations struct {
	runs    *Expected // whose metrics are listed; nil: all
	metrics []Metric
	byName  map[string]*Metric
}

var declared = sync.OnceValue(func() *declarations {
	d := &declarations{byName: map[string]*Metric{}}
	d.fields(place{}, reflect.TypeFor[Summary]())
	for i := range d.metrics {
		d.byName[d.metrics[i].Name] = &d.metrics[i]
	}
	return d
})

// place is the position of a type in a summary.
type place struct {
	path   string
	outer  *place // the struct around it
	keys   []string
	whole  string      // see Metric.Whole
	holder declaration // of the field that holds it
	list   string      // the tag keys of the field that holds it
	queues []ExpectedQueue
}

// declaration holds the tags of a field.
type declaration struct {
	key, meaning string
	base         string   // resolved
	when         []string // see conditions
	unit         Unit
	better       Better
}

// fields declares the metrics of a struct.
func (d *declarations) fields(at place, t reflect.Type) {
	at.keys = keysOf(t)
	for field := range t.Fields() {
		of := at.declaration(field)
		if !holdsMetrics(field) || !d.runs.have(of, at.queues) {
			continue
		}
		inner := place{path: join(at.path, of.key), outer: &at, whole: at.whole, holder: of, list: field.Tag.Get("keys"), queues: at.queues}
		if of.key == "" { // embedded: its members are those of the struct around it
			inner.holder = at.holder
		}
		if field.Type == reflect.TypeFor[Parts]() {
			inner.whole = at.path
		}
		d.value(inner, field.Type)
	}
}

func (d *declarations) value(at place, t reflect.Type) {
	switch {
	case t.Kind() == reflect.Pointer:
		d.value(at, t.Elem())
	case t.Kind() == reflect.Struct:
		d.fields(at, t)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		for _, item := range d.runs.items(&at) {
			inner := at
			inner.path, inner.holder.better, inner.queues = join(at.path, item.keys), item.better, item.queues
			d.value(inner, t.Elem())
		}
	case isNumber(t):
		d.metrics = append(d.metrics, Metric{
			Name: at.path, Unit: at.holder.unit, Better: at.holder.better,
			Base: at.holder.base, Whole: at.whole, When: strings.Join(at.holder.when, ", "), Meaning: at.holder.meaning,
		})
	}
}

// family holds the keys of a list whose metrics improve in one direction.
type family struct {
	keys   string // with a star for any text
	better Better
}

// families reads the tag better of a list, "*_difference lower, ping_ms lower": the direction
// depends on the key. The last family is for all other keys.
func families(better Better) []family {
	var list []family
	if strings.Contains(string(better), " ") {
		for part := range strings.SplitSeq(string(better), ", ") {
			keys, direction, _ := strings.Cut(part, " ")
			list = append(list, family{keys, Better(direction)})
		}
		better = BetterNot
	}
	return append(list, family{"*", better})
}

// declaration reads the tags of a field of the struct at a place.
func (at *place) declaration(field reflect.StructField) declaration {
	complete := func(tag, holder string) string { return strings.ReplaceAll(field.Tag.Get(tag), "*", holder) }
	of := declaration{
		key: keyOf(field), meaning: complete("meaning", at.holder.meaning),
		base: at.resolve(field.Tag.Get("base")),
		unit: cmp.Or(unitOf(field.Type), Unit(complete("unit", string(at.holder.unit)))),
	}
	of.better = Better(field.Tag.Get("better"))
	if of.better == "*" {
		of.better = at.holder.better
	}
	if of.base == "" {
		of.base = at.holder.base
	}
	of.when = at.holder.when
	if when := field.Tag.Get("when"); when != "" {
		of.when = slices.Concat(of.when, strings.Split(when, ", "))
	}
	return of
}

// holdsMetrics reports whether a field holds metrics.
func holdsMetrics(field reflect.StructField) bool {
	return keyOf(field) != "-" && field.Tag.Get("meaning") != "-" && field.Tag.Get("instant") == "" && field.IsExported()
}

// resolve returns the names of the metrics to which the tag base refers: their first key belongs
// to the struct itself or to the innermost struct around it that has the key.
func (at *place) resolve(base string) string {
	if base == "" {
		return ""
	}
	first, second, isDifference := strings.Cut(base, " - ")
	if isDifference {
		return at.resolve(first) + " - " + at.resolve(second)
	}
	key, _, _ := strings.Cut(base, ".")
	for p := at; p != nil; p = p.outer {
		if slices.Contains(p.keys, key) {
			return join(p.path, base)
		}
	}
	panic(fmt.Sprintf("outcome: the base %q of a metric in %s is not there", base, at.path))
}

// keyOf returns the key of a field in JSON, "" for an embedded struct.
func keyOf(field reflect.StructField) string {
	key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return key
}

// keysOf lists the keys of a struct in JSON.
func keysOf(t reflect.Type) []string {
	var keys []string
	for field := range t.Fields() {
		switch key := keyOf(field); {
		case key == "" && field.Anonymous:
			keys = append(keys, keysOf(field.Type)...)
		case key != "" && key != "-":
			keys = append(keys, key)
		}
	}
	return keys
}

func isNumber(t reflect.Type) bool {
	zero := reflect.Zero(t)
	return zero.CanFloat() || zero.CanInt() || zero.CanUint()
}

// unitOf returns the unit that a type carries, also one that may be absent.
func unitOf(quantity reflect.Type) Unit {
	if quantity.Kind() == reflect.Pointer {
		quantity = quantity.Elem()
	}
	switch quantity {
	case reflect.TypeFor[Seconds]():
		return UnitSeconds
	case reflect.TypeFor[Millis]():
		return UnitMillis
	case reflect.TypeFor[Share]():
		return UnitShare
	}
	return UnitNone
}

// join extends a path of keys; an embedded struct has no key of its own.
func join(path, key string) string {
	if path == "" || key == "" {
		return path + key
	}
	return path + "." + key
}
