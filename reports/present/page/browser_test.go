package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"mmsim/reports/figure/worldmap"
	"mmsim/reports/internal/resulttest"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
)

// chromium starts a browser. It skips the test if none is installed.
func chromium(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("skipped: chromium is not installed")
	}
	// The default limit of 20 s was once exceeded while the machine compiled and ran other tests.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.WSURLReadTimeout(3*time.Minute), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	if len(os.TempDir()) > 60 { // the browser creates a socket there, and the path of a socket has at most 107 bytes
		options = append(options, chromedp.Env("TMPDIR=/tmp"))
	}
	for try := 1; ; try++ {
		ctx, stop := context.WithTimeout(context.Background(), 8*time.Minute)
		t.Cleanup(stop)
		ctx, stop = chromedp.NewExecAllocator(ctx, options...)
		t.Cleanup(stop)
		ctx, stop = chromedp.NewContext(ctx)
		t.Cleanup(stop)
		err := chromedp.Run(ctx)
		if err == nil {
			return ctx
		}
		if try == 3 {
			t.Fatal(err)
		}
		t.Logf("the browser is started again: %v", err) // a browser sometimes ends as soon as it has started
	}
}

// A tab shows a page and records its faults: errors, console messages and network requests.
type tab struct {
	t       *testing.T
	context context.Context
	mutex   sync.Mutex
	faults  []string
}

// open shows a result in the browser's only tab. A second tab would be in the background, where
// browsers draw nothing.
func open(t *testing.T, browser context.Context, r *result.Result, width, height int64, scheme string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(pageOf(t, r, "seed: 1\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return visit(t, browser, "file://"+file, width, height, scheme)
}

// visit shows the page at url. The page may request only URLs that begin with url.
func visit(t *testing.T, browser context.Context, url string, width, height int64, scheme string) *tab {
	t.Helper()
	p := &tab{t: t}
	var stop context.CancelFunc
	p.context, stop = context.WithCancel(browser) // cancelling stops the listener
	t.Cleanup(stop)
	chromedp.ListenTarget(p.context, func(event any) { p.notice(event, url) })
	p.run(network.Enable(), log.Enable())
	p.emulate(width, height, scheme)
	p.run(chromedp.Navigate(url))
	p.drawn(width)
	return p
}

// setWindow sets the size of the window and the colour scheme, and waits until the page is drawn with
// them.
func (p *tab) setWindow(width, height int64, scheme string) {
	p.t.Helper()
	p.emulate(width, height, scheme)
	p.drawn(width)
}

// emulate sets the size of the window and the colour scheme.
func (p *tab) emulate(width, height int64, scheme string) {
	p.t.Helper()
	p.run(chromedp.EmulateViewport(width, height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// drawn waits until the page is drawn in a window of the given width.
func (p *tab) drawn(width int64) {
	p.t.Helper()
	p.until(fmt.Sprintf(`innerWidth === %d`, width))
	p.run(chromedp.Evaluate(twoFrames, nil, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
}

// twoFrames is a JavaScript promise that waits for two frames. Charts change their size at the end
// of a frame, so they have done so when the second begins.
const twoFrames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// until waits until a JavaScript expression is true. It does not use chromedp.Poll, which fails if
// the browser has just replaced the page's context ("Cannot find context with specified id").
func (p *tab) until(expression string) {
	p.t.Helper()
	for end := time.Now().Add(2 * time.Minute); p.text(expression) != "true"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s is still not true after 2 minutes", expression)
		}
	}
}

func (p *tab) notice(event any, self string) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		fault = "console." + string(e.Type)
	case *log.EventEntryAdded:
		fault = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, self) && !strings.HasPrefix(url, "blob:") {
			fault = "request of " + url
		}
	}
	if fault != "" {
		p.mutex.Lock()
		p.faults = append(p.faults, fault)
		p.mutex.Unlock()
	}
}

func (p *tab) run(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.context, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// text returns the value of a JavaScript expression as a string.
func (p *tab) text(expression string) (text string) {
	p.t.Helper()
	p.run(chromedp.Evaluate("String("+expression+")", &text))
	return text
}

// is checks the value of a JavaScript expression.
func (p *tab) is(expression, want string) {
	p.t.Helper()
	if got := p.text(expression); got != want {
		p.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// quiet checks that the page has had no faults so far.
func (p *tab) quiet() {
	p.t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, fault := range p.faults {
		p.t.Errorf("the page: %s", fault)
	}
}

// mapPixels is a JavaScript expression that encodes all pixels of the map.
const mapPixels = `document.getElementById('lapse-map').toDataURL()`

// textFaults is a JavaScript expression that lists overlapping texts, broken words and texts that
// are cut off without an ellipsis. In a wide window it also lists tables that do not fit; in a
// narrow one, tables scroll.
const textFaults = `(() => {
  const faults = [], boxes = [], range = document.createRange();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const text = node.textContent.trim(), parent = node.parentElement;
    if (text === '' || !parent.checkVisibility() || parent.closest('pre, script, option')) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((r) => r.width > 0.5);
    if (rects.length > 1 && !/[\s\-–·/]/.test(text) && text.length < 16) faults.push('broken: ' + text);
    const scroll = parent.closest('.scroll, .scroll th');
    const hidden = parent.scrollWidth > parent.clientWidth + 1 && getComputedStyle(parent).overflowX !== 'visible' &&
      getComputedStyle(parent).textOverflow !== 'ellipsis' && parent.clientWidth > 0;
    if (hidden && !parent.classList.contains('scroll')) faults.push('cut: ' + text);
    const shown = getComputedStyle(parent).overflowX === 'hidden' ? parent.getBoundingClientRect().right : Infinity;
    for (const r of rects) {
      const edge = scroll ? scroll.getBoundingClientRect().right : innerWidth;
      if (!scroll && r.right > innerWidth + 1) faults.push('outside: ' + text);
      const floor = parent.closest('.scroll')?.getBoundingClientRect().bottom ?? Infinity; // a long table scrolls
      if (r.left < edge && r.top < floor) boxes.push({ node, text, left: r.left, right: Math.min(r.right, edge, shown), top: r.top, bottom: Math.min(r.bottom, floor) });
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (let k = i + 1; k < boxes.length && boxes[k].top < a.bottom; k++) {
      const b = boxes[k], high = Math.min(a.bottom, b.bottom) - b.top;
      // The boxes of adjacent lines overlap a little.
      if (a.node !== b.node && a.left < b.right - 1 && b.left < a.right - 1 && high > 0.3 * Math.min(a.bottom - a.top, b.bottom - b.top)) faults.push('meet: ' + a.text + ' | ' + b.text);
    }
  });
  if (innerWidth >= 1280) for (const s of document.querySelectorAll('.scroll'))
    if (s.checkVisibility() && s.scrollWidth > s.clientWidth) faults.push('table cut: ' + s.previousElementSibling?.textContent + ' ' + s.scrollWidth + ' of ' + s.clientWidth);
  return faults.slice(0, 20).join('\n');
})()`

func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode, because a browser takes seconds")
	}
	browser := chromium(t)
	t.Run("time-lapse", func(t *testing.T) {
		p := open(t, browser, resulttest.Moving(), 1280, 1000, "light")
		p.until(`document.getElementById('lapse-words').textContent !== ''`)
		p.run(chromedp.ScrollIntoView(`#lapse-map`, chromedp.ByQuery))
		const rectangle = `document.getElementById('lapse-map').getBoundingClientRect()`
		left, top, width := number(t, p.text(rectangle+`.x`)), number(t, p.text(rectangle+`.y`)), number(t, p.text(rectangle+`.width`))
		p.run(chromedp.MouseEvent(input.MouseMoved, left+(180-118.2)/360*width, top+(76-34)*worldmap.Stretch/360*width))
		if tip := p.text(`document.getElementById('lapse-tip').textContent`); !strings.HasPrefix(tip, "losangeles: ") {
			t.Errorf("tooltip of Los Angeles: got %q, want prefix losangeles:", tip)
		}
		before := p.text(mapPixels)
		p.run(chromedp.Evaluate(`{const e = document.getElementById('lapse-time'); e.value = 5; e.dispatchEvent(new Event('input'))}`, nil))
		if p.text(mapPixels) == before {
			t.Error("moving the scrubber did not change the map")
		}
		p.is(`document.getElementById('lapse-clock').textContent`, "01:00 UTC")
		before = p.text(mapPixels)
		p.run(chromedp.Click(`#lapse-rtt button`, chromedp.ByQuery))
		if p.text(mapPixels) == before {
			t.Error("hiding a class did not change the map")
		}
		p.run(chromedp.SetValue(`#lapse-colour`, "density", chromedp.ByID),
			chromedp.Evaluate(`document.getElementById('lapse-colour').dispatchEvent(new Event('change'))`, nil))
		p.is(`document.getElementById('lapse-density').hidden`, "false")
		p.run(chromedp.Click(`#lapse-play`, chromedp.ByID))
		p.until(`document.getElementById('lapse-clock').textContent > '01:20'`)
		p.run(chromedp.Click(`#lapse-play`, chromedp.ByID))
		p.is(`document.getElementById('lapse-play').textContent`, "Play")
		p.is(`document.querySelectorAll('#lapse-load li').length`, "29")
		p.quiet()
	})
	t.Run("time-lapse of several queues", func(t *testing.T) {
		r := resulttest.Queues()
		r.Timelapse = resulttest.Moving().Timelapse
		for i := range r.Timelapse {
			r.Timelapse[i].Load = r.Timelapse[i].Load[:len(r.Summary.ByDatacenter)]
		}
		p := open(t, browser, r, 1280, 1000, "light")
		p.until(`document.getElementById('lapse-words').textContent !== ''`)
		// A mean RTT over queues with different rules would say nothing, so only players are
		// shown.
		p.is(`document.getElementById('lapse-colour')`, "null")
		p.is(`document.getElementById('lapse-rtt').hidden`, "true")
		p.is(`document.getElementById('lapse-density').hidden`, "false")
		// Even in a narrow window, a cell with a few players is larger than a pixel.
		p.setWindow(390, 900, "dark")
		p.is(`(() => {const map = document.getElementById('lapse-map'), c = map.getContext('2d'); let fills = [];
			const before = c.fillRect; c.fillRect = (x, y, w, h) => fills.push(Math.min(w, h)); document.getElementById('lapse-time').dispatchEvent(new Event('input'));
			c.fillRect = before; return Math.min(...fills) >= 2})()`, "true")
		const rtts = `document.getElementById('lapse').innerText.includes('RTT')`
		p.is(rtts, "false")
		p.quiet()
	})
	t.Run("events", func(t *testing.T) { testEvents(t, browser) })
	t.Run("pictures and tables", func(t *testing.T) {
		p := open(t, browser, resulttest.Moving(), 1280, 1000, "light")
		p.is(`[...document.querySelectorAll('#pictures .picture')].filter((e) => !e.checkVisibility()).map((e) => e.id)`, "map") // the time-lapse replaces it
		testPointing(t, p)
		const column = `[...document.querySelectorAll('#places table')[0].tBodies[0].rows].map((r) => parseFloat(r.cells[1].textContent.replaceAll(',', '')))`
		const sorted = `((v) => v.every((x, i) => i === 0 || x <= v[i - 1]))(` + column + `)`
		p.run(chromedp.Evaluate(`document.querySelector('#places details').open = true`, nil))
		p.is(sorted, "false")
		p.run(chromedp.Click(`#places table thead th:nth-child(2) button`, chromedp.ByQuery))
		p.is(sorted, "true")
		p.is(`document.querySelector('#places th[aria-sort]').getAttribute('aria-sort')`, "descending")
		p.run(chromedp.Click(`#places table thead th:nth-child(1) button`, chromedp.ByQuery))
		p.is(`document.querySelector('#places table').tBodies[0].rows[0].cells[0].textContent`, "a datacenter with a long name 27")
		p.quiet()
	})
	t.Run("themes and widths", func(t *testing.T) {
		p := open(t, browser, resulttest.Moving(), 1280, 900, "light")
		p.until(`document.getElementById('lapse-words').textContent !== ''`)
		seen := map[string]string{}
		for _, c := range []struct {
			width        int64
			scheme, page string
		}{{1280, "light", "rgb(244, 246, 248)"}, {1280, "dark", "rgb(14, 19, 24)"}, {390, "dark", "rgb(14, 19, 24)"}, {390, "light", "rgb(244, 246, 248)"}} {
			name := fmt.Sprint(c.width, " pixels, ", c.scheme)
			p.setWindow(c.width, 900, c.scheme)
			p.until(`document.getElementById('lapse-map').clientWidth < innerWidth`)
			p.is(`getComputedStyle(document.body).backgroundColor`, c.page)
			if p.text(`document.documentElement.scrollWidth <= innerWidth`) != "true" {
				t.Errorf("%s: got a page wider than its window", name)
			}
			pixels := p.text(mapPixels) + p.text(`(s => getComputedStyle(s.querySelector('text')).fill + s.clientWidth)(document.querySelector('#ccu svg'))`)
			if before, same := seen[pixels]; same {
				t.Errorf("%s: the map and a picture look the same as with %s, want a difference", name, before)
			}
			seen[pixels] = name
		}
		p.quiet()
	})
	t.Run("texts keep apart", func(t *testing.T) {
		for name, r := range map[string]*result.Result{"day": resulttest.Moving(), "rules": resulttest.Rules(), "servers": resulttest.Servers(), "queues": resulttest.Queues(), "events": resulttest.Events()} {
			p := open(t, browser, r, 1280, 900, "light")
			for _, width := range []int64{390, 1280, 1920} {
				p.setWindow(width, 900, "light")
				if faults := p.text(textFaults); faults != "" {
					t.Errorf("%s at %d pixels:\n%s", name, width, faults)
				}
			}
			p.quiet()
		}
	})
	t.Run("hostile names", func(t *testing.T) {
		p := open(t, browser, resulttest.HostileResult(), 1280, 900, "light")
		p.is(`typeof window.hacked`, "undefined")
		p.is(`document.querySelectorAll('img').length`, "0")
		p.is(`document.querySelector('#places tbody th').textContent`, resulttest.Hostile)
		p.until(`document.getElementById('lapse-words').textContent !== ''`)
		p.is(`document.querySelector('#lapse-load span').textContent`, resulttest.Hostile)
		p.quiet()
	})
	t.Run("odd results", func(t *testing.T) {
		cases := resulttest.Cases()
		for _, name := range []string{"zero", "no match", "one match", "hour", "gaps"} {
			cases[name].Timelapse = []result.Frame{{T: 600, Load: make([]int, len(cases[name].Summary.ByDatacenter))}}
			open(t, browser, cases[name], 1280, 900, "light").quiet()
		}
	})
	t.Run("live", func(t *testing.T) { testLivePage(t, browser) })
}

// The map shows a datacenter that cannot be used and says why, and pictures that are zoomed keep the names
// of the events.
func testEvents(t *testing.T, browser context.Context) {
	p := open(t, browser, resulttest.Events(), 1280, 1000, "light")
	const words = `document.getElementById('lapse-words').textContent`
	p.until(words + ` !== ''`)
	for i, test := range []struct{ outages, down string }{
		{"", "0"}, {" newyork: outage until 09:00 UTC. london: outage until 09:00 UTC.", "2"}, {" frankfurt: outage until 20:30 UTC.", "1"}, {"", "0"},
	} {
		p.run(chromedp.Evaluate(fmt.Sprintf(`{const e = document.getElementById('lapse-time'); e.value = %d; e.dispatchEvent(new Event('input'))}`, []int{16, 17, 121, 122}[i]), nil))
		p.is(words+`.replace(/^.* ms\.( [0-9,]+ more .*recorded\.)?/, '')`, test.outages)
		p.is(`document.querySelectorAll('#lapse-load .down').length`, test.down)
	}
	testZoom(t, p)
	p.quiet()
}

// testZoom zooms into a picture with events and reads their names.
func testZoom(t *testing.T, p *tab) {
	t.Helper()
	p.run(chromedp.ScrollIntoView(`#ccu svg`, chromedp.ByQuery))
	const box = `document.querySelector('#ccu svg').getBoundingClientRect()`
	left, top, width := number(t, p.text(box+`.x`)), number(t, p.text(box+`.y`)), number(t, p.text(box+`.width`))
	at := func(hour float64) (x, y float64) { return left + width*(72+(936-72)*hour/24)/960, top + width*200/960 }
	x, y := at(2)
	p.run(chromedp.MouseEvent(input.MouseMoved, x, y))
	p.until(`document.querySelector('#ccu .tip')?.innerText.includes('down') === false`)
	x, y = at(4)
	p.run(chromedp.MouseEvent(input.MouseMoved, x, y))
	p.until(`document.querySelector('#ccu .tip')?.innerText.includes(', 2 london, newyork down 6h (drain)') === true`)
	p.run(chromedp.MouseEvent(input.MousePressed, x, y, chromedp.ButtonType(input.Left), chromedp.ClickCount(1)))
	x, y = at(20.1)
	p.run(chromedp.MouseEvent(input.MouseMoved, x, y, chromedp.ButtonType(input.Left)),
		chromedp.MouseEvent(input.MouseReleased, x, y, chromedp.ButtonType(input.Left), chromedp.ClickCount(1)))
	p.is(`[...document.querySelectorAll('#ccu .axis .band')].map((e) => e.textContent)`, "2 london, newyork down 6h (drain)")
	p.is(`getComputedStyle(document.querySelector('#ccu [data-names]')).visibility`, "hidden")
}

// The live page shows the steps of a run as they arrive.
func testLivePage(t *testing.T, browser context.Context) {
	run := setup.Run{
		Datacenters: []setup.Datacenter{{Name: "paris", Latitude: 48.9, Longitude: 2.4}, {Name: resulttest.Hostile, Latitude: -26.2, Longitude: 28}}, Continents: []string{"EU", "AF"}, Countries: []string{"FR", "ZA"},
		Places:   []setup.Place{{Latitude: 4852, Longitude: 235, Continent: 0, Country: 0}, {Latitude: -2620, Longitude: 2804, Continent: 1, Country: 1}},
		Duration: sim.Hour, Queues: []setup.Queue{{MatchSize: 2}}, Ideal: 50 * sim.RTTUnit, Expand: 100 * sim.RTTUnit,
		Events: []setup.Event{{From: 3 * sim.Instant(sim.Minute), Until: 5 * sim.Instant(sim.Minute), Action: "paris down 2 min (drain)", Outage: 1}},
	}
	var steps [][]byte
	live := NewLive(run, resulttest.Square, 2*sim.Minute, func(text []byte) { steps = append(steps, text) })
	player := func(place uint32, ms sim.RTT) sim.Matched {
		return sim.Matched{Player: sim.Player{Person: sim.Person{Place: place}}, RTT: ms * sim.RTTUnit}
	}
	live.Matched(&sim.Match{At: 1000, Ends: 200_000, Datacenter: 0, Players: []sim.Matched{player(0, 10), player(1, 150)}})
	live.Matched(&sim.Match{At: 90_000, Ends: 300_000, Datacenter: 1, Players: []sim.Matched{player(0, 20)}})
	for at := sim.Instant(0); at <= 4*sim.Instant(sim.Minute); at += sim.Instant(sim.Minute) {
		live.Sampled(&sim.Census{At: at, Playing: 3, Ideal: 5})
	}
	if len(steps) != 2 {
		t.Fatalf("got %d steps in 4 minutes, want 2", len(steps))
	}
	next := make(chan string, len(steps))
	var report bytes.Buffer // as the end event contains it
	packer := gzip.NewWriter(&report)
	io.WriteString(packer, pageOf(t, resulttest.Moving(), "seed: 1\n"))
	packer.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/"+EventsPath {
			live.WritePage(w)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for step := range next {
			io.WriteString(w, step)
			http.NewResponseController(w).Flush()
		}
		fmt.Fprintf(w, "event: end\ndata: {\"complete\": true, \"folder\": %q, \"report\": %q}\n\n", "<b>results", base64.StdEncoding.EncodeToString(report.Bytes()))
	}))
	defer server.Close()
	const words = `document.getElementById('lapse-words').textContent`
	p := visit(t, browser, server.URL, 1280, 900, "light")
	next <- `event: waits
data: {"seconds": 120, "first": {"players": 4, "mean": 2.5, "p90": 12.25}, "repeat": {"players": 0, "mean": 0, "p90": 0}, "so_far": {"players": 9, "mean": 1, "p90": 3}, "lost": 1234, "lost_so_far": 5678}

data: ` + string(steps[0]) + "\n\n"
	p.until(words + `.startsWith('00:02')`)
	p.is(words, "00:02 UTC: 3 players in match, mean RTT 60.0 ms.") // (10 + 20 + 150) / 3
	p.is(`[...document.querySelectorAll('#lapse-load b')].map((b) => b.textContent)`, "2,1")
	p.is(`document.querySelectorAll('#lapse-load span')[1].textContent`, resulttest.Hostile)
	p.is(`document.getElementById('live-match-note').textContent`, "5 searching")
	p.is(`document.getElementById('live-match').textContent`, "3")
	p.is(`document.getElementById('live-wait').textContent`, "12.3 s")
	p.is(`document.getElementById('live-wait-note').textContent`, "or less for 90 % of first searches in the last 2 min; the mean is 2.50 s. So far: 3.00 s, and 1.00 s on average.")
	p.is(`document.getElementById('live-repeat').textContent`, "–")
	p.is(`document.getElementById('live-lost').textContent`, "1,234")
	p.is(`document.getElementById('live-lost-note').textContent`, "players left in the last 2 min, 5,678 so far.")
	before := p.text(mapPixels)
	next <- "data: " + string(steps[1]) + "\n\n"
	p.until(words + `.startsWith('00:04')`)
	if p.text(mapPixels) == before {
		t.Error("a step did not change the map")
	}
	if got := p.text(words); !strings.HasSuffix(got, " paris: outage until 00:05 UTC.") {
		t.Errorf("at 00:04 the page says %q, want the outage of paris", got)
	}
	close(next)
	p.until(`document.getElementById('live-report') !== null`)
	p.is(`document.getElementById('live-state').textContent`, "the run has ended")
	p.is(`document.getElementById('live-end').firstChild.textContent`, "The run has ended: results in <b>results.")
	p.is(`typeof window.hacked`, "undefined")
	p.quiet()

	// The report works without the server. It inherits the live page's policy, which allows its
	// scripts.
	server.CloseClientConnections()
	p.run(chromedp.Evaluate(`location = document.getElementById('live-report').href; 0`, nil))
	for loaded := false; !loaded; { // until the page is loaded
		if err := chromedp.Run(p.context, chromedp.Sleep(50*time.Millisecond),
			chromedp.Evaluate(`document.querySelector('.scripted #lapse-words')?.textContent.includes('UTC') === true`, &loaded)); err != nil && p.context.Err() != nil {
			t.Fatal(err)
		}
	}
	if address := p.text(`location.href`); !strings.HasPrefix(address, "blob:") {
		t.Errorf("got the report at %s, want a blob: address", address)
	}
	p.quiet()
}

// testPointing points at the picture of players online, zooms into it, and opens the table behind it.
func testPointing(t *testing.T, p *tab) {
	t.Helper()
	// The panel begins at 72 and ends at 936 of 960 units of the picture, for a day of 24 h.
	at := func(hour float64) (x, y float64) {
		p.run(chromedp.ScrollIntoView(`#ccu svg`, chromedp.ByQuery))
		box := `document.querySelector('#ccu svg').getBoundingClientRect()`
		left, top, width := number(t, p.text(box+`.x`)), number(t, p.text(box+`.y`)), number(t, p.text(box+`.width`))
		return left + width*(72+(936-72)*hour/24)/960, top + width*200/960
	}
	move := func(kind input.MouseType, hour float64) {
		x, y := at(hour)
		p.run(chromedp.MouseEvent(kind, x, y, chromedp.ButtonType(input.Left), chromedp.ClickCount(1)))
	}
	const tip = `document.querySelector('#ccu .tip')?.innerText`
	p.is(tip, "undefined")
	x, y := at(6)
	p.run(chromedp.MouseEvent(input.MouseMoved, x, y))
	p.until(tip + `?.startsWith('06:0') === true`)
	series := resulttest.Moving().Series
	row := series[6*60]
	if got, want := p.text(tip), fmt.Sprintf("playing %d", row.Playing/1000); !strings.Contains(got, want) {
		t.Errorf("at 06:00 the picture says %q, want %s thousand as in the series", got, want)
	}
	p.until(`document.querySelector('#states .tip')?.innerText.includes('UTC') === true`) // other pictures show the same time
	move(input.MousePressed, 6)
	x, y = at(12)
	p.run(chromedp.MouseEvent(input.MouseMoved, x, y, chromedp.ButtonType(input.Left)))
	move(input.MouseReleased, 12)
	p.is(`[...document.querySelectorAll('#ccu .axis text')].map((e) => e.textContent).filter((_, i, all) => i === 0 || i === all.length - 1)`, "06:00,12:00")
	p.is(`document.querySelectorAll('#states .axis').length`, "1")
	x, y = at(12) // the middle of 06:00 to 12:00
	p.run(chromedp.MouseEvent(input.MouseMoved, x, y))
	p.until(tip + `?.startsWith('09:0') === true`)
	p.run(chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	p.until(`document.querySelectorAll('.axis').length === 0`)
	p.run(chromedp.Click(`#datacenters summary`, chromedp.ByQuery))
	p.until(`document.querySelectorAll('#datacenters tbody tr').length > 0`)
	p.is(`[...document.querySelectorAll('#datacenters thead th')].map((e) => e.textContent)`, "what,players matched,wait: mean, p95,RTT: mean, p95")
	p.run(chromedp.Click(`#wait-time summary`, chromedp.ByQuery))
	p.until(`document.querySelectorAll('#wait-time table').length === 2`)
}

// In the pages about decisions no texts overlap, at any width, in both themes, with sorted tables
// and with all listings open. The pages report no errors.
func TestDecisionPagesInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode, because a browser takes seconds")
	}
	browser := chromium(t)
	for _, chosen := range []string{"players.play_again", "today's <b>day</b>.yaml with states.ideal.rtt=30ms"} {
		for name, page := range decisions(chosen) {
			testDecisionPage(t, browser, name, page)
		}
	}
}

func testDecisionPage(t *testing.T, browser context.Context, name string, page *present.Page) {
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(decisionPage(t, page)), 0o666); err != nil {
		t.Fatal(err)
	}
	p := visit(t, browser, "file://"+file, 1280, 900, "light")
	p.run(chromedp.Evaluate(`document.querySelectorAll('details').forEach((d) => { d.open = true; }); 0`, nil))
	for _, width := range []int64{390, 1280, 1920} {
		p.setWindow(width, 900, "light")
		if p.text(`document.documentElement.scrollWidth <= innerWidth`) != "true" {
			t.Errorf("%s: got a page wider than its window of %d pixels", name, width)
		}
		if faults := p.text(textFaults); faults != "" {
			t.Errorf("%s at %d pixels:\n%s", name, width, faults)
		}
	}
	p.setWindow(1280, 900, "dark")
	p.is(`getComputedStyle(document.body).backgroundColor`, "rgb(14, 19, 24)")
	p.run(chromedp.Evaluate(`document.querySelectorAll('thead th:nth-child(2) button').forEach((b) => b.click()); 0`, nil))
	if name == "sweep" {
		// The nearest dot tells the settings of its combination.
		p.run(chromedp.ScrollIntoView(`#trade-off svg`, chromedp.ByQuery))
		p.run(chromedp.Evaluate(`(() => {
			const svg = document.querySelector('#trade-off svg');
			const shown = JSON.parse(document.querySelector('#trade-off script').textContent)[0];
			const [left, top, right, bottom] = shown.box, dot = shown.dots[0];
			const share = (axis, v) => (v - axis.min) / (axis.max - axis.min);
			const at = new DOMPoint(left + (right - left) * share(shown.x, dot.x), bottom + (top - bottom) * share(shown.y, dot.y)).matrixTransform(svg.getScreenCTM());
			svg.dispatchEvent(new PointerEvent('pointermove', { clientX: at.x, clientY: at.y }));
			window.told = document.querySelector('#trade-off .tip strong').textContent === dot.name;
		})(); 0`, nil))
		p.is(`window.told`, "true")
		// So does the field of a heat map, and the table behind it has all fields.
		p.run(chromedp.Evaluate(`(() => {
			const figure = document.querySelector('[id^=heat-]'), svg = figure.querySelector('svg');
			const shown = JSON.parse(figure.querySelector('script').textContent)[0], [left, top, right, bottom] = shown.cells[1];
			const at = new DOMPoint((left + right) / 2, (top + bottom) / 2).matrixTransform(svg.getScreenCTM());
			svg.dispatchEvent(new PointerEvent('pointermove', { clientX: at.x, clientY: at.y }));
			window.told = figure.querySelector('.tip strong').textContent === shown.rows[1][0] && figure.querySelectorAll('.numbers tbody tr').length === shown.rows.length;
		})(); 0`, nil))
		p.is(`window.told`, "true")
	}
	p.quiet()
}
