// Cost measures what rulesets cost, as people write them: the CPU time of two hours of the built-in
// day under each ruleset, divided by that of the same two hours without rules (match.size is then
// that of the ruleset's largest match, and the players have the same parties and attributes).
//
//	go run ./scripts/cost                     # all rulesets
//	go run ./scripts/cost flexmatch ffa25     # those whose name contains one of the words
//	go run ./scripts/cost -repeat 3 -limit 5m # the least of three runs each; a run may take 5 minutes
//
// It prints a table and ends with exit code 1 if a ratio is above 3, the median is above 2, or a run
// is longer than the limit. Such a run is stopped and shown as such. The last column is a hash of the
// results: two commits with equal hashes made the same matches. With -mmsim, it measures another
// build, such as that of an earlier commit:
//
//	git worktree add /tmp/before COMMIT && (cd /tmp/before && go build -o /tmp/mmsim-before ./cmd/mmsim)
//	go run ./scripts/cost -mmsim /tmp/mmsim-before
//
// It is a program and not a test, because a loaded machine would make a test with limits on time
// fail. CPU time depends on the load too, so compare ratios of the same run.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits of the ratios: for each ruleset, and for the median.
const (
	ratioMax  = 3
	medianMax = 2
)

func main() {
	limit := flag.Duration("limit", 2*time.Minute, "stop a run that takes longer")
	repeat := flag.Int("repeat", 1, "number of runs of each ruleset, of which the one with the least CPU time counts")
	binary := flag.String("mmsim", "", "the program to measure (default: built from the working tree)")
	flag.Parse()
	ok, err := run(*binary, flag.Args(), *limit, *repeat, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run measures the loads whose name contains one of the words, or all loads without words. ok
// reports whether all runs ended and all ratios are within their limits.
func run(binary string, words []string, limit time.Duration, repeat int, stdout io.Writer) (ok bool, err error) {
	work, err := os.MkdirTemp("", "cost-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	if binary == "" {
		binary = filepath.Join(work, "mmsim")
		build := exec.Command("go", "build", "-o", binary, "./cmd/mmsim")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return false, fmt.Errorf("building ./cmd/mmsim, which is expected in the working directory: %w", err)
		}
	} else if binary, err = filepath.Abs(binary); err != nil {
		return false, err
	}
	m := measurer{binary: binary, work: work, limit: limit, repeat: max(1, repeat), plain: map[string]result{}}
	fmt.Fprintf(stdout, "%-26s %7s %8s %9s %7s %9s %7s  %s\n", "ruleset", "players", "CPU s", "no rules", "ratio", "matches", "budget", "hash")
	var ratios []float64
	ended := true
	for i := range loads {
		l := &loads[i]
		if len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(l.name, word) }) {
			continue
		}
		ruled, plain, err := m.measure(l)
		if err != nil {
			return false, fmt.Errorf("%s: %w", l.name, err)
		}
		ratios = append(ratios, ruled.cpu.Seconds()/plain.cpu.Seconds())
		ended = ended && !ruled.cut
		write(stdout, l, ruled, plain, limit)
	}
	if len(ratios) == 0 {
		return false, fmt.Errorf("no ruleset has a name with one of %q", words)
	}
	middle := median(ratios)
	fmt.Fprintf(stdout, "%d rulesets: median ratio %.2f (limit %d), largest %.2f (limit %d)\n", len(ratios), middle, medianMax, slices.Max(ratios), ratioMax)
	return ended && slices.Max(ratios) <= ratioMax && middle <= medianMax, nil
}

// write writes a line of the table. It marks ratios above the limit, and CPU times of runs that were
// stopped.
func write(stdout io.Writer, l *load, ruled, plain result, limit time.Duration) {
	stopped, above := "", ""
	if ruled.cut {
		stopped = ">"
	}
	ratio := ruled.cpu.Seconds() / plain.cpu.Seconds()
	if ratio > ratioMax {
		above = "!"
	}
	fmt.Fprintf(stdout, "%-26s %7d %8s %9.2f %7s", l.name, l.size,
		fmt.Sprintf("%s%.2f", stopped, ruled.cpu.Seconds()), plain.cpu.Seconds(), fmt.Sprintf("%s%.2f%1s", stopped, ratio, above))
	if ruled.cut {
		fmt.Fprintf(stdout, "  did not end within %v\n", limit)
		return
	}
	fmt.Fprintf(stdout, " %9d %7d  %s\n", ruled.matches, ruled.hits, ruled.hash)
}

// median returns the median of numbers, of which there is at least one. A run that was stopped
// counts with the CPU time that it had used.
func median(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
