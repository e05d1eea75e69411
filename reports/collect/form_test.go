package collect

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
)

// textOf returns s as the text of a summary.json.
func textOf(t testing.TB, s *outcome.Summary) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// ParseSummary rejects every value that no run writes; it does not read such a value as 0 or as
// another number. Errors have the line and column in the text, which is indented by two spaces
// per level.
func TestParseSummaryRefuses(t *testing.T) {
	article := &resulttest.Article().Summary
	article.Wait = outcome.WaitStats{} // so that its lines contain zeros that the cases below replace
	good := textOf(t, article)
	if _, err := outcome.ParseSummary([]byte(good)); err != nil {
		t.Fatal(err)
	}
	wait := strings.Count(good[:strings.Index(good, "\n  \"wait_s\": {")], "\n") + 2 // the line of wait_s
	const p95 = `"p95": 0.000`
	at := func(line, column int, message string) string {
		return strings.Join([]string{"summary.json", strconv.Itoa(line), strconv.Itoa(column), " " + message}, ":")
	}
	head, block, _ := strings.Cut(good, "\n  \"wait_s\": {")
	for name, test := range map[string]struct{ from, to, want string }{
		"absent":    {p95 + ",", "", at(wait, 13, `wait_s has no "p95", expected seconds from 0`)},
		"null":      {p95, `"p95": null`, ""}, // not measured
		"no count":  {`"count": 0`, `"count": null`, at(wait+1, 14, "wait_s.count is null, expected a number from 0")},
		"negative":  {p95, `"p95": -0.5`, at(wait+6, 12, "wait_s.p95 is -0.5, expected seconds from 0")},
		"text":      {p95, `"p95": "0.5"`, at(wait+6, 12, `wait_s.p95 is "0.5", expected seconds from 0`)},
		"truth":     {p95, `"p95": true`, at(wait+6, 12, "wait_s.p95 is true, expected seconds from 0")},
		"list":      {p95, `"p95": [1]`, at(wait+6, 12, "wait_s.p95 is a list, expected seconds from 0")},
		"object":    {p95, `"p95": {}`, at(wait+6, 12, "wait_s.p95 is an object, expected seconds from 0")},
		"huge":      {p95, `"p95": 1e999`, at(wait+6, 12, "wait_s.p95 is 1e999, expected seconds from 0")},
		"NaN":       {p95, `"p95": NaN`, at(wait+6, 12, "the text is not valid JSON: invalid character 'N' looking for beginning of value")},
		"twice":     {p95, p95 + ", " + p95, at(wait+6, 19, `wait_s has "p95" twice, first in line `+strconv.Itoa(wait+6)+`, expected it once`)},
		"case":      {p95, p95 + `, "P95": 9`, at(wait+6, 19, `wait_s has "P95", expected "p95"`)},
		"share":     {`"share_zero": 0.00000`, `"share_zero": 1.00001`, at(wait+9, 19, "wait_s.share_zero is 1.00001, expected a share from 0 to 1")},
		"count":     {`"count": 0`, `"count": -1`, at(wait+1, 14, "wait_s.count is -1, expected a number from 0")},
		"unknown":   {p95, p95 + `, "p96": null`, ""},
		"no number": {`"p95": 0.000`, `"p95": -`, at(wait+6, 13, "the text is not valid JSON: invalid character ',' in numeric literal")},
	} {
		if !strings.Contains(block, test.from) {
			t.Fatalf("%s: wait_s does not contain %s, which the test replaces", name, test.from)
		}
		text := head + "\n  \"wait_s\": {" + strings.Replace(block, test.from, test.to, 1)
		_, err := outcome.ParseSummary([]byte(text))
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want) {
			t.Errorf("%s: got error %v, want %s", name, err, test.want)
		}
	}
	for name, test := range map[string]struct{ from, to, want string }{
		"block":            {`"rtt_ms": {`, `"rtt": {`, `summary.json:1:1: the file has no "rtt_ms", expected an object`},
		"block twice":      {`"rtt_ms": {`, `"wait_s": {}, "rtt_ms": {`, `the file has "wait_s" twice`},
		"group twice":      {`"EU": {`, `"AF": {`, `by_continent has "AF" twice`},
		"null block":       {`"attributes": {`, `"attributes": null, "was": {`, "attributes is null, expected an object"},
		"null list":        {`"by_hour": [`, `"by_hour": null, "was": [`, "by_hour is null, expected a list"},
		"null among hours": {`"by_hour": [`, `"by_hour": [null,`, "by_hour.0 is null, expected an object"},
		"schema":           {`"schema": 2`, `"schema": null`, "summary.json:2:13: schema is null, expected a whole number from 0"},
	} {
		if !strings.Contains(good, test.from) {
			t.Fatalf("%s: the summary does not contain %s, which the test replaces", name, test.from)
		}
		if _, err := outcome.ParseSummary([]byte(strings.Replace(good, test.from, test.to, 1))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", name, err, test.want)
		}
	}
	if _, err := outcome.ParseSummary([]byte("null")); err == nil || err.Error() != "summary.json:1:1: the file is null, expected an object" {
		t.Errorf("null: got error %v, want it refused", err)
	}
}

// ParseSummary reads back every summary of a run or an aggregate, even if only some of the runs
// have a group.
func TestParseSummaryOfWrittenResults(t *testing.T) {
	for i, w := range randomRuns() {
		empty := *w.Result
		empty.Summary.ByContinent, empty.Summary.Wait, empty.Summary.ByPartySize = outcome.Groups{}, outcome.WaitStats{}, outcome.Groups{}
		for _, s := range []*outcome.Summary{&w.Result.Summary, resulttest.Aggregate(w.Result), resulttest.Aggregate(&empty, w.Result, w.Result)} {
			if _, err := outcome.ParseSummary([]byte(textOf(t, s))); err != nil {
				t.Errorf("run %d: %v", i, err)
			}
		}
	}
}

// ParseSummary rejects an aggregate in which a number has no entry in replications.metrics,
// because readers would take it for a number that no run has.
func TestParseSummaryOfAggregate(t *testing.T) {
	text := textOf(t, resulttest.Aggregate(randomRuns()[3].Result, randomRuns()[3].Result))
	for name, test := range map[string]struct{ from, to, want string }{
		"absent":    {`"rtt_ms.p95": {`, `"was": {`, `replications.metrics has no "rtt_ms.p95" of at least 1 run, expected one: the summary has the number`},
		"no mean":   {`"mean"`, `"was"`, `replications.metrics.players.joins has no "mean", expected a number`},
		"no runs":   {`"runs": 2,`, `"runs": 0,`, "expected"},
		"many runs": {"\"rtt_ms.p95\": {\n        \"runs\": 2", "\"rtt_ms.p95\": {\n        \"runs\": 3", "replications.metrics.rtt_ms.p95.runs is 3, expected at most the 2 of replications.runs"},
	} {
		before, metrics, _ := strings.Cut(text, `"replications": {`)
		if !strings.Contains(metrics, test.from) {
			t.Fatalf("%s: the metrics do not contain %s, which the test replaces", name, test.from)
		}
		_, err := outcome.ParseSummary([]byte(before + `"replications": {` + strings.Replace(metrics, test.from, test.to, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), "summary.json:") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %s", name, err, test.want)
		}
	}
}
