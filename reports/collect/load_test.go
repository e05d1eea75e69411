package collect

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

func TestLoadRefusesBadFiles(t *testing.T) {
	good := resulttest.Written(t, randomRuns()[3].Result).FS()
	for _, test := range []struct {
		name, file, from, to string // from occurs once in the file and is replaced by to
		want                 string // LINE stands for the line of the replacement
	}{
		{"schema", "summary.json", `"schema": 2`, `"schema": 7`, `summary.json: "schema" is 7, want 2: make the result again with this version`},
		{"syntax", "summary.json", `"schema": 2,`, `"schema": 2;`, "summary.json:2:14: the text is not valid JSON: invalid character ';'"},
		{"type", "summary.json", `"complete": true`, `"complete": "yes"`, `summary.json:3:15: complete is "yes", expected true or false`},
		{"type in a group", "summary.json", `"latitude": `, `"latitude": "x", "was": `, `summary.json:LINE:19: by_datacenter.frankfurt.latitude is "x", expected a number`},
		{"group list", "summary.json", `"by_continent": {`, `"by_continent": [], "was": {`, `summary.json:LINE:19: by_continent is a list, expected an object`},
		{"hours", "summary.json", "\n  \"by_hour\": [", `"by_hour": [], "was": [`, `summary.json: "by_hour" has 0 hours, want 24`},
		{"columns", "timeseries.csv", "t_s,playing", "t,playing", `timeseries.csv:1:1: the columns are "t,playing,`},
		{"number", "timeseries.csv", "\n60,", "\nsixty,", `timeseries.csv:3:1: t_s is "sixty", want a whole number`},
		{"fields", "percentiles.csv", "\n0,", "\n0,0,", "percentiles.csv:2:1: wrong number of fields"},
		{"missing minute", "timeseries.csv", "\n60,", "\n120,", "timeseries.csv:3:1: t_s is 120, want 60: a row for every 60 s"},
		{"missing window", "percentiles.csv", "\n0,", "\n900,", "percentiles.csv:2:1: t_s is 900, want 0: "},
		{"reached", "summary.json", `"reached_s": `, `"reached_s": -1, "was": `, `summary.json:11:18: run.reached_s is -1, expected seconds from 0`},
		{"quote", "map.csv", "wait_mean_s\n", "wait_mean_s\n\"", "map.csv:"},
		{"nan", "distributions.csv", "wait_first_s,0,0,", "wait_first_s,0,NaN,", `distributions.csv:2:16: to is "NaN", want a number`},
		{"bin", "distributions.csv", "wait_first_s,0,0,", "wait_first_s,0.5,0,7\nwait_first_s,0,0,", "distributions.csv:2:1: 7 players from 0.5 to 0, want"},
		{"long bin", "distributions.csv", "wait_first_s,0,0,", "wait_first_s,0,1e8,", "distributions.csv:2:1: "},
		{"cell", "map.csv", "wait_mean_s\n", "wait_mean_s\n90,0,5,1,1\n", "map.csv:2:1: 5 players at 90,0, want"},
		{"empty cell", "map.csv", "wait_mean_s\n", "wait_mean_s\n0,0,0,1,1\n", "map.csv:2:1: 0 players at 0,0, want"},
		{"duration", "summary.json", `"duration_s": `, `"duration_s": 1e300, "was": `, `summary.json: "duration_s" is 1e+300, want`},
		{"position", "summary.json", `"latitude": `, `"latitude": 90.5, "was": `, `summary.json: "frankfurt" is at 90.5,`},
		{"measure", "distributions.csv", "wait_first_s", "wait_ms", `distributions.csv:2:1: measure is "wait_ms", want one of`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := string(good[test.file].Data)
			before, after, found := strings.Cut(text, test.from)
			if !found {
				t.Fatalf("%s does not contain %q, which the test replaces", test.file, test.from)
			}
			line := strconv.Itoa(1 + strings.Count(before, "\n"))
			wantLoadError(t, good, test.file, before+test.to+after, strings.ReplaceAll(test.want, "LINE", line))
		})
	}
	for _, name := range []string{"summary.json", "timeseries.csv", "percentiles.csv", "distributions.csv", "map.csv"} {
		wantLoadError(t, good, name, "", name+":1:1: ")
		files := fstest.MapFS{}
		for other, file := range good {
			if other != name {
				files[other] = file
			}
		}
		if _, err := result.Load(files); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: got error %v, want one that names the file", name, err)
		}
	}
}

// Load rejects a series that ends before or after the run.
func TestLoadRefusesSeriesOfAnotherLength(t *testing.T) {
	good := resulttest.Written(t, randomRuns()[3].Result).FS()
	for _, name := range []string{"timeseries.csv", "percentiles.csv"} {
		lines := strings.SplitAfter(strings.TrimSuffix(string(good[name].Data), "\n"), "\n")
		n := len(lines) // one more than the rows, because of the header
		wantLoadError(t, good, name, strings.Join(lines[:n-1], ""), fmt.Sprintf("%s:%d:1: %s, want %d: one for every", name, n, words.Plural(n-2, "row"), n-1))
		step := map[string]int{"timeseries.csv": 60, "percentiles.csv": 900}[name]
		_, more, _ := strings.Cut(lines[n-1], ",")
		wantLoadError(t, good, name, strings.Join(lines, "")+fmt.Sprintf("\n%d,%s\n", (n-1)*step, more), fmt.Sprintf("%s:%d:1: %s, want %d: one for every", name, n+1, words.Plural(n, "row"), n-1))
	}
}

// wantLoadError replaces the text of one file and expects Load to return an error.
func wantLoadError(t *testing.T, good fstest.MapFS, name, text, want string) {
	t.Helper()
	files := fstest.MapFS{}
	for other, file := range good {
		files[other] = file
	}
	files[name] = &fstest.MapFile{Data: []byte(text)}
	if _, err := result.Load(files); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%s: got error %v, want prefix %s", name, err, want)
	}
}
