package theory_test

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/command"
	"mmsim/cmd/mmsim/commandtest"
)

// cpuSeconds returns the CPU time that this process has used.
func cpuSeconds(tb testing.TB) float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

// runDay simulates the real day with statistics, files, plots and page. It returns a hash of
// the results, to notice an optimisation that changes them.
func runDay(tb testing.TB, data string) uint32 {
	out := filepath.Join(tb.TempDir(), "out")
	args := []string{"run", "--quiet", "--out", out,
		"--dataset", filepath.Join(data, "day.csv.gz"),
		"--datacenters", filepath.Join(data, "masbandwidth", "datacenters.csv"),
		"--latency-maps", filepath.Join(data, "masbandwidth"), "--set", "latency.fallback=line"}
	if code := command.Run(args, nil, io.Discard, io.Discard); code != 0 {
		tb.Fatalf("exit code %d", code)
	}
	summary, err := os.ReadFile(filepath.Join(out, "summary.json"))
	if err != nil {
		tb.Fatal(err)
	}
	// Skip the beginning of the file, which contains paths and versions.
	_, results, _ := bytes.Cut(summary, []byte(`"players"`))
	return crc32.ChecksumIEEE(results)
}

// BenchmarkDay measures the CPU time of a whole run divided by that of the bare loop. The
// limit is 2.9, and the goal is 1.5. The run and the bare loop alternate in one process.
func BenchmarkDay(b *testing.B) {
	data := commandtest.Data(b)
	var bare, whole float64
	var loop *bareLoop
	var hash uint32
	for b.Loop() {
		start := cpuSeconds(b)
		loop = &bareLoop{}
		if err := loop.run(data); err != nil {
			b.Fatal(err)
		}
		middle := cpuSeconds(b)
		hash = runDay(b, data)
		bare += middle - start
		whole += cpuSeconds(b) - middle
	}
	b.ReportMetric(bare/float64(b.N), "bare-cpu-s/op")
	b.ReportMetric(whole/float64(b.N), "day-cpu-s/op")
	b.ReportMetric(whole/bare, "ratio")
	b.ReportMetric(float64(loop.matches), "bare-matches")
	b.ReportMetric(float64(hash>>8), "hash")
}

// The bare loop does the same job as mmsim: it makes as many matches, and players get the same
// RTTs, except for the effects of its simplifications.
func TestBareLoopAgreesWithSimulation(t *testing.T) {
	loop := &bareLoop{}
	if err := loop.run(commandtest.Data(t)); err != nil {
		t.Fatal(err)
	}
	mean := loop.rttSum / float64(4*loop.matches)
	if loop.matches < 1_350_000 || loop.matches > 1_375_000 || mean < 48 || mean > 51 {
		t.Errorf("bare loop: got %v, want 1.35 to 1.375 million matches and a mean RTT of 48 to 51 ms, as of the simulation that it is compared with", loop)
	}
}
