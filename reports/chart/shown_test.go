package chart

import (
	"encoding/json"
	"image/color"
	"math"
	"strings"
	"testing"
)

// What a picture shows is recorded by the calls that draw it: names are those of the legend, and
// values are written as the labels of the axes.
func TestShown(t *testing.T) {
	nan := math.NaN()
	p := Plot{Height: 900, Key: []KeyEntry{{Text: "playing", Colour: Blue}, {Text: "searching", Colour: Red}}, Draw: func(s *Canvas, top float64) {
		day := NewPanel(s, 100, 200, PlotRight, 0, 86400, 30000)
		day.Head("players")
		day.YAxis(NiceTicks(30000, 3))
		day.TimeAxis()
		day.Stack([]color.RGBA{Blue, Red}, []float64{0, 43200}, [][]float64{{12345.678, 1}, {nan, 2}})
		day.Curve(Green, 1, nil, nil)
		waits := NewPanel(s, 300, 400, PlotRight, 0.1, 100, 1)
		waits.X.Log, waits.Y.Tail = true, true
		waits.Head("wait at most", KeyEntry{Text: "first", Colour: Ink, Line: true})
		waits.YAxis(TailTicks())
		waits.XAxis([]Tick{{0.1, "≤ 0.1 s"}, {100, "100 s"}})
		waits.Steps(Ink, 1, []float64{0.1, 12.3456789}, []float64{0.25, 0.99994})
		modes := NewPanel(s, 500, 600, PlotRight, 0, 1, 10)
		modes.XAxis([]Tick{{0, "duel"}, {1, "2v2"}})
		modes.Columns(1, 2, []float64{0, 1}, [][]float64{{4, 5}}, func(int, int) color.RGBA { return Purple })
		modes.XName("mode")
		modes.Dot(Sky, 3, true, 1, 2.5, "trial 1")
		modes.Dot(Sky, 3, true, 1, nan, "trial 2")
		list := Bars{Head: "RTT", Left: 500, Width: 100, Row: 10, Rows: 2, Value: func(i int) Bar { return Bar{Value: 1, Label: "7 ms", Tail: 2, TailLabel: "9 ms"} }}
		list.Draw(s, 700, nil)
		list.Head, list.Left, list.Value = "players", 100, func(i int) Bar { return Bar{Value: 1, Label: "3"} }
		list.Draw(s, 700, func(i int) string { return []string{"paris", "tokyo"}[i] })
		s.Cells("heat", []string{"", "mean"}, []Cell{{Box{10, 800, 20.123456, 810}, []string{"2v2", "7 ms"}}, {Box{20.123456, 800, 30, 815}, []string{"4v4", "9 ms"}}})
		s.Cells("nothing", nil, nil)
	}}
	svg, shown := p.Inline()
	got, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[` +
		`{"number":0,"name":"players","box":[72,100,936,200],"x":{"min":0,"max":86400,"time":true},"y":{"min":0,"max":30000,"factor":1},"at":[[0,43200]],` +
		`"series":[{"name":"playing","colour":"var(--blue)","at":0,"values":[12346,1]},{"name":"searching","colour":"#D55E00","at":0,"values":[null,2]}]},` +
		`{"number":1,"name":"wait at most","box":[72,300,936,400],"x":{"min":0.1,"max":100,"log":true,"factor":1,"unit":" s"},"y":{"min":0,"max":1,"factor":100,"unit":" %"},"at":[[0.1,12.346]],` +
		`"series":[{"name":"first","colour":"var(--ink)","at":0,"values":[0.25,0.9999],"form":"steps"}]},` +
		`{"number":2,"box":[72,500,936,600],"x":{"name":"mode","min":0,"max":1,"names":["duel","2v2"],"places":[0,1]},"y":{"min":0,"max":10},"at":[[0,1]],` +
		`"series":[{"name":"","colour":"#CC79A7","at":0,"values":[4,5],"form":"columns"}],"dots":[{"name":"trial 1","x":1,"y":2.5}]},` +
		`{"number":3,"box":[24,700,936,720],"head":["","players","RTT"],"rows":[["paris","3","7 ms, 9 ms"],["tokyo","3","7 ms, 9 ms"]]},` +
		`{"number":4,"name":"heat","box":[10,800,30,815],"head":["","mean"],"rows":[["2v2","7 ms"],["4v4","9 ms"]],"cells":[[10,800,20.12,810],[20.12,800,30,815]]}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, group := range []string{`<g data-axis="0">`, `<g data-x="0">`, `<g data-x="1">`, `<g data-x="2">`} {
		if !strings.Contains(svg, group) {
			t.Errorf("the drawing has no %s", group)
		}
	}
	if strings.Contains(svg, "translate(0, 0)") || strings.Count(svg, "<g") != strings.Count(svg, "</g>") {
		t.Error("the drawing has a group without its attribute or without its end")
	}
}

func TestNumberOf(t *testing.T) {
	for _, c := range []struct {
		label, unit string
		number      float64
		ok          bool
	}{{"≤ 1,000 ms", " ms", 1000, true}, {"99.9 %", " %", 99.9, true}, {"50ms", "ms", 50, true}, {"-2.5", "", -2.5, true}, {"day 2", "", 0, false}, {"2v2", "", 0, false}, {"", "", 0, false}} {
		number, unit, ok := numberOf(c.label)
		if ok != c.ok || ok && (number != c.number || unit != c.unit) {
			t.Errorf("%q: got %g, %q, %t; want %g, %q, %t", c.label, number, unit, ok, c.number, c.unit, c.ok)
		}
	}
}

// Evenings and the name of the zone move with the time zone of the picture.
func TestTimeAxisOfAZone(t *testing.T) {
	for ahead, want := range map[float64]string{0: "UTC", 3600: "UTC+1", 19800: "UTC+5:30", -12600: "UTC-3:30", -18000: "UTC-5"} {
		if got := aheadOfUTC(ahead); got != want {
			t.Errorf("%v s: got %q, want %q", ahead, got, want)
		}
	}
	// The panel is 864 wide, 100 s a unit, and begins at 72. East Asia's evening is from 10:00 to 15:00 UTC,
	// which is 19:00 to 24:00 in Japan, and has a gap of 1 on both sides.
	for ahead, want := range map[float64]string{0: "M433,177L611,177", 9 * 3600: "M757,177L935,177"} {
		p := Plot{Height: 400, Ahead: ahead, Draw: func(s *Canvas, _ float64) { NewPanel(s, 100, 200, PlotRight, 0, 86400, 1).evenings() }}
		svg, _ := p.Inline()
		before := svg[:strings.Index(svg, "East\u00a0Asia")]
		if box := before[strings.LastIndex(before, "<path"):]; !strings.Contains(box, want) {
			t.Errorf("%v s ahead: got the evening of East Asia at %q, want %s", ahead, box, want)
		}
	}
}

// A page names each of the 24 hours of an axis that labels every third.
func TestHourAxisNamesEveryHour(t *testing.T) {
	p := Plot{Height: 400, Draw: func(s *Canvas, _ float64) {
		panel := NewPanel(s, 100, 200, PlotRight, 0, 24, 1)
		panel.HourAxis()
		panel.Curve(Blue, 1, []float64{0.5, 23.5}, []float64{0, 1})
	}}
	svg, shown := p.Inline()
	axis := shown[0].X
	if n := len(axis.Names); n != 24 || axis.Names[1] != "01:00" || axis.Places[1] != 1.5 || axis.Names[23] != "23:00" {
		t.Errorf("got the names %v at %v, want 24 hours in the middle of each", axis.Names, axis.Places)
	}
	if strings.Contains(svg, ">01:00<") || !strings.Contains(svg, ">03:00<") || !strings.Contains(svg, ">24:00<") {
		t.Error("the picture labels other hours than every third")
	}
}
