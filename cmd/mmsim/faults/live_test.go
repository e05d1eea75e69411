package faults_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mmsim/cmd/mmsim/command"
)

// get requests a page.
func get(url string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// watch runs a command with --live. It returns the address and the content of the page, and all
// events, or an error if the page was not served.
func watch(t *testing.T, args []string) (url string, page, stream []byte, err error) {
	t.Helper()
	progress, stderr := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- command.Run(args, nil, io.Discard, stderr)
		stderr.Close()
	}()
	lines := bufio.NewScanner(progress)
	lines.Scan()
	url, found := strings.CutPrefix(lines.Text(), "watch it at ")
	if !found {
		t.Fatalf("standard error begins %q", lines.Text())
	}
	go io.Copy(io.Discard, progress)
	events, err := http.Get(url + "events")
	if err == nil {
		defer events.Body.Close()
		page, err = get(url)
	}
	if err == nil {
		stream, err = io.ReadAll(events.Body)
	}
	if got := <-code; got != command.ExitGood {
		t.Fatalf("exit code %d", got)
	}
	return url, page, stream, err
}

// A run can be watched, reports its end, and writes the same bytes as without viewers.
func TestLive(t *testing.T) {
	dir := t.TempDir()
	args := func(out string, more ...string) []string {
		return append([]string{"run", "--duration", "2h", "--scale", "0.01", "--out", filepath.Join(dir, out),
			"--set", "output.plots=false"}, more...)
	}
	var errs bytes.Buffer
	if code := command.Run(args("alone"), nil, io.Discard, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var url string
	var page, stream []byte
	for _, speed := range []string{"7200", "720", "72"} { // on a busy machine, a viewer may come when a fast run has ended
		if err := os.RemoveAll(filepath.Join(dir, "watched")); err != nil {
			t.Fatal(err)
		}
		var err error
		if url, page, stream, err = watch(t, args("watched", "--live", "localhost:0", "--live-speed", speed)); err == nil && bytes.Count(stream, []byte("event: waits\n")) >= 3 {
			break
		}
		t.Logf("--live-speed %s: a stream of %d bytes, %v", speed, len(stream), err)
	}
	if !bytes.Contains(page, []byte("connect-src &#39;self&#39;")) || !bytes.Contains(page, []byte("lapse-map")) {
		t.Error("got a page without the live page's policy or map")
	}
	stepText, last, ok := strings.Cut(strings.TrimSuffix(string(stream), "\n\n"), "event: end\ndata: ")
	var end struct {
		Complete bool
		Folder   string
		Report   []byte
	}
	if err := json.Unmarshal([]byte(last), &end); !ok || err != nil || !end.Complete || filepath.Base(end.Folder) != "watched" {
		t.Errorf("got end of stream %q (error %v), want a complete run in folder watched", stream[max(0, len(stream)-200):], err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(end.Report))
	if err != nil {
		t.Fatal(err)
	}
	report, _ := io.ReadAll(unpacked)
	if file, err := os.ReadFile(filepath.Join(dir, "watched", "report.html")); err != nil || !bytes.Equal(report, file) {
		t.Errorf("got a report of %d bytes at the end, want the %d bytes of report.html (error %v)", len(report), len(file), err)
	}
	if n := strings.Count(stepText, "event: waits\n"); n < 3 {
		t.Errorf("got %d events about waits, want at least 3", n)
	}
	steps := strings.Split(stepText, "\n\ndata: {")
	var step struct {
		T       int   `json:"t"`
		InMatch int   `json:"in_match"`
		Load    []int `json:"load"`
	}
	text, _, _ := strings.Cut(steps[len(steps)-1], "\n")
	if err := json.Unmarshal([]byte("{"+text), &step); err != nil || len(steps) < 3 || step.T != 7140 /* 01:59, the last minute */ || step.InMatch == 0 || len(step.Load) != 30 {
		t.Errorf("got %d steps, the last %+v (error %v), want one at 01:59 with players in matches", len(steps)-1, step, err)
	}
	if _, err := http.Get(url); err == nil {
		t.Error("the page is served after the run, want the server stopped")
	}
	for _, name := range []string{"summary.json", "timelapse.csv.gz", "report.html"} {
		alone, _ := os.ReadFile(filepath.Join(dir, "alone", name))
		watched, _ := os.ReadFile(filepath.Join(dir, "watched", name))
		if len(alone) == 0 || !bytes.Equal(alone, watched) {
			t.Errorf("%s differs between a run with the live page and one without", name)
		}
	}
}

func TestLiveSpeeds(t *testing.T) {
	for _, speed := range []string{"1e-300", "0", "-0", "-1", "NaN", "Inf", "-Inf", "0.0099", "1000001", "1e300"} {
		var errs bytes.Buffer
		code := command.Run([]string{"run", "--live", "0", "--live-speed=" + speed, "--out", t.TempDir() + "/out"}, nil, io.Discard, &errs)
		if code != command.ExitBadInput || !strings.Contains(errs.String(), "expected 0.01 to 1000000 simulated seconds per second") {
			t.Errorf("--live-speed %s: got exit code %d, want bad input with the allowed range: %s", speed, code, errs.String())
		}
	}
}
