package reports

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// chromium starts a browser, or skips the test where there is none.
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
		t.Skip("no chromium on this machine: the page is not driven in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// A tab shows a page, and remembers what a page must not do: report an error, or ask
// a network for anything.
type tab struct {
	t       *testing.T
	context context.Context
	mutex   sync.Mutex
	faults  []string
}

// open shows a result in the one tab of the browser: others would be in the
// background, where nothing is drawn.
func open(t *testing.T, browser context.Context, r *Result, width, height int64, scheme string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(pageOf(t, r, "seed: 1\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	p := &tab{t: t}
	var stop context.CancelFunc
	p.context, stop = context.WithCancel(browser) // of what listens
	t.Cleanup(stop)
	chromedp.ListenTarget(p.context, func(event any) { p.notice(event, "file://"+file) })
	p.run(network.Enable(), log.Enable())
	p.look(width, height, scheme)
	p.run(chromedp.Navigate("file://" + file))
	return p
}

// look sets the size of the window and the theme of its reader.
func (p *tab) look(width, height int64, scheme string) {
	p.t.Helper()
	p.run(chromedp.EmulateViewport(width, height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
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
		if url := e.Request.URL; url != self && !strings.HasPrefix(url, "blob:") {
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

// text returns what an expression of JavaScript yields.
func (p *tab) text(expression string) (text string) {
	p.t.Helper()
	p.run(chromedp.Evaluate("String("+expression+")", &text))
	return text
}

// is checks the value of an expression.
func (p *tab) is(expression, want string) {
	p.t.Helper()
	if got := p.text(expression); got != want {
		p.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// quiet checks that nothing forbidden happened so far.
func (p *tab) quiet() {
	p.t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, fault := range p.faults {
		p.t.Errorf("the page: %s", fault)
	}
}

// A fingerprint of the map changes with any pixel of it.
const mapPixels = `document.getElementById('lapse-map').toDataURL()`

func movingResult() *Result {
	r := syntheticResult(24, 29, 5_400_000)
	r.Timelapse = syntheticFrames(24, 29, 20_000)
	return r
}

func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	browser := chromium(t)
	t.Run("time-lapse", func(t *testing.T) {
		p := open(t, browser, movingResult(), 1280, 1000, "light")
		p.run(chromedp.Poll(`document.getElementById('lapse-words').textContent !== ''`, nil))
		before := p.text(mapPixels)
		p.run(chromedp.Evaluate(`{const e = document.getElementById('lapse-time'); e.value = 5; e.dispatchEvent(new Event('input'))}`, nil))
		if p.text(mapPixels) == before {
			t.Error("the scrubber does not change the map")
		}
		p.is(`document.getElementById('lapse-clock').textContent`, "01:00 UTC")
		before = p.text(mapPixels)
		p.run(chromedp.Click(`#lapse-rtt button`, chromedp.ByQuery))
		if p.text(mapPixels) == before {
			t.Error("hiding a class does not change the map")
		}
		p.run(chromedp.SetValue(`#lapse-colour`, "density", chromedp.ByID),
			chromedp.Evaluate(`document.getElementById('lapse-colour').dispatchEvent(new Event('change'))`, nil))
		p.is(`document.getElementById('lapse-density').hidden`, "false")
		p.run(chromedp.Click(`#lapse-play`, chromedp.ByID),
			chromedp.Poll(`document.getElementById('lapse-clock').textContent > '01:20'`, nil),
			chromedp.Click(`#lapse-play`, chromedp.ByID))
		p.is(`document.getElementById('lapse-play').textContent`, "Play")
		p.is(`document.querySelectorAll('#lapse-load li').length`, "29")
		p.quiet()
	})
	t.Run("charts and tables", func(t *testing.T) {
		p := open(t, browser, movingResult(), 1280, 1000, "light")
		p.is(`document.querySelectorAll('#day-charts .uplot').length`, "5")
		p.is(`document.querySelectorAll('#share-charts .uplot').length`, "3")
		const column = `[...document.querySelectorAll('#places table')[0].tBodies[0].rows].map((r) => parseFloat(r.cells[1].textContent.replaceAll(',', '')))`
		const sorted = `((v) => v.every((x, i) => i === 0 || x <= v[i - 1]))(` + column + `)`
		p.is(sorted, "false")
		p.run(chromedp.Click(`#places table thead th:nth-child(2) button`, chromedp.ByQuery))
		p.is(sorted, "true")
		p.is(`document.querySelector('#places th[aria-sort]').getAttribute('aria-sort')`, "descending")
		p.run(chromedp.Click(`#places table thead th:nth-child(1) button`, chromedp.ByQuery))
		p.is(`document.querySelector('#places table').tBodies[0].rows[0].cells[0].textContent`, "a datacenter with a long name 27")
		p.quiet()
	})
	t.Run("themes and widths", func(t *testing.T) {
		p := open(t, browser, movingResult(), 1280, 900, "light")
		p.run(chromedp.Poll(`document.getElementById('lapse-words').textContent !== ''`, nil))
		seen := map[string]string{}
		for _, c := range []struct {
			width        int64
			scheme, page string
		}{{1280, "light", "rgb(244, 246, 248)"}, {1280, "dark", "rgb(14, 19, 24)"}, {390, "dark", "rgb(14, 19, 24)"}, {390, "light", "rgb(244, 246, 248)"}} {
			name := fmt.Sprint(c.width, " pixels, ", c.scheme)
			p.look(c.width, 900, c.scheme)
			p.run(chromedp.Poll(`document.getElementById('lapse-map').clientWidth < innerWidth`, nil), chromedp.Sleep(50*time.Millisecond))
			p.is(`getComputedStyle(document.body).backgroundColor`, c.page)
			if p.text(`document.documentElement.scrollWidth <= innerWidth`) != "true" {
				t.Errorf("%s: the page is wider than its window", name)
			}
			pixels := p.text(mapPixels) + p.text(`document.querySelector('#day-charts canvas').toDataURL()`)
			if before, same := seen[pixels]; same {
				t.Errorf("%s: the map and the first chart look as with %s", name, before)
			}
			seen[pixels] = name
		}
		p.quiet()
	})
	t.Run("hostile names", func(t *testing.T) {
		p := open(t, browser, hostileResult(), 1280, 900, "light")
		p.is(`typeof window.hacked`, "undefined")
		p.is(`document.querySelectorAll('img').length`, "0")
		p.is(`document.querySelector('#places tbody th').textContent`, hostile)
		p.run(chromedp.Poll(`document.getElementById('lapse-words').textContent !== ''`, nil))
		p.is(`document.querySelector('#lapse-load span').textContent`, hostile)
		p.quiet()
	})
	t.Run("odd results", func(t *testing.T) {
		cases := pictureCases()
		for _, name := range []string{"zero", "no match", "one match", "hour", "gaps"} {
			open(t, browser, cases[name], 1280, 900, "light").quiet()
		}
	})
}
