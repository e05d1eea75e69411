package command

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/gate"
	"mmsim/matcher/casefile"
)

// compiled returns a schema that an independent library has compiled.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schemaDocument(name)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name) // also checks the schema against the schema of draft 7
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// checked returns the error of a schema about a text in JSON or YAML.
func checked(s *jsonschema.Schema, text []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		if err := yaml.Unmarshal(text, &document); err != nil {
			return err
		}
	}
	return s.Validate(document)
}

// repositoryFiles returns the repository's files with the given extension, including those
// inside test scripts.
func repositoryFiles(t *testing.T, extension string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		kind := filepath.Ext(path)
		if kind != extension && kind != ".txtar" {
			return nil
		}
		text, err := os.ReadFile(path)
		if kind == extension {
			files[path] = text
			return err
		}
		for _, inside := range txtar.Parse(text).Files {
			if filepath.Ext(inside.Name) == extension {
				files[path+"/"+inside.Name] = inside.Data
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Schemas accept what mmsim accepts: every configuration and gate in the repository, and every
// complete configuration. Package search checks sweeps and tunings, because it can read them
// without simulating.
func TestSchemasAcceptValidFiles(t *testing.T) {
	examples := repositoryFiles(t, ".yaml")
	configs, gates := compiled(t, "config"), compiled(t, "gate")
	count := map[string]int{}
	t.Chdir(t.TempDir())
	for name, text := range examples {
		takes := func(kind string, s *jsonschema.Schema, text []byte) {
			t.Helper()
			count[kind]++
			if err := checked(s, text); err != nil {
				t.Errorf("%s: checking against the schema of a %s: %v", name, kind, err)
			}
		}
		if err := os.WriteFile("example.yaml", text, 0o666); err != nil {
			t.Fatal(err)
		}
		if c, err := config.Read("example.yaml", nil); err == nil {
			takes("configuration", configs, text)
			resolved, err := c.Resolved("")
			if err != nil {
				t.Fatal(err)
			}
			takes("resolved configuration", configs, resolved)
		}
		if _, err := gate.Read("example.yaml"); err == nil {
			takes("gate", gates, text)
		}
	}
	for kind, least := range map[string]int{"configuration": 20, "resolved configuration": 20, "gate": 8} {
		if count[kind] < least {
			t.Errorf("checked %d files of kind %s, want at least %d", count[kind], kind, least)
		}
	}
}

// The schema of every key accepts the unusual values that mmsim accepts.
func TestSchemaTakesOddValues(t *testing.T) {
	s := compiled(t, "config")
	t.Chdir(t.TempDir())
	keys, _ := config.SchemasOfKeys()
	taken := 0
	for key := range keys {
		for _, odd := range []string{
			"", "~", `""`, "0", `"0"`, "-0", "+1", "1", `"1"`, "1.0", "2", "1.0e+2", "0.5", ".5", "5.", "1_000", "0x10", "010", "1e400", "true", `"true"`, "True", "word", "5 words",
			"0s", "5m", "+5m", "1.5h", ".5s", "5.s", "1h30m", "5 m", "1µs", "UTC", "+02:00", "2026-03-14", `"2026-03-14"`, "12:30", "{}", "[]", "[a]", "[1, true]", "{a: b}", "{a: [b]}", "{1: 1}", "{\"1\": 1}", "{1e0: 1.0}",
		} {
			text := strings.ReplaceAll(key, ".", ": {") + ": " + odd + strings.Repeat("}", strings.Count(key, "."))
			if err := os.WriteFile("odd", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := config.Read("odd", nil); err != nil {
				continue
			}
			taken++
			if err := checked(s, []byte(text)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if taken < 500 {
		t.Errorf("the reader accepted %d of the values, want at least 500", taken)
	}
}

func TestSchemaTakesCases(t *testing.T) {
	s, found := compiled(t, "case"), 0
	for name, text := range repositoryFiles(t, ".json") {
		if _, err := casefile.Read(name, text, nil); err != nil {
			continue // either not a case, or one that must be rejected
		}
		found++
		if err := checked(s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if found < 200 {
		t.Errorf("checked %d cases, want at least 200", found)
	}
}

// mmsim rejects everything that a schema rejects, so that editors never mark a valid file as
// wrong.
func TestSchemasRefuseOnlyWhatIsRefused(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range schemaNames() {
		schemas[name] = compiled(t, name)
	}
	t.Chdir(t.TempDir())
	for _, wrong := range []struct{ schema, text string }{
		{"config", "[]"},
		{"config", "match: {sise: 4}"},
		{"config", "match.size: 4"},
		{"config", "match: {size: four}"},
		{"config", "match: {size: 1}"},
		{"config", "match: {size: 2.5}"},
		{"config", "match: {length: 300}"},
		{"config", "match: {length: {mean: 5m, median: 4m}}"},
		{"config", "seed: -1"},
		{"config", "dataset: {spread: yes please}"},
		{"config", "dataset: {spread: \"true\"}"},
		{"config", "dataset: {date: {}}"},
		{"config", "dataset: {time_zone: [UTC]}"},
		{"config", "dataset: {builtin: {date: 1972-01-01}}"},
		{"config", "dataset: {builtin: {preset: moon}}"},
		{"config", "dataset: {columns: {build: word}}"},
		{"config", "players: {play_again: 1}"},
		{"config", "players: {parties: {two: 1}}"},
		{"config", "players: {parties: {1: 1.5}}"},
		{"config", "players: {attributes: {mmr: {normal: {mean: 1500}}}}"},
		{"config", "players: {attributes: {mmr: {constant: 1, uniform: {min: 0, max: 1}}}}"},
		{"config", "players: {attributes: {mmr: {constant: 1, kind: number}}}"},
		{"config", "players: {attributes: {lang: {by_country: {France: fr}}}}"},
		{"config", "placement: pools"},
		{"config", "regions: {EastUs: []}"},
		{"config", "regions: {EastUs: [ashburn, ashburn]}"},
		{"config", "queues: [{share: 1}]"},
		{"config", "queues: [{name: duel, share: 1, when: {mode: duel}}]"},
		{"config", "queues: [{name: duel, players: {play_again: 0.5}}]"},
		{"config", "servers: {session: {weibull: {shape: 0.5, scale: 20m}, constant: 5m}}"},
		{"config", "servers: {attributes: {mode: {}}}"},
		{"config", "output: {dir: \"\"}"},
		{"gate", "{}"},
		{"gate", "wait_s.p95: 10s"},
		{"gate", "wait_s.p95: {most: 10s}"},
		{"gate", "wait_s.p95: {max: soon}"},
		{"gate", "wait_s.p95: {max: -1}"},
		{"gate", "wait_s.p95: {min_players: 10}"},
		{"sweep", "runs: 2"},
		{"sweep", "settings: {}"},
		{"sweep", "settings: {match.sise: [2, 4]}"},
		{"sweep", "settings: {match.size: [2, four]}"},
		{"sweep", "settings: {match.size: 4}"},
		{"sweep", "settings: {match.size: {from: 2, to: 8}}"},
		{"sweep", "settings: {match.size: {from: 2, to: 8, step: 2, steps: 4}}"},
		{"sweep", "{settings: {match.size: [2, 4]}, runs: 0}"},
		{"sweep", "{settings: {match.size: [2, 4]}, minimise: rtt_ms.mean}"},
		{"sweep", "settings: {datacenters.use: {best: {candidates: 2}}}"},
		{"sweep", "settings: {match.size: {best: {count: 2}}}"},
		{"tune", "{settings: {datacenters.use: {best: {count: 2}}}, minimise: rtt_ms.mean}"},
		{"site", "runs: 2"},
		{"site", "count: 65"},
		{"site", "count: {from: 3}"},
		{"site", "{count: 2, candidates: 51}"},
		{"site", "{count: 2, minimise: [rtt_ms.mean, rtt_ms.p95, rtt_ms.p50, wait_s.mean]}"},
		{"site", "{count: 2, maximise: [rtt_ms.mean]}"},
		{"tune", "settings: {match.size: [2, 4]}"},
		{"tune", "minimise: rtt_ms.mean"},
		{"tune", "{settings: {seed: [1, 2]}, minimise: rtt_ms.mean}"},
		{"tune", "{settings: {match.size: [2, 4]}, minimise: [a, b, c, d]}"},
		{"tune", "{settings: {match.size: [2, 4]}, minimise: rtt_ms.mean, budget: {runs: 5, minutes: 1}}"},
		{"tune", "{settings: {match.size: [2, 4]}, minimise: rtt_ms.mean, halve: players}"},
		{"tune", "{settings: {match.size: [2, 4]}, minimise: rtt_ms.mean, constraints: {wait_s.p95: {max: 1, min_players: 5}}}"},
		{"case", `{"at": 1, "tickets": []}`},
		{"case", `{"rules": 5, "at": 1, "tickets": []}`},
		{"case", caseWith(`"at": -1, "tickets": []`)},
		{"case", caseWith(`"at": 1, "tickets": [], "tickts": []`)},
		{"case", caseWith(`"at": 1, "tickets": [], "follow": "book"`)},
		{"case", caseWith(`"at": 1, "tickets": [{"id": "a", "created_at": 0}]`)},
		{"case", caseWith(`"at": 1, "tickets": [{"id": "", "created_at": 0, "players": [{"id": "p"}]}]`)},
		{"case", caseWith(`"at": 1, "tickets": [{"id": "a", "created_at": 0, "give_up_after": 0, "players": [{"id": "p"}]}]`)},
		{"case", caseWith(`"at": 1, "tickets": [{"id": "a", "created_at": 0, "players": [{"id": "p", "latencies": {"EastUs": -1}}]}]`)},
		{"case", caseWith(`"at": 1, "tickets": [], "sessions": [{"id": "s", "created_at": 0, "capacity": 1.5}]`)},
		{"case", caseWith(`"at": 1, "tickets": [], "expect": {"any_of": []}`)},
		{"case", caseWith(`"at": 1, "tickets": [], "expect": {"any_of": [{"matches": []}], "matches": []}`)},
		{"case", caseWith(`"at": 1, "tickets": [], "expect": {"backfills": [{"tickets": []}]}`)},
	} {
		if checked(schemas[wrong.schema], []byte(wrong.text)) == nil {
			t.Errorf("schema %s accepted %s, want it refused", wrong.schema, wrong.text)
		}
		if err := os.WriteFile("wrong", []byte(wrong.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if !refuses(t, wrong.schema) {
			t.Errorf("mmsim accepted the %s %s, want it refused", wrong.schema, wrong.text)
		}
	}
}

// caseWith returns a case file with rules and the given members.
func caseWith(members string) string {
	return `{"rules": {"Name": "duel", "MinMatchSize": 2, "MaxMatchSize": 2}, ` + members + "}"
}

// refuses reports whether mmsim rejects the file named wrong.
func refuses(t *testing.T, schema string) bool {
	t.Helper()
	var err error
	switch schema {
	case "config":
		_, err = config.Read("wrong", nil)
	case "gate":
		_, err = gate.Read("wrong")
	case "case":
		var text []byte
		if text, err = os.ReadFile("wrong"); err != nil {
			t.Fatal(err)
		}
		_, err = casefile.Read("wrong", text, nil)
	default:
		return Run([]string{schema, "wrong", "--out", "out", "--quiet"}, nil, io.Discard, io.Discard) == ExitBadInput
	}
	return err != nil
}
