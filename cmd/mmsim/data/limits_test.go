package data_test

import (
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/value"
)

// extremes are values at the limits of a key, and values beyond them.
type extremes struct{ inside, beyond []string }

// unlimited has the extremes of the keys whose help names no range and no words.
var unlimited = map[string]extremes{
	"dataset.file":      {[]string{`""`}, []string{"[]", "missing.csv"}},
	"dataset.columns":   {[]string{"{}"}, []string{"{x: date}"}},
	"dataset.map":       {[]string{"{}"}, []string{"{time: [x]}"}},
	"dataset.time_zone": {[]string{"-23:59", "+23:59"}, []string{"+24:00"}},
	"dataset.date":      {[]string{"1973-01-01", "2099-12-31", `""`}, []string{"1972-12-31", "2100-01-01"}},
	"dataset.geoip":     {[]string{`""`}, []string{"[]", "missing.mmdb"}},
	"dataset.builtin.date": {
		[]string{"1973-01-01", "2099-12-31"}, []string{"1972-12-31", "2100-01-01"},
	},
	"dataset.builtin.countries": {[]string{`""`}, []string{"[]", "missing.csv"}},
	"datacenters.file":          {[]string{`""`}, []string{"[]", "missing.csv"}},
	"datacenters.use":           {[]string{"[]", "[ashburn, tokyo]", "ashburn"}, []string{"[nowhere]", "{}", "[ashburn, ashburn]"}},
	"fleet.prices":              {[]string{`""`}, []string{"[]", "missing.csv"}},
	"fleet.buffer":              {[]string{"0", "1000000", "0%", "1000%"}, []string{"-1", "1000001", "1001%", "0.5"}},
	"fleet.min":                 {[]string{"0", "1000000", "{default: 3}"}, []string{"-1", "1000001", "none", "{}"}},
	"fleet.max":                 {[]string{"none", "0", "1000000", "{default: none}"}, []string{"-1", "1000001", "many", "{}"}},
	"events":                    {[]string{"[]", `[{at: "00:00", for: 1ms, outage: [ashburn]}]`, `[{at: "23:59:59.999", for: 240h, outage: tokyo, running: kill}]`, `[{at: "00:00", for: 0s, joins: 100, from: {continents: [EU]}}]`, `[{at: "00:00", for: 1h, maintenance: true, back: 0, within: 24h}]`, `[{at: "00:00", for: 1h, latency: 1ms}]`, `[{at: "00:00", for: 1h, latency: 4095ms, to: tokyo}]`}, []string{"{}", "missing.yaml", `[{at: "24:00", for: 1s, outage: tokyo}]`, `[{at: "00:00", for: 0s, outage: tokyo}]`, `[{at: "00:00", for: 1s}]`, `[{at: "00:00", for: 1s, outage: [nowhere]}]`, `[{at: "00:00", day: 2, for: 1s, outage: tokyo}]`}},
	"season.skill":              {[]string{`""`}, []string{"x", "[]"}}, // x is no attribute
	"season.rating.attribute":   {[]string{"x"}, []string{`""`, "[]"}},
	"season.again_by":           {[]string{"{}", "{win: 100, new: -100}"}, []string{"{win: 101}", "{failed: 1}", "{x: 1}"}},
	"season.quit_by":            {[]string{"{}", "{failed: 100}"}, []string{"{win: -101}", "{x: 1}"}},
	"latency.maps":              {[]string{`""`}, []string{"[]", "missing"}},
	"players.patience":          {[]string{"{}", "{1ms: 0, 24h: 1}", "{1s: 5%, 2s: 5%}"}, []string{"{0s: 1}", "{24h0m1ms: 1}", "{1s: 1.01}", "{2s: 0.1, 1s: 0.2}", "{1s: 0.2, 2s: 0.1}"}},
	"players.parties":           {[]string{"{1: 1}", "{200: 1}"}, []string{"{0: 1}", "{201: 1}", "{1: 2}"}},
	"players.attributes": {
		[]string{"{}", "{x: {subset: {of: [a], min: 0, max: 1}}}", "{x: {normal: {mean: -1e12, sd: 1e12}}}", "{x: {choice: {a: 1000}}}", "{friends: {graph: {mean: 500, same_continent: 1}}}"},
		[]string{"{x: {subset: {of: [a], min: 0, max: 2}}}", "{x: {normal: {mean: -1e13, sd: 1}}}", "{x: {choice: {a: 1001}}}", "{friends: {graph: {mean: 501, same_continent: 1}}}"},
	},
	"rules":              {[]string{`""`}, []string{"missing.json"}},
	"matcher.external":   {[]string{`""`}, []string{"exec:", "replay:missing.jsonl"}},
	"matcher.profiles":   {[]string{`""`}, []string{"[]"}},
	"matcher.folder":     {[]string{`""`}, []string{"[]"}},
	"regions":            {[]string{"{}", "{West: [sanjose]}"}, []string{"{West: [nowhere]}", "{West: []}"}},
	"queues":             {[]string{"[]", "[{name: a}]"}, []string{"[{share: 1}]", "[{name: a, share: 0.4}, {name: b, share: 0.4}]"}},
	"servers.session":    {[]string{"{constant: 1s}", "{constant: 24h}", "{weibull: {shape: 0.1, scale: 20m}}"}, []string{"{constant: 0s}", "{constant: 241h}", "{weibull: {shape: 0, scale: 20m}}"}},
	"servers.attributes": {[]string{"{}"}, []string{"[]"}},
	"report.matters":     {[]string{"{}", "{wait_s.mean: 0.5s}"}, []string{"[]", "{no.metric: 1s}"}},
	"output.dir":         {nil, []string{`""`, "[]"}}, // the test sets it
}

// tooLarge has the values that only a large machine could simulate.
var tooLarge = map[string]string{"dataset.builtin.joins": "100000000"}

var (
	wholeRange    = regexp.MustCompile(`a whole number from (\d+) to (\S+)`)
	numberRange   = regexp.MustCompile(`a (?:number|share) (from|above|of at least) (\S+) (to|and at most|and below) ([^\s,]+)`)
	shareRange    = regexp.MustCompile(`a share from (\S+) to (\S+) in steps of (\S+),`)
	durationRange = regexp.MustCompile(`a duration from (\S+) to (\S+) in steps of ([^\s,]+)`)
	sizeRange     = regexp.MustCompile(`a size from (\d+)MiB to (\d+)GiB`)
)

// extremesOf returns the extremes that the help about a key names.
func extremesOf(t *testing.T, s *config.Setting) extremes {
	if e, ok := unlimited[s.Path]; ok {
		return e
	}
	if s.Choices != nil {
		return extremes{s.Choices, []string{"other", "[]"}}
	}
	if m := wholeRange.FindStringSubmatch(s.Expects); m != nil {
		high, after := m[2], ""
		if n, err := strconv.ParseUint(high, 10, 64); err == nil {
			after = strconv.FormatUint(n+1, 10)
		} else {
			high, after = strconv.FormatUint(math.MaxUint64, 10), "18446744073709551616"
		}
		low, _ := strconv.Atoi(m[1])
		return extremes{[]string{m[1], high}, []string{strconv.Itoa(low - 1), after}}
	}
	if m := shareRange.FindStringSubmatch(s.Expects); m != nil {
		return extremes{[]string{m[1], m[2]}, []string{"-" + m[3], "1" + strings.TrimPrefix(m[3], "0")}}
	}
	if m := numberRange.FindStringSubmatch(s.Expects); m != nil {
		return numberExtremes(t, m[2], m[4], m[1] == "above", m[3] == "and below")
	}
	if m := durationRange.FindStringSubmatch(s.Expects); m != nil {
		var d [3]time.Duration
		for i, text := range m[1:] {
			var err error
			if d[i], err = value.ParseDuration(text); err != nil {
				t.Fatal(err)
			}
		}
		return extremes{[]string{m[1], m[2]}, []string{(d[0] - d[2]).String(), (d[1] + d[2]).String(), (d[1] - d[2]/2).String()}}
	}
	if m := sizeRange.FindStringSubmatch(s.Expects); m != nil {
		return extremes{[]string{m[1] + "MiB", m[2] + "GiB"}, []string{"0MiB", m[2] + "GiBs"}}
	}
	t.Fatalf("%s expects %q: this test knows no such range; add values to unlimited", s.Path, s.Expects)
	return extremes{}
}

func numberExtremes(t *testing.T, lowest, highest string, lowOpen, highOpen bool) extremes {
	var ends [2]float64
	for i, text := range []string{lowest, highest} {
		var err error
		if ends[i], err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	e := extremes{[]string{lowest, highest}, []string{text(ends[0] - 1e-6), text(ends[1] * (1 + 1e-6))}}
	if lowOpen {
		e.inside[0], e.beyond[0] = text(ends[0]+1e-6), lowest
	}
	if highOpen {
		e.inside[1], e.beyond[1] = text(ends[1]*(1-1e-6)), highest
	}
	return e
}

// If validate accepts a configuration, run accepts it, too: for every key at its lowest and highest
// value. Values beyond exit with 2. The configurations are those of the ways in which players find
// each other: states, rules in a pool and in the datacenters' queues, and servers. Building the tree
// of commands takes most of the time, so validate runs only if run has refused.
func TestValidateAgreesWithRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 2,000 commands")
	}
	t.Parallel()
	folder := t.TempDir()
	commandtest.Put(t, folder, map[string]string{
		"states.yaml":      "",
		"pool.yaml":        "rules: rules.json\n",
		"datacenters.yaml": "rules: rules.json\nplacement: datacenters\n",
		"servers.yaml":     "placement: servers\n",
		"day.csv":          "0,50,8\n1,50,8\n2,50,8\n3,50,8\n30,40,-74\n",
		"rules.json":       `{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 4, "Rules": [{"Type": "DifferenceRule", "Name": "d", "Attribute": {"Path": "x", "Source": "User"}, "Difference": 10, "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1}]}`,
	})
	small := []string{"dataset.builtin.joins=20", "clock.duration=1m", "clock.warmup=0s", "output.plots=false", "output.html=false"}
	for _, base := range []string{"states", "pool", "datacenters", "servers"} {
		code := func(verb, key, text string) int {
			args := append([]string{verb}, map[string][]string{
				"validate": {filepath.Join(folder, base+".yaml")},
				"run":      {"--config", filepath.Join(folder, base+".yaml"), "--quiet", "--out", filepath.Join(folder, "out")},
			}[verb]...)
			sets := append(small[:len(small):len(small)], key+"="+text)
			if !strings.HasPrefix(key, "dataset.") { // generating a day takes most of the time
				sets = append(sets, "dataset.file="+filepath.Join(folder, "day.csv"))
			}
			for _, set := range sets {
				args = append(args, "--set", set)
			}
			return command.Run(args, strings.NewReader(""), io.Discard, io.Discard)
		}
		both := func(key, text string, isBeyond bool) {
			switch simulate := code("run", key, text); {
			case isBeyond && simulate != command.ExitBadInput:
				t.Errorf("%s with %s=%s: run exits %d, want 2", base, key, text, simulate)
			case simulate != command.ExitGood:
				if validate := code("validate", key, text); simulate != command.ExitBadInput || validate != simulate {
					t.Errorf("%s with %s=%s: validate exits %d, run exits %d, want both 0 or both 2", base, key, text, validate, simulate)
				}
			}
		}
		for _, s := range config.Settings(config.Default()) {
			if base != "states" && !slices.ContainsFunc([]string{"placement", "states.", "match.", "players.", "rules", "dialect", "matcher.", "external.", "servers."},
				func(prefix string) bool { return strings.HasPrefix(s.Path, prefix) }) {
				continue // how players find each other does not matter for this key
			}
			e := extremesOf(t, &s)
			for _, text := range e.inside {
				if text != tooLarge[s.Path] {
					both(s.Path, text, false)
				}
			}
			if base != "states" {
				continue
			}
			for _, text := range e.beyond {
				both(s.Path, text, true)
			}
		}
	}
}
