package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// The metrics that are listed before a run are those of its result. The exceptions are
// continents without players, and stages of rules that no match needed.
func TestMetricsAreKnownBeforeARun(t *testing.T) {
	inputs := "../../../scripts/equal/inputs/"
	for _, test := range []struct {
		name      string
		overrides []config.Override
	}{
		{"day.yaml", []config.Override{{Key: "latency.jitter.sd", Text: "3ms"}}},
		{"day.yaml", []config.Override{{Key: "season.skill", Text: "s"}, {Key: "players.attributes.s", Text: "{uniform: {min: 0, max: 1}}"}, {Key: "clock.duration", Text: "24h"}}},
		{"queues.yaml", nil},
		{"rules.yaml", []config.Override{{Key: "rules", Text: inputs + "playfab.json"}}},
		{"servers.yaml", []config.Override{{Key: "rules", Text: inputs + "roblox.json"}}},
	} {
		name := test.name
		c, err := config.Load(inputs+name, append(test.overrides, config.Override{Key: "dataset.builtin.joins", Text: "4000"}))
		if err != nil {
			t.Fatal(err)
		}
		arms, err := experiment.LoadArms(experiment.NewCache(1), c)
		if err != nil {
			t.Fatal(err)
		}
		expected := arms[0].Inputs.Metrics()
		values := summariesOf(t, 1, c)[0][0].MetricValues()
		has := map[string]bool{}
		for _, v := range values {
			known := false
			for _, m := range expected {
				if outcome.MatchesPattern(m.Name, v.Name) {
					known, has[m.Name] = true, true
				}
			}
			if !known {
				t.Errorf("%s: the run has the metric %s, which was not known before", name, v.Name)
			}
		}
		for _, m := range expected {
			if !has[m.Name] && !strings.HasPrefix(m.Name, "by_continent.") && !strings.Contains(m.Name, "*") {
				t.Errorf("%s: the run does not have the known metric %s", name, m.Name)
			}
		}
	}
}

// TestSeasonIsCounted finds every metric of a season in a season that has all of them.
func TestSeasonIsCounted(t *testing.T) {
	day := "time,latitude,longitude\n"
	for i := range 200 {
		day += fmt.Sprintf("23:%02d:%02d,50.11,8.68\n", 45+i/20, i%20*3)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"day.csv": day,
		"season.yaml": `
dataset: {file: day.csv}
clock: {duration: 31d, warmup: 0s}
match: {size: 2}
players: {attributes: {skill: {normal: {mean: 1500, sd: 300}}}}
season: {skill: skill, shift: 15m}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := config.Load(filepath.Join(dir, "season.yaml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, v := range summariesOf(t, 1, c)[0][0].MetricValues() {
		if !strings.HasPrefix(v.Name, "season.") {
			continue
		}
		counted++
		if !(v.Value > 0) && v.Name != "season.by_day.0.new" && v.Name != "season.persons.skipped" { // see TestSkippedVisits of package season
			t.Errorf("%s: got %v, want a number above 0", v.Name, v.Value)
		}
	}
	if counted < 200 {
		t.Errorf("got %d metrics, want those of 31 days and 10 tenths", counted)
	}
}

// Everything that follows from the declaration of a metric is there: its value in the file and
// in aggregates, the help text, the schema, gates, comparisons, the list before a run, and the
// page.
func TestMetricsAreEverywhere(t *testing.T) {
	whole := &outcome.Summary{}
	fill(reflect.ValueOf(whole).Elem(), "")
	whole.Schema = outcome.Schema
	var text, help strings.Builder
	if err := whole.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := outcome.ParseSummary([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.MetricValues(), again.MetricValues(), cmpopts.IgnoreUnexported(outcome.Metric{}, outcome.MetricValue{})); diff != "" {
		t.Errorf("the summary has other metrics when read (-written +read):\n%s", diff)
	}
	schema, err := schemaDocument("gate")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := words.WriteMetricsHelp(&help); err != nil {
		t.Fatal(err)
	}

	places := map[string]map[string]bool{}
	add := func(place, name string) {
		if places[place] == nil {
			places[place] = map[string]bool{}
		}
		places[place][name] = true
	}
	sample := &judge.Sample{Name: "whole", Runs: []*outcome.Summary{whole}}
	for _, d := range judge.Compare(sample, sample, nil).Metrics {
		add("a comparison", d.Name)
	}
	for _, s := range outcome.Aggregate([]*outcome.Summary{whole, whole}).Replications.Metrics {
		add("an aggregate", s.Name)
	}
	instants := map[string]bool{}
	var gateText strings.Builder
	for _, v := range whole.MetricValues() {
		add("the summary", v.Name)
		instants[v.Name] = v.Instant != nil
		fmt.Fprintf(&gateText, "%q: {max: 1}\n", v.Name)
	}
	file := filepath.Join(t.TempDir(), "gate.yaml")
	if err := os.WriteFile(file, []byte(gateText.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	read, err := gate.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := read.Limits(sample.Metrics(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range judge.CheckGate(sample, nil, limits).Limits {
		if l.Verdict == judge.LimitHeld {
			add("a gate", l.Metric)
		}
	}
	queue := outcome.ExpectedQueue{Name: "a", Ruleset: true, Rules: []string{"a"}, Violations: []string{"a"}, Statistics: true, External: true, Acceptance: true, Refills: true}
	all := outcome.Expected{
		Datacenters: []string{"a"}, Continents: []string{"a"}, Texts: true, Attributes: []string{"a"}, Servers: true, WaitLimits: true, RTTLimits: true, UnmatchedLimits: true, NamedSearches: true, Fleet: true, SeasonDays: 1, Events: 1,
		Facts: outcome.Facts{Jitter: true, Patience: true, Missing: true, Maintenance: true, Production: true, OverAll: true},
	}
	for _, queues := range [][]outcome.ExpectedQueue{{queue}, {queue, queue}} {
		all.Queues = queues
		for _, m := range all.Metrics() {
			add("what is known before a run", strings.ReplaceAll(m.Name, "*", "a"))
		}
	}
	one, queues, servers := *whole, *whole, *whole
	one.Servers, one.Queues, queues.Servers, servers.Queues = nil, nil, nil, nil
	for _, s := range []*outcome.Summary{&one, &queues, &servers} {
		for _, section := range present.Run(&result.Result{Summary: *s}, nil).Sections {
			if section.ID != "metrics" {
				continue
			}
			for _, row := range section.More[0].Table.Rows {
				add("the page", row[0])
				if shown := strings.Contains(strings.Join(row, " "), "reached at"); shown != instants[row[0]] {
					t.Errorf("instant of %s on the page: got shown %v, want %v", row[0], shown, !shown)
				}
			}
		}
	}

	for _, m := range outcome.Metrics() {
		for place, names := range places {
			is := names[m.Name]
			for name := range names {
				is = is || outcome.MatchesPattern(m.Name, name)
			}
			inTable := strings.Contains("."+m.Name, ".by_") || m.Whole != "" // in its own table
			if !is && !(place == "the page" && inTable) {
				t.Errorf("%s does not contain %s", place, m.Name)
			}
		}
		if !strings.Contains(help.String(), "\n"+m.Name+" ") || !strings.Contains(help.String(), "  "+m.Meaning) {
			t.Errorf("the help does not contain %s with its meaning", m.Name)
		}
		if !strings.Contains(string(schema), `"`+m.Name+`"`) {
			t.Errorf("the schema of gates does not contain %s", m.Name)
		}
	}
}

// fill sets every number of a summary, and gives every list one item named "a". If the
// direction of a metric depends on the name, it gives the list several items.
func fill(v reflect.Value, better string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() != reflect.TypeFor[*outcome.Replications]() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), "")
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			fill(value, field.Tag.Get("better"))
		}
	case reflect.Slice:
		names := []string{"a"}
		if strings.Contains(better, " ") { // such as "*_difference lower, ping_ms lower"
			for family := range strings.SplitSeq(better, ", ") {
				name, _, _ := strings.Cut(family, " ")
				names = append(names, strings.ReplaceAll(name, "*", "a"))
			}
		}
		if v.Type() == reflect.TypeFor[[]outcome.Group]() {
			names = make([]string, 24) // one per hour
		} else if !v.Type().Implements(reflect.TypeFor[json.Marshaler]()) {
			names = []string{""}
		}
		v.Set(reflect.MakeSlice(v.Type(), len(names), len(names)))
		for i, name := range names {
			fill(v.Index(i), "")
			if v.Index(i).Kind() == reflect.Struct && v.Index(i).FieldByName("Name").IsValid() {
				v.Index(i).FieldByName("Name").SetString(name)
			}
		}
	case reflect.String:
		v.SetString("a")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	default:
		panic(v.Type().String())
	}
}
