package reports

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Number is one number of a summary under the path of its keys. It is what
// comparisons, gates and sweeps go by: whatever a summary has in its JSON form has a
// name here, without a list to be kept.
type Number struct {
	Name  string // "wait_s.p95", "by_continent.EU.rtt_p95_ms"
	Unit  Unit
	Value float64 // NaN: there is nobody that it would describe
}

// Unit is how a number is measured.
type Unit uint8

// The units of a summary.
const (
	UnitNone    Unit = iota // counts, and values whose unit is unknown
	UnitSeconds             // waits
	UnitMillis              // RTTs
	UnitShare               // fractions of 1, shown in percent
)

// String is the sign of the unit as people read it, "" where there is none.
func (u Unit) String() string { return [...]string{"", "s", "ms", "%"}[u] }

// Numbers lists the numbers of a summary in its own order. What says which run it is
// (seed, hashes), limits, instants and positions are no numbers; neither is the spread
// over replications, which describes others. Cost: some ten thousand steps.
func (s *Summary) Numbers() []Number {
	return s.flatten().numbers
}

func (s *Summary) flatten() *flattener {
	f := &flattener{wholes: map[string]string{}}
	f.value("", reflect.ValueOf(s.withGaps()).Elem())
	return f
}

// flattener walks over a summary by the keys of its JSON form.
type flattener struct {
	numbers []Number
	// wholes are the blocks with a list of Parts, by the numbers in these lists: who has
	// the block and not the number has 0 of it.
	wholes map[string]string
	whole  string // of the list that is walked over, "" outside
}

func (f *flattener) value(path string, v reflect.Value) {
	switch {
	case v.CanInt():
		f.number(path, UnitNone, float64(v.Int()))
	case v.CanUint():
		f.number(path, UnitNone, float64(v.Uint()))
	case v.CanFloat():
		f.number(path, unitOf(v.Type()), v.Float())
	case v.Kind() == reflect.Struct:
		f.fields(path, v)
	case v.Kind() == reflect.Pointer && !v.IsNil():
		f.value(path, v.Elem())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			f.value(join(path, itemKey(v.Index(i), i)), v.Index(i))
		}
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		byName := func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }
		for _, key := range slices.SortedFunc(slices.Values(v.MapKeys()), byName) {
			f.value(join(path, key.String()), v.MapIndex(key))
		}
	}
}

func (f *flattener) number(path string, unit Unit, x float64) {
	f.numbers = append(f.numbers, Number{path, unit, x})
	if f.whole != "" {
		f.wholes[path] = f.whole
	}
}

func (f *flattener) fields(path string, v reflect.Value) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key, is := metricKey(field)
		if !is || field.Type == reflect.TypeFor[*Replications]() {
			continue
		}
		outer := f.whole
		if field.Type == reflect.TypeFor[Parts]() {
			f.whole = path
		}
		f.value(join(path, key), v.Field(i))
		f.whole = outer
	}
}

// itemKey is the key of an item of a list: its name, else its place.
func itemKey(item reflect.Value, index int) string {
	if item.Kind() == reflect.Struct {
		if name := item.FieldByName("Name"); name.IsValid() && name.String() != "" {
			return name.String()
		}
	}
	return strconv.Itoa(index)
}

func unitOf(number reflect.Type) Unit {
	switch number {
	case reflect.TypeFor[Seconds]():
		return UnitSeconds
	case reflect.TypeFor[Millis]():
		return UnitMillis
	case reflect.TypeFor[Share]():
		return UnitShare
	}
	return UnitNone
}

// MatchName tells whether a name fits a pattern in which every star stands for any
// text, dots included: names of datacenters may have some.
func MatchName(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	last := len(parts) - 1
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	rest := name[len(parts[0]):]
	for _, part := range parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[last])
}

// Better says in which direction a number improves.
type Better string

// Directions. A number without one (how many matched, the peak of CCU) is not better
// or worse by itself.
const (
	BetterLower  Better = "lower"
	BetterHigher Better = "higher"
	BetterNot    Better = ""
)

// betterKeys are the directions of numbers by their last key, wherever they stand.
// Shares within the thresholds of a configuration have none: it draws its own line.
var betterKeys = map[string]Better{
	"share_zero": BetterHigher, "share_le_50": BetterHigher, "share_le_100": BetterHigher,
	"fill": BetterHigher, "preferred_player_match_ratio": BetterHigher, "with_warmbody": BetterLower, "repeat_share": BetterLower,
	"failed": BetterLower, "expired": BetterLower, "rejected": BetterLower, "bots": BetterLower,
	"searching_mean": BetterLower, "spread_mean": BetterLower, "spread_p95": BetterLower, "team_gap_mean": BetterLower,
	"share_relaxed": BetterLower, "fill_at_start": BetterHigher, "shared_mean": BetterHigher, "share_any": BetterHigher,
	"wait_mean_s": BetterLower, "wait_p95_s": BetterLower, "rtt_mean_ms": BetterLower, "rtt_p95_ms": BetterLower,
}

// betterStatistics are those of blocks that hold one measure, such as wait_s.
var betterStatistics = []string{"mean", "sd", "p50", "p90", "p95", "p99", "max"}

// BetterOf returns the direction in which a number of a summary improves. Waits of
// those who were never matched, and what describes the players of one state, have
// none: a shorter one says who belongs there, and not how well they fare.
func BetterOf(name string) Better {
	keys := strings.Split(name, ".")
	last := keys[len(keys)-1]
	if keys[0] == "states" {
		if name == "states.warmbody.share" || name == "states.warmbody.matched" {
			return BetterLower
		}
		return BetterNot
	}
	if keys[0] == "servers" {
		return betterServers(name)
	}
	if better, known := betterKeys[last]; known {
		return better
	}
	if len(keys) < 2 || !slices.Contains(betterStatistics, last) {
		return BetterNot
	}
	switch keys[len(keys)-2] {
	case "wait_s", "wait_first_s", "wait_repeat_s", "rtt_ms", "rtt_estimate_ms", "delta_rtt_ms":
		return BetterLower
	}
	return BetterNot
}

// betterServers returns the direction of a number about servers. Which ones the rules
// prefer is up to them; but that friends meet, and players who are alike, is what the
// service's own signals are for.
func betterServers(name string) Better {
	switch {
	case strings.HasSuffix(name, ".count"):
	case MatchName("servers.metrics.*_difference.*", name), MatchName("servers.metrics.ping_ms.*", name):
		return BetterLower
	case MatchName("servers.metrics.common_*_ratio.*", name), name == "servers.preferred_player_match_ratio":
		return BetterHigher
	}
	return BetterNot
}

// figure is one number over the runs of a sample.
type figure struct {
	unit    Unit
	whole   string    // see flattener.wholes
	runs    []float64 // by place in the sample; NaN: nobody. Empty for an aggregate
	moments moments   // over the runs that have it
}

// moments are what is known of a number when its single values are gone.
type moments struct {
	n        int
	mean, sd float64 // sd is 0 of one value
}

// figures collects the numbers of runs, and their names in the order in which they
// appear first. An aggregate alone says mean and spread itself.
func figures(runs []*Summary) (names []string, byName map[string]*figure) {
	byName = map[string]*figure{}
	for i, run := range runs {
		flat := run.flatten()
		for _, n := range flat.numbers {
			f := byName[n.Name]
			if f == nil {
				f = &figure{unit: n.Unit, whole: flat.wholes[n.Name], runs: slices.Repeat([]float64{math.NaN()}, len(runs))}
				if f.whole != "" {
					clear(f.runs)
				}
				byName[n.Name] = f
				names = append(names, n.Name)
			}
			f.runs[i] = n.Value
		}
	}
	for _, f := range byName {
		f.moments = momentsOf(f.runs)
	}
	if len(runs) == 1 && runs[0].Replications != nil {
		for _, f := range byName {
			f.runs, f.moments = nil, moments{mean: math.NaN()}
		}
		for _, m := range runs[0].Replications.Metrics {
			if f := byName[m.Name]; f != nil {
				f.moments = moments{m.Runs, float64(m.Mean), float64(m.SD)}
			}
		}
	}
	return names, byName
}

// fillParts adds to the figures of a sample the parts that only others have, where it
// has the whole: it has 0 of them.
func (s *Sample) fillParts(own, others map[string]*figure) {
	has := map[string]bool{"": true}
	for name := range own {
		for i, c := range name {
			if c == '.' {
				has[name[:i]] = true
			}
		}
	}
	for name, other := range others {
		if own[name] != nil || other.whole == "" || !has[other.whole] {
			continue
		}
		f := &figure{unit: other.unit, whole: other.whole, moments: moments{n: s.Replications()}}
		if !s.isAggregate() {
			f.runs = make([]float64, len(s.Runs))
		}
		own[name] = f
	}
}
