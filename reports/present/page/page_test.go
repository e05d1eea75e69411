package page

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"mmsim/reports/chart"
	"mmsim/reports/figure"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// answersOf returns the answers of a complete run.
func answersOf(s *outcome.Summary) []present.Answer {
	s.Complete = true
	return present.Run(&result.Result{Summary: *s}, nil).Answers
}

func pageOf(t testing.TB, r *result.Result, config string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, resulttest.Square, []byte(config)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Names from data files are escaped wherever they appear.
func TestPageEscapes(t *testing.T) {
	page := pageOf(t, resulttest.HostileResult(), "name: "+resulttest.Hostile)
	for _, bad := range []string{"<script>window", "<img"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q, want it escaped", bad)
		}
	}
	if !strings.Contains(page, "&lt;script&gt;") {
		t.Error("the page does not contain the name with HTML, escaped")
	}
}

// The page loads no other files, and its elements have no event handlers.
func TestPageIsSelfContained(t *testing.T) {
	page := pageOf(t, resulttest.Moving(), "seed: 1\n")
	if found := regexp.MustCompile(`(?i)https?://|url\([^#]|@import|<link|<script [^>]*src=| href="[^#]| on[a-z]+="|javascript:`).FindString(page); found != "" {
		t.Errorf("the page contains %q, want no reference to other files", found)
	}
	if n := len(page); n > 3_000_000 {
		t.Errorf("got a page of %d bytes, want at most 3,000,000", n)
	}
}

func TestPageHasEverything(t *testing.T) {
	r := resulttest.Synthetic(24, 29, 5_400_000)
	r.Summary.Warnings = []string{"luxembourg has no latency map: model used"}
	r.Summary.RTTEstimate = &outcome.RTTStats{Count: 7}
	page := pageOf(t, r, "seed: 1\nmatch: {size: 4}\n")
	for _, want := range []string{
		"90\u00a0% of first searches that find a match take at most 1.20\u00a0s", "luxembourg has no latency map: model used", "match: {size: 4}", `id="map"`, `id="wait-time"`, "<svg",
		"<h3>Players</h3>", ">Wait, first searches<", ">RTT<", "<h3>States</h3>", "<h3>Datacenters</h3>", "<h3>Regions</h3>", "<h3>Hours</h3>",
		"johannesburg", "South America", "23:00", ">RTT, estimated<", "prefers-color-scheme:dark", "@media print",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	r.Summary.Warnings = append(r.Summary.Warnings, "mmr: "+words.MissingData)
	above := pageOf(t, r, "")
	if alarm, answers := strings.Index(above, "<li>mmr: "+words.MissingData), strings.Index(above, `<dl class="answers">`); alarm < 0 || alarm > answers || strings.Count(above, words.MissingData) != 1 {
		t.Errorf("the alarm is at byte %d and the answers at byte %d of the page, want the alarm once and first", alarm, answers)
	}
	if strings.Contains(page, "Interrupted") {
		t.Error("the page of a complete run says interrupted")
	}
	r.Summary.Complete = false
	if !strings.Contains(pageOf(t, r, ""), "Interrupted") {
		t.Error("the page of an interrupted run does not say so")
	}
}

// The page of a run with a ruleset has the sections about rules and none about states.
func TestPageOfRules(t *testing.T) {
	r := resulttest.Rules()
	r.Summary.Rules.Relaxation[1].Name = `<b onclick="x">skill`
	page := pageOf(t, r, "")
	for _, want := range []string{`id="rules"`, `id="quality"`, "<h3>How far rules were relaxed</h3>", "<h3>Why tickets expired</h3>",
		"<h3>Teams</h3>", "<h3>Match sizes</h3>", "<h3>Refused</h3>", "<h3>Queue statistics</h3>", "<h3>In common</h3>", "&lt;b onclick", "Players can request neither."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	for _, not := range []string{"<h3>States</h3>", `id="states"`, "warm bodies", "<b onclick"} {
		if strings.Contains(page, not) {
			t.Errorf("the page contains %q, want it left out", not)
		}
	}
}

func TestPageOfEveryCase(t *testing.T) {
	cases := resulttest.Cases()
	cases["moving"] = resulttest.Moving()
	for name, r := range cases {
		page := pageOf(t, r, "")
		if page != pageOf(t, r, "") {
			t.Errorf("%s: two pages of one result differ, want equal bytes", name)
		}
		text, _, _ := strings.Cut(page, `id="data"`) // the base64 in the scripts may contain NaN by chance
		if strings.Contains(text, "NaN") || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: the page contains NaN or ZgotmplZ", name)
		}
		if got, want := strings.Count(page, "<svg"), strings.Count(page, "</svg>"); got != want || got != len(present.Run(r, figure.Plots(r, nil)).Plots()) {
			t.Errorf("%s: got %d opening and %d closing svg tags, want %d", name, got, want, len(figure.Plots(r, nil)))
		}
	}
}

func BenchmarkPage(b *testing.B) {
	r := resulttest.Synthetic(24, 29, 5_400_000)
	for b.Loop() {
		if err := Write(io.Discard, r, resulttest.Square, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The page defines every colour of chart.Themed. In the light theme it is the colour of the
// pictures, in the dark theme another one.
func TestPageThemesPictures(t *testing.T) {
	light, dark, found := strings.Cut(ownStyle, "prefers-color-scheme:dark")
	if !found {
		t.Fatal("the page has no style for dark mode")
	}
	for _, c := range chart.Themed {
		if want := "--" + c.Name + ":" + chart.HexColour(c.Colour); !strings.Contains(light, want) {
			t.Errorf("the style for light mode does not contain %s", want)
		}
		if !strings.Contains(dark, "--"+c.Name+":") || strings.Contains(dark, "--"+c.Name+":"+chart.HexColour(c.Colour)) {
			t.Errorf("the style for dark mode has no other colour for --%s", c.Name)
		}
	}
}

// A value exactly at a limit gets the better mark.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		wait      outcome.Seconds
		rtt       outcome.Millis
		unmatched outcome.Count
		want      string
	}{
		{10, 50, 100, "good good good"}, {10.001, 50.01, 101, "fair fair fair"},
		{30, 100, 1000, "fair fair fair"}, {30.001, 100.01, 1001, "poor poor poor"},
	} {
		s := outcome.Summary{Thresholds: outcome.Thresholds{Ideal: 50, Expand: 100}, Players: outcome.Players{Matched: 100_000 - c.unmatched, Losses: outcome.Losses{Failed: c.unmatched - 2, Expired: 1, Bots: 1}}}
		s.WaitFirst, s.RTT = outcome.WaitStats{Count: 1, P90: c.wait}, outcome.RTTStats{Count: 1, P90: c.rtt}
		a := answersOf(&s)
		if got := a[0].Mark + " " + a[1].Mark + " " + a[2].Mark; got != c.want {
			t.Errorf("%+v: got marks %s", c, got)
		}
	}
	if a := answersOf(&outcome.Summary{}); a[0].Mark != "" || a[1].Mark != "" {
		t.Errorf("no players: got marks %q of the wait and %q of the RTT, want none", a[0].Mark, a[1].Mark)
	}
}

func TestUnbroken(t *testing.T) {
	if got, want := present.Unbroken("82.8 % get 50 ms in 2 s; 3 players"), "82.8\u00a0% get 50\u00a0ms in 2\u00a0s; 3 players"; got != want {
		t.Errorf("Unbroken: got %q, want %q", got, want)
	}
}

// Marks, colours and lines use the limits of the run and show their names.
func TestPageOfOwnLimits(t *testing.T) {
	r := resulttest.Moving()
	s := &r.Summary
	s.WaitFirst.P90, s.RTT.P90, s.Players.Failed, s.Players.Expired = 6, 31, 2, 0
	s.Players.Matched = 998
	outcome.SetEnds(&s.Players)
	s.Limits = &outcome.Limits{
		Wait:      &outcome.WaitLimits{Good: 5, Fair: 8, Classes: outcome.Classes{ShareGood: 0.8, ShareFair: 0.15, SharePoor: 0.05}},
		RTT:       &outcome.RTTLimits{Good: 30, Fair: 60, Classes: outcome.Classes{ShareGood: 0.7, ShareFair: 0.2, SharePoor: 0.1}},
		Unmatched: &outcome.UnmatchedLimits{Good: 0, Fair: 0.0015, Classes: outcome.Classes{ShareGood: 0.55, ShareFair: 0.4, SharePoor: 0.05}},
	}
	answers := answersOf(s)
	if got := answers[0].Mark + " " + answers[1].Mark + " " + answers[2].Mark; got != "fair fair poor" {
		t.Errorf("got marks %s, want fair fair poor", got)
	}
	page := strings.ReplaceAll(pageOf(t, r, ""), "\u00a0", " ")
	for _, want := range []string{
		"good up to 5 s, fair up to 8 s", "80.0 % are good, 15.0 % fair and 5.0 % poor", "good up to 30 ms, fair up to 60 ms", "70.0 % are good, 20.0 % fair and 10.0 % poor",
		"2 of 1,000 ended searches: 2 failed.<wbr> By the hour in which they began, 55.0 % are good, 40.0 % fair and 5.0 % poor.",
		"good up to 0.0 %, fair up to 0.15 % of searches", "of players get 30 ms or better", "at most 15 ms", "10.0 % of players get an RTT above 60 ms",
		"70.0 % of players get 30 ms or better, 90.0 % get 60 ms or better", ">good 30 ms<", ">fair 60 ms<",
		`"classes":[15,30,45,60,120]`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	for _, not := range []string{">ideal 50 ms<", "good up to 10 s", "get 50 ms or better"} {
		if strings.Contains(page, not) {
			t.Errorf("the page contains %q, want it left out", not)
		}
	}
}

// The page of a run on servers does not mention searches, failures or matches. If players wait,
// they wait for a server to start.
func TestPageOfServers(t *testing.T) {
	r := resulttest.Servers()
	r.Summary.ByAttributeDecile = outcome.Deciles{{Name: "Elo", Deciles: make([]outcome.Decile, 10)}}
	text := func() string {
		before, _, _ := strings.Cut(pageOf(t, r, ""), `id="data"`)
		return before
	}
	page := text()
	for _, want := range []string{"<h3>Placements</h3>", "<h3>Signals</h3>", ">Joins</h2>", "servers started", "on a server", "<h3>Hours</h3>", "By attribute"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	for _, not := range []string{"failed", "expired", "bots", "spread", "wait", "after a match", "players matched", "without a match"} {
		if strings.Contains(strings.ReplaceAll(page, "waiting for a server", ""), not) {
			t.Errorf("the page contains %q, want it left out", not)
		}
	}
	if r.Summary.Wait.Max = 5; !strings.Contains(text(), "mean wait, s") {
		t.Error("the page does not show the mean wait of players who wait for a server's start")
	}
}

// The page can show every time-lapse that result.Load accepts, even one with players only at the
// corners of the map, and one with datacenters but no players.
func TestLapseDataOfOddFrames(t *testing.T) {
	r := resulttest.Synthetic(1, 2, 40_000)
	r.Timelapse = []result.Frame{
		{T: 600, Load: []int{0, 0}},
		{T: 1200, Load: []int{1, 1<<31 - 1}, Cells: []result.FrameCell{
			{Latitude: -90, Longitude: -180, Players: 1, RTTMean: 0}, {Latitude: 89, Longitude: 179, Players: 1<<31 - 1, RTTMean: 4096},
		}},
		{T: 1800, Load: []int{0, 0}},
	}
	d, err := newLapseData(r)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(d.Packed))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	// Two cells in three frames: the players 0 0, 1 2^31-1, 0 0 as varints, then the RTTs 0 and
	// 4096.
	want := []byte{0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x07, 0, 0, 0, 0x80, 0x20}
	if !bytes.Equal(got, want) || d.Frames != 3 || d.Step != 600 || d.Latitudes[1] != 89 || d.Longitudes[0] != -180 {
		t.Errorf("got %v with %d frames, step %d, cells %v %v; want %v", got, d.Frames, d.Step, d.Latitudes, d.Longitudes, want)
	}
}

// Every picture is in a section of the page, or among the pictures of the whole run.
func TestPicturesAreOnThePage(t *testing.T) {
	for name, r := range resulttest.Cases() {
		for _, plot := range figure.Plots(r, nil) {
			inSection := slices.ContainsFunc(present.Run(r, nil).Sections, func(s present.Section) bool { return s.ID == plot.Section })
			if !inSection && plot.Section != "" {
				t.Errorf("%s: the picture %s has the Section %q, which the page does not have", name, plot.Name, plot.Section)
			}
		}
	}
}
