package outcome

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Metric is one number of a summary. Its name is the path of its JSON keys. A star in a name
// stands for the key of an item, so the name describes a family of numbers.
type Metric struct {
	Name   string // "wait_s.p95", "by_continent.*.rtt_p95_ms"
	Unit   Unit
	Better Better
	// Base is the name of the metric that counts what this one describes, or a difference "a - b"
	// of two such names. If the base is 0, this metric has no value. If Base is "", the metric
	// always has a value, which may be 0.
	Base string
	// Whole names the block whose list of parts contains this metric. The parts add up to a
	// whole. If a summary has the block but not the part, the part is 0. Whole is "" for a metric
	// that does not belong to a part.
	Whole   string
	When    string // which runs have the metric, such as "several queues"; "" if all have it
	Meaning string // one sentence without its full stop
	Matters Matters
	Step    Step
}

// Better is the direction in which a metric improves.
type Better string

// Directions. A metric with BetterNot, such as the number of matches or the peak of CCU, is
// neither good nor bad by itself.
const (
	BetterLower  Better = "lower"
	BetterHigher Better = "higher"
	BetterNot    Better = ""
)

// opposite returns the other direction, or BetterNot for BetterNot.
func (b Better) opposite() Better {
	return map[Better]Better{BetterLower: BetterHigher, BetterHigher: BetterLower}[b]
}

// Metrics lists the declared metrics in the order of summary.json. The caller must not change it.
func Metrics() []Metric { return declared().metrics }

// Names returns the names of metrics.
func Names(metrics []Metric) []string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = m.Name
	}
	return names
}

// Find returns the metric with this name. In its Name, Base and Whole, keys from name replace the
// stars.
func Find(name string) (Metric, bool) {
	for _, m := range Metrics() {
		if keys, is := starred(m.Name, name); is {
			return m.of(keys), true
		}
	}
	return Metric{}, false
}

// BetterOf returns the direction of the metric with this name, or BetterNot if there is none.
func BetterOf(name string) Better {
	m, _ := Find(name)
	return m.Better
}

// of returns a copy of the metric in which keys replace the stars. The names of the base and the
// whole begin with the same keys.
func (m Metric) of(keys []string) Metric {
	if len(keys) > 0 {
		m.Name, m.Base, m.Whole, m.Matters.Of = fill(m.Name, keys), fill(m.Base, keys), fill(m.Whole, keys), fill(m.Matters.Of, keys)
	}
	return m
}

// PlayersOf returns the name of the metric that counts the players whom the named metric
// describes. This is the metric's base, or else the metric with the key players or count in the
// same block. PlayersOf returns "" if none of these counts players.
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

// declarations has the metrics that the tags of Summary declare.
type declarations struct {
	runs    *Expected // if not nil, only the metrics of these runs are listed
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

// place is the position of a field or list item in a summary.
type place struct {
	path   string
	outer  *place // the enclosing struct
	keys   []string
	whole  string      // see Metric.Whole
	holder declaration // tags of the field at this place
	list   string      // struct tag `keys` of the field at this place
	queues []ExpectedQueue
}

// declaration has the parsed tags of a field.
type declaration struct {
	key, meaning string
	base         string   // full names of metrics
	when         []string // names of conditions
	unit         Unit
	better       Better
	matters      Matters
	step         Step
}

// fields adds the metrics of a struct.
func (d *declarations) fields(at place, t reflect.Type) {
	at.keys = keysOf(t)
	for field := range t.Fields() {
		of := at.declaration(field)
		if !holdsMetrics(field) || !d.runs.have(of, at.queues) {
			continue
		}
		inner := place{path: join(at.path, of.key), outer: &at, whole: at.whole, holder: of, list: field.Tag.Get("keys"), queues: at.queues}
		if of.key == "" { // the members of an embedded struct belong to the struct around it
			inner.holder = at.holder
			inner.holder.when = of.when
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
			Matters: at.holder.matters, Step: at.holder.step,
		})
	}
}

// family is a set of keys of a list whose metrics improve in the same direction.
type family struct {
	keys   string // a key, in which a star stands for any text
	better Better
}

// families parses the struct tag `better` of a list. In "*_difference lower, ping_ms lower" the
// direction depends on the key. The last family returned is for all other keys.
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

// declaration parses the tags of a field in the struct at this place.
func (at *place) declaration(field reflect.StructField) declaration {
	complete := func(tag, holder string) string {
		return strings.TrimSpace(strings.ReplaceAll(field.Tag.Get(tag), "*", holder))
	}
	of := declaration{
		key: keyOf(field), meaning: complete("meaning", at.holder.meaning),
		base: at.resolve(field.Tag.Get("base")),
		unit: cmp.Or(unitOf(field.Type), Unit(complete("unit", string(at.holder.unit)))),
		step: stepOf(field.Type, field.Tag.Get("step")),
	}
	of.matters = mattersIn(of.unit)
	tag := field.Tag.Get("matters")
	if field.Tag.Get("ends") == endsUnmatched {
		tag = endsMatter
	}
	if tag != "" {
		of.matters = parseMatters(tag, at.resolve)
	}
	switch better := field.Tag.Get("better"); better {
	case "*":
		of.better = at.holder.better
	case "-*":
		of.better = at.holder.better.opposite()
	default:
		of.better = Better(better)
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

// holdsMetrics reports whether a field is a metric or contains metrics.
func holdsMetrics(field reflect.StructField) bool {
	return keyOf(field) != "-" && field.Tag.Get("meaning") != "-" && field.Tag.Get("instant") == "" && field.IsExported()
}

// resolve returns the full names of the metrics in a base tag. The first key of each is looked up
// in this struct and then in the structs around it, from inner to outer.
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

// keyOf returns the JSON key of a field, or "" for an embedded struct.
func keyOf(field reflect.StructField) string {
	key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return key
}

// keysOf lists the JSON keys of a struct.
func keysOf(t reflect.Type) []string {
	var keys []string
	for field := range t.Fields() {
		switch key := keyOf(field); {
		case key == "" && field.Anonymous:
			keys = append(keys, keysOf(elem(field.Type))...)
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

// unitOf returns the unit of a type or, for a pointer, of the type that it points to.
func unitOf(quantity reflect.Type) Unit {
	switch elem(quantity) {
	case reflect.TypeFor[Seconds]():
		return UnitSeconds
	case reflect.TypeFor[Millis]():
		return UnitMillis
	case reflect.TypeFor[Share]():
		return UnitShare
	}
	return UnitNone
}

// elem returns the type that a pointer points to, and any other type unchanged.
func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// join appends a key to a path. An embedded struct has the key "" and does not extend the path.
func join(path, key string) string {
	if path == "" || key == "" {
		return path + key
	}
	return path + "." + key
}
