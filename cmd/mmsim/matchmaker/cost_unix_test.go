//go:build unix

package matchmaker

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"mmsim/matcher/external/exchange"
)

// silent is an environment variable. If it is set, the test binary is a matchmaker that reads
// every line and makes no matches.
const silent = "MMSIM_TEST_SILENT"

func TestMain(m *testing.M) {
	if os.Getenv(silent) == "" {
		os.Exit(m.Run())
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for answer := "{\"hello\":1}\n"; ; answer = "{}\n" {
		for isPart := true; isPart; {
			var err error
			if _, isPart, err = in.ReadLine(); err != nil {
				return
			}
		}
		os.Stdout.WriteString(answer)
	}
}

// BenchmarkExec measures the CPU time of a pass with an external program, in both processes.
// About 50 tickets wait, of which 10 are new, 10 have left, and there are 20 datacenters. The
// program is written in Go and makes no matches.
//
//	go test ./cmd/mmsim/matchmaker -bench Exec -benchtime 86400x
func BenchmarkExec(b *testing.B) {
	b.Setenv(silent, "1")
	kind, target, err := Parse(fmt.Sprintf("exec:'%s'", os.Args[0]))
	if err != nil {
		b.Fatal(err)
	}
	m, err := kind.Open(b.Context(), Options{Target: target, Folder: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	hello := &exchange.Hello{Match: exchange.Match{Min: 4, Max: 4}, TickMS: 1000, GiveUpMS: 120_000}
	for i := range 20 {
		hello.Datacenters = append(hello.Datacenters, fmt.Sprint("datacenter", i))
	}
	if _, err := m.Hello(b.Context(), hello); err != nil {
		b.Fatal(err)
	}
	const waiting, changes = 50, 10
	p := exchange.Pass{Datacenter: exchange.AllDatacenters}
	next := 0
	b.ResetTimer()
	before := cpu(b)
	for range b.N {
		p.Number, p.NowMS = p.Number+1, p.NowMS+1000
		p.Added, p.Removed = p.Added[:0], p.Removed[:0]
		if len(p.Waiting) > waiting {
			for _, t := range p.Waiting[:changes] {
				p.Removed = append(p.Removed, exchange.Removed{ID: t.ID, Why: "expired"})
			}
			p.Waiting = append(p.Waiting[:0], p.Waiting[changes:]...)
		}
		for range changes {
			next++
			p.Added = append(p.Added, benchTicket(next, p.NowMS))
		}
		p.Waiting = append(p.Waiting, p.Added...)
		if _, err := m.Pass(b.Context(), &p); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	if err := m.Close("end of the benchmark"); err != nil { // the child's CPU time is known only after it has ended
		b.Fatal(err)
	}
	b.ReportMetric(float64((cpu(b)-before).Nanoseconds())/1e6/float64(b.N), "CPU-ms/pass")
}

func benchTicket(n int, nowMS int64) *exchange.Ticket {
	t := &exchange.Ticket{ID: "t" + strconv.Itoa(n), Party: "p" + strconv.Itoa(n), CreatedMS: nowMS - 500, GiveUpMS: 120_000, Reach: 1<<20 - 1}
	player := exchange.Player{ID: t.Party, Attributes: []exchange.Attribute{
		{Name: "mmr", Value: exchange.Value{Number: 1500 + float64(n%700)/7}},
		{Name: "maps", Value: exchange.Value{Kind: exchange.List, List: []string{"dust", "inferno"}}},
	}}
	for i := range 20 {
		player.RTTMS = append(player.RTTMS, float64(n%37*16+i*5)/16)
	}
	t.Players = []exchange.Player{player}
	return t
}

// cpu returns the CPU time of this process and of its children that have ended.
func cpu(b *testing.B) (sum time.Duration) {
	for _, which := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(which, &usage); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}
