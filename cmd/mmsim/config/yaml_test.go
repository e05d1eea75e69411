package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
)

// For every text, the reader returns either a bad input error with a position, or a
// configuration that does not change when it is written and read again.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		"seed: 2\nmatch: {size: 5, length: {mean: 4m, sd: 1m}}\n",
		"dataset:\n  file: 'it''s: #1.csv'\n  columns: {a: text, 'b c': list}\n  builtin: {date: 2026-03-29}\n",
		"players: {parties: {1: 0.5, 2: 0.5}, play_again: 0}\n",
		"players: {patience: {1.5s: 2%, 1m30s: 0.5, 2h: 1}}",
		"{\"clock\": {\"tick\": \"1s\"}}",
		"players: {attributes: {mmr: {normal: {mean: 1500, sd: 300, max: 3000}}, age: {lognormal: {mean: 25, sd: 9}}}}",
		"players:\n  attributes:\n    '1': {choice: {'true': 0, 'a: b': 2}, kind: text}\n    maps: {subset: {of: [dust, 'null', \"é\"], min: 0, max: 2}}\n",
		"players: {attributes: {a: {choice: {x: 1}, per: player}, b: {choice: {1: 1}, kind: number, per: party}, c: {uniform: {min: 0, max: 1}, per: party}}}",
		"players: {attributes: {a: {constant: '5'}, b: {constant: [x]}, c: {constant: 1e3}, d: {by_country: {NO: no, default: '~'}}, friends: {graph: {mean: 6, same_continent: 1}}}}",
		"states: {ideal: {rtt: 1us}}\nlatency: {fudge: 2.5e-1}\n",
		"a: &x [1, *x]\n<<: *x\n? [k]\n: v\n--- \n...\n%TAG", "match:\n\t- |\n  x", "\"\\x", "- - -", ": :\n:", "{,}", "? ?",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := load(text)
		if err != nil {
			if !input.IsBad(err) || !strings.HasPrefix(err.Error(), "mmsim.yaml:") &&
				!strings.HasPrefix(err.Error(), "configuration:") {
				t.Fatalf("%q: got error %v, want bad input with the file or configuration: as prefix", text, err)
			}
			return
		}
		roundTrip(t, c)
	})
}

// roundTrip checks that the resolved configuration is the same after it is loaded from another
// folder, except for the output directory.
func roundTrip(t *testing.T, c *Config) {
	t.Helper()
	checkText(t, c)
	text, err := c.Resolved("")
	if err != nil {
		t.Fatal(err)
	}
	l := newLoader()
	root, err := yamltree.ParseFile(filepath.Join(os.TempDir(), "elsewhere", "config.yaml"), text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := l.apply(root); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := l.finish(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	got := *l.config
	got.Output.Dir, got.written = c.Output.Dir, c.written
	if !reflect.DeepEqual(&got, c) {
		t.Fatalf("got  %+v\nwant %+v\n%s", got, *c, text)
	}
}

func TestResolvedConfigReproduces(t *testing.T) {
	for _, texts := range [][]string{
		nil,
		{"seed=18446744073709551615", "run=4294967295"},
		{"dataset.file='a day: of # joins.csv'", "output.dir=x/y"},
		{`dataset.file="a\tb\r\n\x01\u2028'\".csv"`, `latency.maps="\t"`, "datacenters.file=' x '"},
		{"dataset.columns={'1': text, 'true': list, 'null': number, 'a: b': text, '': list, '- x': text}"},
		{"players.parties={1: 0.1, 2: 0.2, 10: 0.7}", "players.play_again=0.1234567890123"},
		{"players.patience={10s: 2%, 30s: 9%, 2m: 31%}", "players.patience.1.5s=1%", "players.patience.30s=9.5%"},
		{"dataset.scale=0.000001", "latency.fudge=1e-1", "states.ideal.rtt=0.125ms", "clock.duration=26h30m0.001s"},
		{"players.attributes={mmr: {normal: {mean: 0.1, sd: 300}}, 'a: b': {constant: '5'}, c: {constant: 5}, d: {constant: ['null', '- x']}}",
			"players.attributes.age={lognormal: {median: 20, sigma: 0.5, min: 13}}", "players.attributes.level={choice: {1: 1, 02: 0.5}, kind: number, per: player}"},
		{"players.attributes={build: {choice: {'null': 0.9, 'true': 0.1, '- x': 0, '1': 3}}, maps: {subset: {of: ['1', 'true', '#'], min: 1, max: 3}}}"},
		{"players.attributes={language: {by_country: {NO: 'no', fr: fr, default: en}}, friends: {graph: {mean: 6, same_continent: 0}}, u: {uniform: {min: -1, max: 1}}}"},
		{"report.limits.wait.good=0s", "report.limits.unmatched={good: 0.25%, fair: 100%}"},
		{"report.limits={rtt: {good: 30ms, fair: 62.5ms}, wait: {fair: 12.345s}, unmatched: {good: 1e-5}}"},
		{"report.limits.wait={good: 1s, fair: 2s}", "report.limits.wait={good: auto, fair: auto}"},
		{"match.length={mean: 61s, sd: 1500ms}", "match.keep_together=true", "match.acceptance={accept: 0.123, delay: 7s}", "states.warmbody.then=bots", "matcher.memory=1536MiB"},
	} {
		c, err := Load("", set(t, texts...))
		if err != nil {
			t.Fatalf("%v: %v", texts, err)
		}
		roundTrip(t, c)
	}
}

func TestTextOfQueues(t *testing.T) {
	c, err := Load("", set(t, "queues=[{name: a, share: 0.3, match: {size: 6}}, {name: b, share: 0.7}]"))
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, c)
}

// checkText checks that the text of a configuration, which is put together from the texts of its
// settings, equals the text of the whole tree, and that RunHashes returns the same as Hash.
func checkText(t *testing.T, c *Config) {
	t.Helper()
	var tree yaml.MapSlice
	for _, s := range leaves(c) {
		alone, err := c.yaml("", func(path string) bool { return path != s.Path }, nil)
		if err != nil {
			t.Fatal(err)
		}
		written := s.Write("")
		if len(alone) > 0 { // some settings are left out if they have their defaults
			tree = yamltree.Insert(tree, strings.Split(s.Path, "."), written)
		}
	}
	want, err := yaml.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.yaml("", func(string) bool { return false }, nil)
	if err != nil || string(got) != string(want) {
		t.Fatalf("got error %v and\n%s\nwant\n%s", err, got, want)
	}
	ofRun, err := c.RunHashes(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []uint32{0, 7, 4294967295} {
		other := *c
		other.Run = run
		if own, err := other.RunHashes(nil); err != nil || own(run) != ofRun(run) {
			t.Errorf("run %d: got hash %s, want that of a configuration of this run (error %v)", run, ofRun(run), err)
		}
	}
}

// The hash of a configuration does not depend on output or the folders of files. It depends on
// all other settings and on the content of files.
func TestConfigSHA256(t *testing.T) {
	contents := func(day string) map[string]string { return map[string]string{"dataset.file": day} }
	sum := func(day string, texts ...string) string {
		c, err := Load("", set(t, texts...))
		if err != nil {
			t.Fatal(err)
		}
		ofRun, err := c.RunHashes(contents(day))
		if err != nil {
			t.Fatal(err)
		}
		return ofRun(c.Run)
	}
	base := sum("abc")
	for _, text := range []string{"output.dir=x", "output.records=csv", "output.plots=false", "dataset.file=moved.csv"} {
		if sum("abc", text) != base {
			t.Errorf("%s: got another hash, want it unchanged", text)
		}
	}
	if sum("abc", "report={limits: {wait: {good: auto}, rtt: {good: auto, fair: auto}}}") != base {
		t.Error("limits of reports set to auto: got another hash, want it unchanged")
	}
	for _, text := range []string{"seed=2", "report.limits.wait.good=9s", "report.limits.rtt={good: 50ms, fair: 100ms}", "run=1", "match.size=5", "match.length.sd=1s", "dataset.columns.a=text", "players.parties={1: 0.9, 2: 0.1}", "players.attributes.mmr={constant: 1}"} {
		if sum("abc", text) == base {
			t.Errorf("%s: got an unchanged hash, want another", text)
		}
	}
	if sum("other") == base {
		t.Error("another content of a file: got an unchanged hash, want another")
	}
}

// A name that is not UTF-8 cannot be written to config.yaml.
func TestPathsAreUTF8(t *testing.T) {
	o := Override{Flag: "--dataset d\xff.csv", Key: "dataset.file", Text: "d\xff.csv", Literal: true}
	_, err := Load("", []Override{o})
	if !input.IsBad(err) || !strings.Contains(err.Error(), `d\xff.csv", which is not UTF-8, expected the name of a file`) {
		t.Errorf("got error %v, want the name that is not UTF-8 refused", err)
	}
}
