package matchmaker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/commandtest"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/matcher/external/exchange"
)

// meet starts a module for a queue.
func meet(t testing.TB, o Options, h exchange.Hello) exchange.Matcher {
	t.Helper()
	o.Target = commandtest.Module(t)
	o.Memory = 256 << 20
	m, err := openModule(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close("end of the test") })
	h.Datacenters, h.Match = []string{"frankfurt"}, exchange.Match{Min: 2, Max: 2}
	hello, err := m.Hello(context.Background(), &h)
	if err != nil {
		t.Fatal(err)
	}
	if hello.Name != "guest" || hello.Version != "1" {
		t.Errorf("hello: got %+v, want name guest and version 1", hello)
	}
	return m
}

// A module's clocks show the virtual time, a sleep advances them without taking real time, and
// random numbers depend on seed, run and queue.
func TestClocksAndRandomNumbers(t *testing.T) {
	read := func(h exchange.Hello) []map[string]string {
		m := meet(t, Options{}, h)
		var list []map[string]string
		for n, nowMS := range []int64{-1500, 0, 3_600_000} {
			a, err := m.Pass(context.Background(), &exchange.Pass{Number: n + 1, NowMS: nowMS, Datacenter: exchange.AllDatacenters})
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]string{}
			for ticket, why := range a.Why {
				found[ticket] = why
			}
			list = append(list, found)
		}
		return list
	}
	hello := exchange.Hello{Queue: "clock", Seed: 7, Run: 1, StartMS: -1500}
	first := read(hello)
	// The sleep in the first pass ends after the time of the second pass. The second pass does
	// not set the clock back.
	for n, want := range []map[string]string{
		{"before": "1999-12-31T23:59:58.5Z", "after": "2000-01-01T00:01:28.5Z", "slept": "1m30s"},
		{"before": "2000-01-01T00:01:28.5Z", "after": "2000-01-01T00:02:58.5Z", "slept": "1m30s"},
		{"before": "2000-01-01T01:00:00Z", "after": "2000-01-01T01:01:30Z", "slept": "1m30s"},
	} {
		for key, text := range want {
			if first[n][key] != text {
				t.Errorf("pass %d: %s: got %s, want %s", n+1, key, first[n][key], text)
			}
		}
	}
	if first[0]["random"] == first[1]["random"] {
		t.Error("two passes got the same random number, want different ones")
	}
	other := func(change func(*exchange.Hello)) string {
		h := hello
		change(&h)
		return read(h)[0]["random"]
	}
	if again := other(func(*exchange.Hello) {}); again != first[0]["random"] {
		t.Error("the same seed and run gave another random number, want the same")
	}
	if other(func(h *exchange.Hello) { h.Seed++ }) == first[0]["random"] || other(func(h *exchange.Hello) { h.Run++ }) == first[0]["random"] {
		t.Error("another seed or run gave the same random number, want another")
	}
}

// Every fault of a module has its own message and ends the module.
func TestFaults(t *testing.T) {
	for queue, want := range map[string]string{
		"late":    "too late",
		"twice":   `it answered more than once; the rest is: {"matches":[]}`,
		"mute":    "it reads more input before it answers",
		"dies":    "it ended without an answer: exit status 3\nthe end of its standard error:\n  out of \\u001b[31mideas",
		"ends":    "it ended without an answer: exit status 0",
		"endless": "its line is longer than 64 MB (MaxLine)",
		"hungry":  "it ended without an answer: exit status 2\nthe end of its standard error:",
		"file":    "[matchmaker.wasm] []",
	} {
		t.Run(queue, func(t *testing.T) {
			var stderr bytes.Buffer
			m := meet(t, Options{Stderr: &stderr, Label: "queue"}, exchange.Hello{Queue: queue})
			timeout := time.Hour
			if queue == "late" {
				timeout = 50 * time.Millisecond
			}
			var err error
			for n := 1; n <= 4 && err == nil; n++ { // extra output after an answer is noticed in the next pass
				ctx, cancel := context.WithTimeoutCause(context.Background(), time.Hour, errors.New("too late"))
				if n == 3 {
					ctx, cancel = context.WithTimeoutCause(context.Background(), timeout, errors.New("too late"))
				}
				_, err = m.Pass(ctx, &exchange.Pass{Number: n, NowMS: int64(n) * 1000, Datacenter: exchange.AllDatacenters})
				cancel()
			}
			if err == nil || !strings.Contains(terminal.ErrorText(err), want) {
				t.Errorf("got error %v, want one that contains %s", err, want)
			}
			if queue == "file" && strings.Contains(fmt.Sprint(err), "<nil>") {
				t.Errorf("the module could open a file, want that refused: %v", err)
			}
			if !m.(*wasmMatchmaker).guest.hasEnded() {
				t.Error("the module is still running, want it ended")
			}
		})
	}
}

// A file that is not a program for wasip1 is rejected with a message about what was expected.
func TestOpenRefuses(t *testing.T) {
	const header = "\x00asm\x01\x00\x00\x00"
	for name, test := range map[string]struct{ module, want string }{
		"text":    {"print('hello')", "not a WebAssembly module that can be run: invalid magic number"},
		"empty":   {header, "it has no function _start, expected a program for wasip1, not a library"},
		"imports": {header + "\x01\x04\x01\x60\x00\x00" + "\x02\x09\x01\x03env\x01f\x00\x00", "it needs the function f of env, expected only functions of wasip1"},
	} {
		file := filepath.Join(t.TempDir(), "mm.wasm")
		if err := os.WriteFile(file, []byte(test.module), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := openModule(context.Background(), Options{Target: file, Memory: 1 << 30})
		if err == nil || !input.IsBad(err) || !strings.HasPrefix(err.Error(), file+": ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want bad input with the file and %s", name, err, test.want)
		}
	}
	if _, err := openModule(context.Background(), Options{Target: filepath.Join(t.TempDir(), "none.wasm")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: got error %v, want os.ErrNotExist", err)
	}
}

// BenchmarkPass measures a pass with 50 waiting tickets and 10 changes. One module ignores the
// message, and the other parses it as JSON.
func BenchmarkPass(b *testing.B) {
	for name, queue := range map[string]string{"silent": "silent", "json": ""} {
		b.Run(name, func(b *testing.B) {
			m := meet(b, Options{}, exchange.Hello{Queue: queue})
			p := &exchange.Pass{Datacenter: exchange.AllDatacenters}
			for n := range 50 {
				p.Waiting = append(p.Waiting, passTicket(n))
			}
			next := 50
			for b.Loop() {
				p.Number++
				p.NowMS += 1000
				p.Added, p.Removed = p.Added[:0], p.Removed[:0]
				for range 5 {
					p.Removed = append(p.Removed, exchange.Removed{ID: p.Waiting[0].ID, Why: "expired"})
					p.Waiting = append(p.Waiting[1:], passTicket(next))
					p.Added = append(p.Added, p.Waiting[49])
					next++
				}
				if _, err := m.Pass(context.Background(), p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// passTicket returns a ticket of three players, which is too large for a match of two.
func passTicket(n int) *exchange.Ticket {
	t := &exchange.Ticket{ID: fmt.Sprint("t", n), Party: fmt.Sprint("p", n), Reach: 1}
	for i := range 3 {
		t.Players = append(t.Players, exchange.Player{
			ID: fmt.Sprint("p", n, i), RTTMS: []float64{21.5},
			Attributes: []exchange.Attribute{{Name: "mmr", Value: exchange.Value{Number: 1500}}},
		})
	}
	return t
}
