package reports

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
)

func pageOf(t testing.TB, r *Result, config string) string {
	t.Helper()
	var b bytes.Buffer
	if err := WritePage(&b, r, square, []byte(config)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A name from a data file is text, wherever it appears.
func TestPageEscapes(t *testing.T) {
	const hostile = `</svg><script>alert("x")</script><img src=x onerror=alert(1)>`
	r := syntheticResult(24, 6, 100_000)
	s := &r.Summary
	s.Warnings = []string{hostile}
	s.Run.Version, s.Run.ConfigSHA256 = hostile, hostile
	for i := range s.ByDatacenter {
		s.ByDatacenter[i].Name = hostile
	}
	for i := range s.ByContinent {
		s.ByContinent[i].Name = hostile
	}
	s.Attributes = Attributes{{Name: hostile}}
	s.ByAttributeDecile = Deciles{{Name: hostile, Deciles: []Decile{{From: 1, To: 2}}}}
	s.ByPartySize = Groups{{Name: hostile}, {Name: "2"}}
	page := pageOf(t, r, "name: "+hostile)
	for _, bad := range []string{"<script", "<img"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if !strings.Contains(page, "&lt;script&gt;") {
		t.Error("the hostile name is missing")
	}
}

// The page loads nothing.
func TestPageIsSelfContained(t *testing.T) {
	page := pageOf(t, syntheticResult(24, 29, 5_400_000), "seed: 1\n")
	if found := regexp.MustCompile(`(?i)https?://|url\(|@import|<link|<script| src=| href=`).FindString(page); found != "" {
		t.Errorf("the page holds %q", found)
	}
	if n := len(page); n > 3_000_000 {
		t.Errorf("the page has %d bytes, want at most 3,000,000", n)
	}
}

func TestPageHasEverything(t *testing.T) {
	r := syntheticResult(24, 29, 5_400_000)
	r.Summary.Warnings = []string{"luxembourg has no latency map: model used"}
	r.Summary.RTTEstimate = &RTTStats{Count: 7}
	page := pageOf(t, r, "seed: 1\nmatch: {size: 4}\n")
	for _, want := range []string{
		"Players wait", "luxembourg has no latency map: model used", "match: {size: 4}", `id="map"`, `id="wait-time"`, "<svg",
		"<h3>Players</h3>", "<h3>Wait</h3>", "<h3>RTT</h3>", "<h3>States</h3>", "<h3>Datacenters</h3>", "<h3>Continents</h3>", "<h3>Hours</h3>",
		"johannesburg", "South America", "23:00", "estimate", "prefers-color-scheme:dark", "@media print",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "interrupted") {
		t.Error("a complete run is called interrupted")
	}
	r.Summary.Complete = false
	if !strings.Contains(pageOf(t, r, ""), "interrupted") {
		t.Error("an interrupted run is not called so")
	}
}

func TestPageOfEveryCase(t *testing.T) {
	for name, r := range pictureCases() {
		page := pageOf(t, r, "")
		if page != pageOf(t, r, "") {
			t.Errorf("%s: two pages differ", name)
		}
		if strings.Contains(page, "NaN") || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: the page holds what is no number or no safe text", name)
		}
		if got, want := strings.Count(page, "<svg"), strings.Count(page, "</svg>"); got != want || got != 6 {
			t.Errorf("%s: %d pictures opened and %d closed, want 6", name, got, want)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	r := syntheticResult(24, 29, 5_400_000)
	for b.Loop() {
		if err := WritePage(io.Discard, r, square, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The page knows every colour that pictures take from it: in the light form the
// same as drawn, in the dark form another.
func TestPageThemesPictures(t *testing.T) {
	light, dark, found := strings.Cut(pageStyle, "prefers-color-scheme:dark")
	if !found {
		t.Fatal("the page has no dark form")
	}
	for _, c := range themed {
		if want := "--" + c.name + ":" + hexColour(c.colour); !strings.Contains(light, want) {
			t.Errorf("the light form lacks %s", want)
		}
		if !strings.Contains(dark, "--"+c.name+":") || strings.Contains(dark, "--"+c.name+":"+hexColour(c.colour)) {
			t.Errorf("the dark form has no colour of its own for --%s", c.name)
		}
	}
}
