package figure

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mmsim/reports/chart"
	"mmsim/reports/figure/worldmap"
	"mmsim/reports/grade"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// With -short each picture is drawn of the first result that has it: CI runs this test a second time
// with -race, which makes drawing ten times slower.
func TestPictures(t *testing.T) {
	drawn := map[string]bool{}
	cases := resulttest.Cases()
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		plots := Plots(cases[name], resulttest.Square)
		if testing.Short() {
			plots = slices.DeleteFunc(plots, func(p chart.Plot) bool { return drawn[p.Name] })
		}
		for _, p := range plots {
			drawn[p.Name] = true
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range plots {
				if p.Title == "" || p.Note == "" || strings.Contains(p.Title, "NaN") {
					t.Errorf("%s: got title %q and note %q, want both, without NaN", p.Name, p.Title, p.Note)
				}
				checkPNG(t, &p)
				checkSVG(t, &p)
			}
		})
	}
}

func checkPNG(t *testing.T, p *chart.Plot) {
	t.Helper()
	var file bytes.Buffer
	if err := p.WritePNG(&file); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&file)
	if err != nil {
		t.Fatalf("%s.png: %v", p.Name, err)
	}
	if got, want := m.Bounds().Dx(), chart.Width*chart.DPI/72; got != want {
		t.Errorf("%s.png: got width %d pixels, want %d", p.Name, got, want)
	}
}

func checkSVG(t *testing.T, p *chart.Plot) {
	t.Helper()
	var file bytes.Buffer
	if err := p.WriteSVG(&file); err != nil {
		t.Fatal(err)
	}
	if n := file.Len(); n > 300_000 {
		t.Errorf("%s.svg: got %d bytes, want at most 300,000", p.Name, n)
	}
	if s := file.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
		t.Errorf("%s.svg contains NaN or Inf", p.Name)
	}
	for d := xml.NewDecoder(&file); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%s.svg: %v", p.Name, err)
		}
	}
}

// Drawing the same result twice gives the same bytes.
func TestPicturesAreReproducible(t *testing.T) {
	var first, second bytes.Buffer
	for _, file := range []*bytes.Buffer{&first, &second} {
		for _, p := range Plots(resulttest.Synthetic(24, 29, 5_400_000), resulttest.Square) {
			if err := errors.Join(p.WritePNG(file), p.WriteSVG(file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two drawings of one result differ, want equal bytes")
	}
}

// No text leaves the canvas or overlaps another one.
func TestTextsKeepApart(t *testing.T) {
	for name, r := range resulttest.Cases() {
		for _, p := range Plots(r, resulttest.Square) {
			for _, fault := range resulttest.TextFaults(&p) {
				t.Errorf("%s: %s", name, fault)
			}
		}
	}
}

func TestWritePlots(t *testing.T) {
	r := resulttest.Synthetic(24, 3, 1000)
	var names []string
	files := map[string]*bytes.Buffer{}
	create := func(name string) (io.WriteCloser, error) {
		names, files[name] = append(names, name), &bytes.Buffer{}
		return resulttest.NopCloser{Writer: files[name]}, nil
	}
	if err := Write(Plots(r, resulttest.Square), create); err != nil {
		t.Fatal(err)
	}
	want := "wait-time.png wait-time.svg rtt.png rtt.svg rtt-best.png rtt-best.svg ccu.png ccu.svg searches.png searches.svg states.png states.svg datacenters.png datacenters.svg map.png map.svg"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got files %s, want %s", got, want)
	}
	full := errors.New("disk full")
	err := Write(Plots(r, resulttest.Square), func(string) (io.WriteCloser, error) { return nil, full })
	if !errors.Is(err, full) {
		t.Errorf("got error %v, want %v", err, full)
	}
}

// Titles state what the numbers show.
func TestTitles(t *testing.T) {
	want := map[string]string{
		"wait-time":   "A first search takes 0.62 s on average (99 % within 3.10 s), a search after a match 0.095 s",
		"rtt":         "82.8 % of players get 50 ms or better, 92.4 % get 100 ms or better; the mean RTT is 48.8 ms",
		"ccu":         "26,612 players online at the peak (21:00 UTC), 20,613 on average; 1.0 % of them search at any moment",
		"states":      "81.7 % of players match within the ideal threshold, 10.0 % after expanding it, 8.3 % as a warm body",
		"datacenters": "7 of 24 datacenters host half of the players; the highest mean RTT is 202 ms in johannesburg",
	}
	for _, p := range Plots(resulttest.Synthetic(24, 24, 5_400_000), nil) {
		if w, ok := want[p.Name]; ok && p.Title != w {
			t.Errorf("%s: got title %q, want %q", p.Name, p.Title, w)
		}
	}
}

// If the thresholds are equal, the classes between them are empty and not in the legend.
func TestClassKeyOfEqualThresholds(t *testing.T) {
	limits := grade.RTTsOf(outcome.Thresholds{Ideal: 50, Expand: 50}, nil)
	if got := len(classKey(limits.Classes())); got != 4 {
		t.Errorf("got %d legend entries for equal thresholds, want 4", got)
	}
}

// Joining cells keeps the number of players and the mean RTT.
func TestJoinCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 100, 5000, 20000} {
		var cells []result.Cell
		players, rtt := 0, 0.0
		for i := range n {
			c := result.Cell{Latitude: i%180 - 90, Longitude: i/180 - 180, Players: rng.IntN(1000), RTTMean: outcome.Millis(rng.IntN(300))}
			cells = append(cells, c)
			players += c.Players
			rtt += float64(c.Players) * float64(c.RTTMean)
		}
		marks := worldmap.Join(cells, worldmap.MaxMarks)
		if len(marks) > worldmap.MaxMarks {
			t.Errorf("%d cells: got %d marks, want at most %d", n, len(marks), worldmap.MaxMarks)
		}
		gotPlayers, gotRTT := 0, 0.0
		for _, m := range marks {
			gotPlayers += m.Players
			gotRTT += float64(m.Players) * m.RTT
			if m.Latitude < -90 || m.Latitude > 90 || m.Longitude < -180 || m.Longitude > 180 {
				t.Errorf("got a mark at %g, %g, want a valid position", m.Latitude, m.Longitude)
			}
		}
		if gotPlayers != players || math.Abs(gotRTT-rtt) > 1e-6*rtt {
			t.Errorf("%d cells: got marks of %d players with %g player-ms, want %d with %g", n, gotPlayers, gotRTT, players, rtt)
		}
	}
}

// However many cells have players, the map's file stays small. This is the largest number of
// cells that are not joined. Land takes about 60 kB more.
func TestMapStaysSmall(t *testing.T) {
	most := 0
	for step := 1; step <= 12; step++ {
		r := resulttest.Synthetic(24, 29, 5_400_000)
		r.Map = nil
		for latitude := -56; latitude < 76; latitude += step {
			for longitude := -180; longitude < 180; longitude += step {
				r.Map = append(r.Map, result.Cell{Latitude: latitude, Longitude: longitude, Players: 1 + (latitude*latitude+7*longitude*longitude)%9000, RTTMean: outcome.Millis((longitude*longitude + 9*step) % 250), WaitMean: 0.2})
			}
		}
		p := plotMap(r, nil)[0]
		var file bytes.Buffer
		if err := p.WriteSVG(&file); err != nil {
			t.Fatal(err)
		}
		if file.Len() > 230_000 {
			t.Errorf("cells %d degrees apart: got map.svg of %d bytes without land, want at most 230,000", step, file.Len())
		}
		most = max(most, len(worldmap.Join(r.Map, worldmap.MaxMarks)))
	}
	if most < worldmap.MaxMarks*3/4 {
		t.Errorf("got at most %d marks, want at least three quarters of the limit of %d", most, worldmap.MaxMarks)
	}
}

func TestRebin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var bins []result.Bin
		total := 0
		for i := range rng.IntN(900) {
			bins = append(bins, result.Bin{From: float64(i), To: float64(i + 1), Players: rng.IntN(50)})
			total += bins[i].Players
		}
		bars, _ := Rebin(bins)
		got := 0
		for _, n := range bars {
			got += n
		}
		if got != total || len(bars) > rttBars {
			t.Fatalf("%d bins of %d players: got %d bars of %d players, want at most rttBars bars of all players", len(bins), total, len(bars), got)
		}
	}
}

func BenchmarkPictures(b *testing.B) {
	r := resulttest.Synthetic(24, 29, 5_400_000)
	size, hash := 0, sha256.New()
	for b.Loop() {
		hash.Reset()
		size = 0
		for _, p := range Plots(r, resulttest.Square) {
			w := &countingWriter{Writer: hash}
			if err := errors.Join(p.WritePNG(w), p.WriteSVG(w)); err != nil {
				b.Fatal(err)
			}
			size += w.n
		}
	}
	sum := hash.Sum(nil)
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(float64(int(sum[0])<<16|int(sum[1])<<8|int(sum[2])), "hash24")
}

type countingWriter struct {
	io.Writer
	n int
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.n += len(b)
	return w.Writer.Write(b)
}

// The waits through the day are those of first searches only.
func TestWaitPlotShowsFirstSearches(t *testing.T) {
	picture := func(change func(w *result.Window)) string {
		r := resulttest.Synthetic(24, 1, 100_000)
		for i := range r.Windows {
			change(&r.Windows[i])
		}
		p := plotWaitTime(r)
		svg, _ := p.Inline()
		return svg
	}
	same := picture(func(*result.Window) {})
	if picture(func(w *result.Window) { w.WaitP50, w.WaitP90, w.WaitP99 = 7, 8, 9 }) != same {
		t.Error("the plot changed with the waits of repeated searches, want it unchanged")
	}
	if picture(func(w *result.Window) { w.WaitFirstP50 *= 2 }) == same {
		t.Error("the plot did not change with the waits of first searches")
	}
	_, ys := overWindows(&result.Result{Windows: []result.Window{{Matched: 8, WaitFirstP50: 3}, {T: result.WindowLength, Matched: 8, WaitFirstP50: outcome.Seconds(math.NaN())}}},
		func(w *result.Window) float64 { return float64(w.WaitFirstP50) })
	if fmt.Sprint(ys) != "[3 3 NaN NaN]" {
		t.Errorf("a window without first searches: got values %v, want NaN", ys)
	}
}

// Every picture shows a declared metric. A result without the metric does not have the picture.
func TestPicturesShowMetrics(t *testing.T) {
	for _, p := range pictures {
		declared := func(m outcome.Metric) bool { return outcome.MatchesPattern(p.shows, m.Name) }
		if !slices.ContainsFunc(outcome.Metrics(), declared) {
			t.Errorf("a picture shows %s, which is not a declared metric", p.shows)
		}
	}
	names := func(r *result.Result) (list []string) {
		for _, p := range Plots(r, nil) {
			list = append(list, p.Name)
		}
		return list
	}
	for _, test := range []struct {
		of   *result.Result
		want string
	}{
		{resulttest.Article(), "wait-time rtt rtt-best ccu searches states map"}, // of one datacenter,
		{resulttest.Rules(), "wait-time rtt rtt-best ccu searches rules quality map"},
		{resulttest.Servers(), "rtt rtt-best servers signals datacenters map"},
		{resulttest.Queues(), "wait-time steps-1 rtt ccu searches states rules-1 datacenters map map-1 map-2"},
	} {
		if got := strings.Join(names(test.of), " "); got != test.want {
			t.Errorf("got pictures %s, want %s", got, test.want)
		}
	}
}

// With several queues, the map of all players has no RTTs, and the map of a queue has only its
// own.
func TestMapsOfQueues(t *testing.T) {
	drawn := func(change func(r *result.Result)) (texts [3]string) {
		r := resulttest.Queues()
		change(r)
		for i, p := range plotQueueMaps(r, resulttest.Square) {
			var text bytes.Buffer
			if err := p.WriteSVG(&text); err != nil {
				t.Fatal(err)
			}
			texts[i] = text.String()
		}
		return texts
	}
	plain := drawn(func(*result.Result) {})
	if strings.Contains(plain[0], " ms") {
		t.Error("the map of all queues contains RTTs, want none")
	}
	if !strings.Contains(plain[1], "ranked: 90 % of players get 41.0 ms or better; the mean RTT is 31.0 ms") {
		t.Error("the title of the first queue's map does not contain its RTTs")
	}
	pooled := drawn(func(r *result.Result) {
		for i := range r.Map {
			r.Map[i].RTTMean += 500
		}
	})
	if pooled != plain {
		t.Error("a map changed with the RTTs over all queues, want it unchanged")
	}
	other := drawn(func(r *result.Result) {
		for i := range r.QueueMaps {
			if c := &r.QueueMaps[i]; c.Queue == "ranked" {
				c.RTTMean += 500
			}
		}
	})
	if other[0] != plain[0] || other[1] == plain[1] || other[2] != plain[2] {
		t.Error("changing the RTTs of the first queue: want its own map to change and the others not to")
	}
	if earlier := plotQueueMaps(&result.Result{Summary: resulttest.Queues().Summary}, nil); len(earlier) != 1 {
		t.Errorf("a result without maps by queue: got %d maps, want 1", len(earlier))
	}
}

// A state in which no player was matched has no mean RTT.
func TestStatesWithoutWarmBodies(t *testing.T) {
	r := resulttest.Article()
	r.Summary.States.WarmBody = outcome.StateStats{}
	if label := plotStates(r, nil)[0].Key[2].Text; label != "WARMBODY, anywhere" {
		t.Errorf("got label %q, want \"WARMBODY, anywhere\"", label)
	}
}

func TestCumulative(t *testing.T) {
	d := result.Distribution{Bins: []result.Bin{{From: 0, To: 0, Players: 50}, {From: 0, To: 0.1, Players: 10}, {From: 0.1, To: 0.2, Players: 20}, {From: 0.2, To: 0.3, Players: 20}}}
	xs, ys := Cumulative(d, 0.1)
	if got, want := fmt.Sprint(xs, ys), "[0.1 0.2 0.3] [0.6 0.8 1]"; got != want {
		t.Errorf("cumulative: got %s, want %s", got, want)
	}
	instant := result.Distribution{Bins: []result.Bin{{From: 0, To: 0, Players: 7}}}
	if xs, ys := Cumulative(instant, 0.1); len(xs) != 1 || xs[0] != 0.1 || ys[0] != 1 {
		t.Errorf("all waits are 0: got %v %v, want [0.1] [1]", xs, ys)
	}
	if xs, _ := Cumulative(result.Distribution{}, 0.1); len(xs) != 0 {
		t.Errorf("no players: got %v, want no values", xs)
	}
}

// The panel of hours ends with the last hour of a run that is shorter than a day.
func TestRulesOfShortRun(t *testing.T) {
	r := resulttest.Rules()
	r.Summary.Run.Duration = 6 * 3600
	p := plotRulesets(r, nil)[0]
	svg, _ := p.Inline()
	if !strings.Contains(svg, ">06:00<") || strings.Contains(svg, ">08:00<") {
		t.Error("the axis of a run of 6 h does not end at 06:00")
	}
}

// If the reason is unknown for some expired tickets, the picture says for how many it is known.
func TestUnexplainedExpiry(t *testing.T) {
	r := outcome.Rules{Placement: "pool", Expiry: outcome.Expiry{Tickets: 244, Explained: 174}}
	if got, want := expiryHead(&r), "tickets that expired, by what kept them from a match (known for 174 of 244)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Placement, r.Expiry.Explained = "datacenters", 244
	if got, want := expiryHead(&r), "tickets that failed, by what kept them from a match"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The shares of states are of the players who had a state, not of those from a pool.
func TestStatesBesidePools(t *testing.T) {
	r := resulttest.Article()
	s := &r.Summary
	s.States.Ideal.Matched, s.States.Expand.Matched, s.States.WarmBody.Matched = 60, 30, 10
	s.Players.Matched = 1000
	p := plotStates(r, nil)[0]
	if want := "60.0 % of players match within the ideal threshold, 30.0 % after expanding it, 10.0 % as a warm body"; p.Title != want {
		t.Errorf("title %q, want %q", p.Title, want)
	}
	if want := "without the 90.0 % who were matched from a pool"; !strings.Contains(p.Note, want) {
		t.Errorf("note %q lacks %q", p.Note, want)
	}
}

// All datacenters without players are named, in as many lines as they need, or counted.
func TestIdleNames(t *testing.T) {
	for _, n := range []int{0, 1, 30, 300} {
		sites := make([]outcome.Datacenter, n)
		for i := range sites {
			sites[i].Name = fmt.Sprintf("datacenter-%03d", i)
		}
		lines := idleNames(sites)
		text, more := strings.Join(lines, " "), 0
		if at := strings.Index(text, "and "); at >= 0 {
			fmt.Sscanf(text[at:], "and %d more", &more)
		}
		if named := strings.Count(text, "datacenter-"); named+more != n || len(lines) > idleLines {
			t.Errorf("%d datacenters: %d names and %d more in %d lines", n, named, more, len(lines))
		}
		for _, line := range lines {
			if w := chart.SmallFace.Width(line); w > chart.Width-2*chart.Margin {
				t.Errorf("a line is %g wide: %s", w, line)
			}
		}
	}
}

// A result without states does not name their thresholds.
func TestLimitsWithoutStates(t *testing.T) {
	for _, test := range []struct {
		of   *result.Result
		want string
	}{{resulttest.Article(), "ideal 50 ms"}, {resulttest.Rules(), "good 50 ms"}} {
		p := plotRTT(test.of)
		if svg, _ := p.Inline(); !strings.Contains(svg, test.want) {
			t.Errorf("the picture lacks %q", test.want)
		}
	}
}

// A title after the name of a queue continues in lower case, unless it begins with an acronym or a number.
func TestLowerFirst(t *testing.T) {
	for text, want := range map[string]string{"Rules were relaxed": "rules were relaxed", "RTT is low": "RTT is low", "90 % of players": "90 % of players", "": ""} {
		if got := lowerFirst(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// A group without players has no wait and no RTT.
func TestBarsWithoutPlayers(t *testing.T) {
	none := outcome.Served{}
	if wait, rtt := waitBar(&none), rttBar(&none); wait != (chart.Bar{Label: "–"}) || rtt != wait {
		t.Errorf("got %v and %v", wait, rtt)
	}
}

// At least one of the tested results has each picture.
func TestEveryPictureIsDrawn(t *testing.T) {
	for _, p := range pictures {
		drawn := false
		for _, r := range resulttest.Cases() {
			drawn = drawn || p.isOf(&r.Summary, r.Summary.MetricValues())
		}
		if !drawn {
			t.Errorf("no case of resulttest has the picture of %s", p.shows)
		}
	}
}

// A picture that would show a single number is left out: the only datacenter or signal, and the state
// in which everybody is matched.
func TestNoPictureOfOneNumber(t *testing.T) {
	r := resulttest.Synthetic(24, 3, 1000)
	servers := resulttest.Servers()
	has := func(r *result.Result, name string) bool {
		return slices.ContainsFunc(Plots(r, nil), func(p chart.Plot) bool { return p.Name == name })
	}
	if !has(r, "datacenters") || !has(r, "states") || !has(servers, "signals") {
		t.Error("pictures of several datacenters, states or signals are missing")
	}
	r.Summary.ByDatacenter = r.Summary.ByDatacenter[:1]
	r.Summary.States.Ideal.Matched, r.Summary.States.Expand.Matched, r.Summary.States.WarmBody.Matched = 1000, 0, 0
	servers.Summary.Servers.Signals = servers.Summary.Servers.Signals[:1]
	for name, r := range map[string]*result.Result{"datacenters": r, "states": r, "signals": servers} {
		if has(r, name) {
			t.Errorf("there is a picture %s of one number", name)
		}
	}
}
