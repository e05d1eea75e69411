package value

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/yamltree"
)

// outage is an element of a list, such as a configuration may have.
type outage struct {
	datacenter string
	from, long time.Duration
	share      float64
}

func outages(p *[]outage) Value {
	return ListOf(p, "a list of outages", func(o *outage) Value {
		return Mapping(
			Named("datacenter", "the datacenter", Needed(Text(&o.datacenter))),
			Named("from", "when it begins", Span(&o.from, 0, time.Hour)),
			Named("for", "how long it lasts", ByDefault(&o.long, time.Minute, Span(&o.long, 0, time.Hour))),
			Named("share", "share of its servers", ByDefault(&o.share, 1, Share(&o.share, Limits{High: 1}))),
		)
	})
}

func read(v Value, text string) error {
	root, err := yamltree.ParseFile("a.yaml", []byte(text))
	if err != nil {
		return err
	}
	return v.ReadAt("outages", root)
}

// A list reads what it writes, without the keys that have their defaults.
func TestListReadsWhatItWrites(t *testing.T) {
	var list []outage
	text := "[{datacenter: tokyo, from: 5s, share: 25%}, {datacenter: \"a: b\", from: 1s, for: 1m}]"
	if err := read(outages(&list), text); err != nil {
		t.Fatal(err)
	}
	want := []outage{{"tokyo", 5 * time.Second, time.Minute, 0.25}, {"a: b", time.Second, time.Minute, 1}}
	if fmt.Sprint(list) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", list, want)
	}
	const flow = `[{datacenter: "tokyo", from: 5s, share: 0.25}, {datacenter: "a: b", from: 1s}]`
	got := Flow(outages(&list).Write(""))
	if got != flow {
		t.Errorf("got %s, want %s", got, flow)
	}
	var again []outage
	if err := read(outages(&again), got); err != nil || fmt.Sprint(again) != fmt.Sprint(want) {
		t.Errorf("%s: got %v (error %v), want %v", got, again, err, want)
	}
}

// One reading finds all mistakes. Each message has the place, the key, the value and what was expected.
func TestAllMistakes(t *testing.T) {
	text := "- {datacenter: [a], from: 5}\n- {datacenters: b, share: 101%}\n- c\n- {share: 0.5}"
	want := []string{
		`a.yaml:1:16: outages[0].datacenter: got a list, expected a text`,
		`a.yaml:1:27: outages[0].from: got "5" without a unit, expected a duration from 0s to 1h `,
		`a.yaml:2:4: outages[1]: unknown key "datacenters"; did you mean datacenter?; expected datacenter, from, for, share`,
		`a.yaml:2:27: outages[1].share: got "101%", expected a share from 0 to 1, such as 0.25 or 25%`,
		`a.yaml:3:3: outages[2]: got "c", expected a mapping with some of the keys datacenter, from, for, share`,
		`a.yaml:4:3: outages[3]: datacenter is missing, expected a text`,
	}
	err := read(outages(new([]outage)), text)
	if err == nil {
		t.Fatal("got no error")
	}
	var got []string
	for line := range strings.Lines(err.Error()) {
		if strings.HasPrefix(line, "a.yaml:") {
			got = append(got, strings.TrimSuffix(line, "\n"))
		}
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// Exactly one of the first keys must be there.
func TestOneOfSeveralKeys(t *testing.T) {
	for text, want := range map[string]string{
		"{runs: 3}": "", "{minutes: 3}": "", "{runs: 3, note: 1}": "",
		"{}":                    "got an empty mapping, expected runs or minutes",
		"{note: 1}":             "got a mapping, expected runs or minutes",
		"{runs: 3, minutes: 4}": "got both runs and minutes, expected runs or minutes",
	} {
		var n int
		o := Object{One: 2, Expects: "runs or minutes", Keys: []Key{
			Named("runs", "", Whole(&n, 1, 9)), Named("minutes", "", Whole(&n, 1, 9)), Named("note", "", Whole(&n, 1, 9))}}
		if err := read(o.Value(), text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}

// A percentage is the number nearest to it, not one that a division rounds.
func TestShareReadsPercentages(t *testing.T) {
	for text, want := range map[string]float64{"0.7%": 0.007, "7%": 0.07, "1e1%": 0.1, "0.25": 0.25, "100 %": 1, "\"5%\"": 0.05} {
		var x float64
		if err := read(Share(&x, Limits{High: 1}), text); err != nil || x != want {
			t.Errorf("%s: got %v (error %v), want %v", text, x, err, want)
		}
	}
	for _, text := range []string{"101%", "-1%", "\"0.5\"", "%", "0x1p-1", "nan%", "[1%]"} {
		if err := read(Share(new(float64), Limits{High: 1}), text); err == nil {
			t.Errorf("%s: got no error, want one", text)
		}
	}
}
