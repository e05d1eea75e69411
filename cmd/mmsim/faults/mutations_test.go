package faults_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/latencymap"
)

// mutations returns which mutated cases to try, from and to; there is a mutated file of another kind for
// every 30 of them. The full form is MMSIM_MUTATIONS=0-60000, in parts of about 5,000, because cobra
// keeps every command line that a process builds: 0.4 MB each.
func mutations(t *testing.T) (from, to int) {
	text := os.Getenv("MMSIM_MUTATIONS")
	if text == "" {
		return 0, 300
	}
	if n, err := fmt.Sscanf(text, "%d-%d", &from, &to); n != 2 || from < 0 || to <= from {
		t.Fatalf("MMSIM_MUTATIONS: got %q (error %v), want FROM-TO, for example 0-5000", text, err)
	}
	return from, to
}

// allocatedMax is how much memory a command may allocate in all for a mutated input, most of which is
// garbage soon. The inputs have at most some MB.
const allocatedMax = 2 << 30

// values replace values, and leave the form of a file valid.
var values = append(slices.Clone(numbers), "null", "true", `""`, `"a"`, `"frankfurt"`, `"mmr"`, "[]", "{}", `["a", "a"]`, "[1]", "[[]]")

var numbers = []string{"0", "1", "-1", "2", "0.5", "100", "1000000", "1e308", "1e-308", "9223372036854775807"}

// interesting are other texts that replace values.
var interesting = []string{
	"", "0", "-1", "1e308", "1e-308", "-0", "9223372036854775807", "18446744073709551616", "NaN", "Infinity", "null", "true", `""`, "[]", "{}", `{"":""}`,
	`"\u0000"`, "\xff\xfe", "\ufeff", "\x00", "é🙂", `"2026-02-30T25:61:61Z"`, "1h-1s", "1000000h", "100%", ": ", "- ", "&a *a", "!!binary x", "#", ",", "\r\n", "\"", "'",
	strings.Repeat("[", 5000), strings.Repeat(`{"a":`, 5000), strings.Repeat("9", 5000), strings.Repeat("x,", 5000),
}

// mutated returns a text with one or two random changes. Two of three JSON texts stay JSON: most
// others are refused before anything looks at their values.
func mutated(r *rand.Rand, text []byte) []byte {
	if r.IntN(3) > 0 {
		if changed, is := mutatedJSON(r, text); is {
			return changed
		}
	}
	text = slices.Clone(text)
	span := func(most int) (from, to int) {
		from = r.IntN(len(text) + 1)
		return from, min(len(text), from+r.IntN(most))
	}
	for range 1 + r.IntN(4)/2 {
		from, to := span(40)
		switch r.IntN(14) {
		case 0: // flip bits
			if from < len(text) {
				text[from] ^= byte(1 + r.IntN(255))
			}
		case 1: // remove
			text = slices.Delete(text, from, to)
		case 2: // repeat
			text = slices.Insert(text, from, bytes.Repeat(text[from:to], 1+r.IntN(3))...)
		case 3: // end
			text = text[:from]
		case 4: // insert
			text = slices.Insert(text, from, []byte(interesting[r.IntN(len(interesting))])...)
		case 5: // move
			part := slices.Clone(text[from:to])
			text = slices.Delete(text, from, to)
			text = slices.Insert(text, r.IntN(len(text)+1), part...)
		case 6: // remove a line
			if end := bytes.IndexByte(text[from:], '\n'); end >= 0 {
				text = slices.Delete(text, bytes.LastIndexByte(text[:from], '\n')+1, from+end+1)
			}
		default: // replace a word
			with := values
			if r.IntN(4) == 0 {
				with = interesting
			}
			if begin, end := wordAt(text, from); begin < end {
				text = slices.Replace(text, begin, end, []byte(with[r.IntN(len(with))])...)
			}
		}
	}
	return text
}

// mutatedJSON changes one or two values of a JSON text. It reports false for other texts.
func mutatedJSON(r *rand.Rand, text []byte) ([]byte, bool) {
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&tree) != nil || decoder.More() {
		return nil, false
	}
	for range 1 + r.IntN(2) {
		places := placesIn(tree, nil)
		if len(places) == 0 {
			break
		}
		at := places[r.IntN(len(places))]
		switch r.IntN(8) {
		case 0:
			at.remove()
		case 1: // nested deeper
			at.set([]any{at.text(), at.text()})
		case 2: // any other value
			at.set(json.RawMessage(values[r.IntN(len(values))]))
		default: // a value of the same kind
			var same []json.RawMessage
			for _, other := range places {
				if reflect.TypeOf(other.value) == reflect.TypeOf(at.value) {
					same = append(same, other.text())
				}
			}
			if _, isNumber := at.value.(json.Number); isNumber {
				for _, n := range numbers {
					same = append(same, json.RawMessage(n))
				}
			}
			at.set(same[r.IntN(len(same))])
		}
	}
	changed, err := json.Marshal(tree)
	return changed, err == nil
}

// A place is where a value stands in a tree of JSON.
type place struct {
	value  any
	set    func(any)
	remove func()
}

// text returns the value as a text, so that no value contains itself.
func (p place) text() json.RawMessage {
	text, err := json.Marshal(p.value)
	if err != nil {
		panic(err) // it comes from a JSON text
	}
	return text
}

// placesIn appends the places of all values below a node, in an order that does not depend on maps.
func placesIn(node any, places []place) []place {
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			places = append(places, place{node[key], func(v any) { node[key] = v }, func() { delete(node, key) }})
			places = placesIn(node[key], places)
		}
	case []any:
		for i := range node {
			set := func(v any) { node[i] = v }
			places = append(places, place{node[i], set, func() { set(nil) }})
			places = placesIn(node[i], places)
		}
	}
	return places
}

// wordAt returns the first word, number or quoted text after a place.
func wordAt(text []byte, at int) (begin, end int) {
	isWord := func(b byte) bool {
		return b == '.' || b == '_' || b == '-' || b == '"' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
	}
	for begin = at; begin < len(text) && !isWord(text[begin]); begin++ {
	}
	for end = begin; end < len(text) && isWord(text[end]); end++ {
	}
	return begin, end
}

// outcomeOf is what a command did with an input.
type outcomeOf struct {
	code      int
	stderr    string
	allocated uint64
	took      time.Duration
}

// try runs a command whose context is cancelled, so that it only reads and checks its inputs.
func try(args []string) (o outcomeOf) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	var errs bytes.Buffer
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	root := command.NewRoot(&terminal.Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errs})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx) // a panic ends the test
	if err != nil && err.Error() != "" {
		errs.WriteString(terminal.ErrorText(err))
	}
	runtime.ReadMemStats(&after)
	return outcomeOf{command.ExitCode(err), errs.String(), after.TotalAlloc - before.TotalAlloc, time.Since(began)}
}

// seedFile is a valid input and the command that reads it.
type seedFile struct {
	name    string
	content []byte
	args    []string // FILE stands for the name
}

// trySeed runs the command of a seed with the content of its file.
func trySeed(t *testing.T, seed seedFile, content []byte) outcomeOf {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(seed.name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(seed.name, content, 0o666); err != nil {
		t.Fatal(err)
	}
	args := slices.Clone(seed.args)
	args[slices.Index(args, "FILE")] = seed.name
	return try(args)
}

// namesFile reports whether a message names the file, or another file that the file names.
func namesFile(message, file string, content []byte) bool {
	other, _, found := strings.Cut(message, ": ")
	return strings.Contains(message, file) || found && other != "" && bytes.Contains(content, []byte(other))
}

// caseSeeds returns the case files of the repository.
func caseSeeds(t *testing.T) (seeds []seedFile) {
	for _, pattern := range []string{"../gallery/*/cases/*.json", "../../../matcher/dialect/*/testdata/cases/*.json"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: got no cases (error %v)", pattern, err)
		}
		for _, name := range names {
			// A case may name the ruleset of its project, whose files are copied to the same folder.
			to := filepath.Join(strings.TrimLeft(filepath.Dir(name), "./"), "mutated.json")
			seeds = append(seeds, seedFile{to, []byte(commandtest.Read(t, name)), []string{"test", "FILE"}})
		}
	}
	return seeds
}

// fileSeeds returns rulesets, configurations and other files.
func fileSeeds(t *testing.T) (seeds []seedFile) {
	add := func(name string, content []byte, args ...string) {
		seeds = append(seeds, seedFile{name, content, append(args, "FILE")})
	}
	for pattern, name := range map[string]string{
		"../gallery/*/queue.json": "mutated.json", "../gallery/*/rule*.json": "mutated.json", "../gallery/*/scoring.json": "mutated.json", "../gallery/*/ranked.json": "mutated.json",
		"../gallery/*/mmsim.yaml": "mutated.yaml",
	} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: got no files (error %v)", pattern, err)
		}
		for _, file := range slices.Sorted(slices.Values(names)) {
			if strings.Contains(file, "/matchmaker/") {
				continue // it starts a program, whose name a mutation could change to any other
			}
			add(filepath.Join(strings.TrimLeft(filepath.Dir(file), "./"), name), []byte(commandtest.Read(t, file)), "validate")
		}
	}
	for _, file := range []string{"article/gate.yaml"} {
		add("mutated.yaml", []byte(commandtest.Read(t, "../gallery/"+file)), "check", "result", "--gate")
	}
	add("mutated.yaml", []byte("{runs: 2, settings: {match.size: [2, 4], states.ideal.rtt: [30ms, 50ms]}, metrics: [wait_s.p95], guard: {players.unmatched_share: 1pp}}"), "sweep", "--dataset", "day.csv", "--out", "sweep")
	add("mutated.yaml", []byte(commandtest.Read(t, "../gallery/article/tune.yaml")), "tune", "--config", "base.yaml", "--out", "tune")
	add("mutated.yaml", []byte("profiles: [{name: a, pools: {low: {tags: [x], doubles: {mmr: {max: 1500, bounds: max_excluded}}, waited: {min: 30s}}}, extensions: {n: 4}}]\n"), "validate")
	var day strings.Builder
	day.WriteString("time,latitude,longitude,player_id,mmr,maps,rtt:frankfurt\n")
	for i := range 50 {
		fmt.Fprintf(&day, "00:%02d:%02d.5,%d.25,-%d,p%d,%d,a;b,%d.5\n", i%60, i*7%60, i, i*3, i, 1000+i, i)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(day.String())); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	add("mutated.csv", []byte(day.String()), "dataset", "info")
	add("mutated.csv.gz", packed.Bytes(), "dataset", "info")
	add("mutated.jsonl", []byte(strings.Repeat(`{"time": "2026-03-14T15:04:05Z", "latitude": 50, "longitude": 8, "mmr": 5, "maps": ["a"]}`+"\n", 20)), "dataset", "info")
	add("mutated.csv", []byte("id,name,latitude,longitude\n1,frankfurt,50,8\n2,paris,48.9,2.3\n"), "validate")
	for _, form := range []string{".bin", ".png"} {
		var grid latencymap.Grid
		var file bytes.Buffer
		if err := latencymap.WriteMap(&file, form, &grid); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, seedFile{"latency_mutated" + form, file.Bytes(), []string{"latency", "convert", "FILE", "out.png"}})
	}
	return seeds
}

// Whatever is changed in an input, a command ends without a fault: with success, with a failed case,
// or with an error that names the file. MMSIM_MUTATIONS sets which inputs are tried.
func TestMutatedInputs(t *testing.T) {
	from, to := mutations(t)
	cases, files := caseSeeds(t), fileSeeds(t)
	projects := os.DirFS("../gallery")
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "gallery"), projects); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	commandtest.Put(t, ".", map[string]string{
		"mmsim.yaml": "seed: 1\n", "day.csv": "00:00:00,50,8\n00:00:01,50,8\n", "base.yaml": "{dataset: {file: day.csv}, clock: {duration: 1m, warmup: 0s}, output: {plots: false, html: false}}",
	})
	mustRun(t, []string{"run", "--config", "base.yaml"})
	if err := os.Rename("out", "result"); err != nil {
		t.Fatal(err)
	}
	valid := slices.Concat(cases, files)
	if to-from < 10*len(cases) { // the small form checks some
		valid = slices.Concat(cases[:20], files)
	}
	for _, seed := range valid {
		if o := trySeed(t, seed, seed.content); o.code == command.ExitBadInput || o.code == command.ExitFault {
			t.Fatalf("an input that is not mutated, %s: got exit code %d and %s, want it valid", seed.name, o.code, o.stderr)
		}
	}
	var slowest outcomeOf
	var most uint64
	codes := map[int]int{}
	attempt := func(kind string, i int, seeds []seedFile) {
		r := rand.New(rand.NewPCG(32, uint64(i)))
		seed := seeds[r.IntN(len(seeds))]
		text := mutated(r, seed.content)
		o := trySeed(t, seed, text)
		codes[o.code]++
		most = max(most, o.allocated)
		if o.took > slowest.took {
			slowest = o
		}
		isKnown := slices.Contains([]int{command.ExitGood, command.ExitFailed, command.ExitBadInput, command.ExitInterrupted}, o.code)
		if !isKnown || o.code == command.ExitBadInput && !namesFile(o.stderr, filepath.Base(seed.name), text) || o.allocated > allocatedMax || strings.Contains(o.stderr, "internal fault") {
			kept := filepath.Join(os.TempDir(), fmt.Sprintf("mutation-%s-%d-%s", kind, i, filepath.Base(seed.name)))
			_ = os.WriteFile(kept, text, 0o666) // a help for whoever reads the failure
			t.Errorf("%s %d, mmsim %s, %s: got exit code %d, %d MB allocated, %.500q; want an error that names the file", kind, i, strings.Join(seed.args, " "), kept, o.code, o.allocated>>20, o.stderr)
		}
	}
	for i := from; i < to; i++ {
		attempt("case", i, cases)
		if i%30 == 0 {
			attempt("file", i/30, files)
		}
	}
	t.Logf("cases %d to %d, and a file for every 30: exit codes %v, at most %d MB allocated, at most %v", from, to-1, codes, most>>20, slowest.took.Round(time.Millisecond))
	if codes[command.ExitGood] == 0 || codes[command.ExitBadInput] < (to-from)/10 {
		t.Errorf("got exit codes %v, want some inputs that are still valid and many that are not", codes)
	}
}
