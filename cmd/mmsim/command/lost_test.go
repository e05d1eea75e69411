package command

import (
	"io"
	"strings"
	"syscall"
	"testing"

	"mmsim/cmd/mmsim/commandtest"
)

// fullDisk is standard output on a full disk.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Every command, every help and every topic reports that its output is lost.
func TestLostOutput(t *testing.T) {
	rules := commandtest.Read(t, "../gallery/playfab/queue.json")
	t.Chdir(t.TempDir())
	commandtest.Put(t, ".", map[string]string{
		"queue.json": rules, "gate.yaml": "matches.count: {min: 0}\n", "broken.yaml": "matches.count: {max: 0}\n",
		"day.csv": "00:00:00,50,8\n00:00:01,50,8\n00:00:02,50,8\n00:00:03,50,8\n", "pings.csv": "datacenter,latitude,longitude,rtt_ms\nfrankfurt,48,2,20\n",
		"base.yaml": "{dataset: {file: day.csv}, clock: {duration: 1m, warmup: 0s}, output: {plots: false, html: false}}",
		"tune.yaml": "{config: base.yaml, settings: {match.size: {from: 2, to: 4}}, minimise: wait_s.mean, halve: none, start: 4, budget: {runs: 8}}",
	})
	for _, line := range []string{"run --quiet --config base.yaml --out result", "test new queue.json", "latency build --out maps pings.csv"} {
		if code := Run(strings.Fields(line), nil, io.Discard, io.Discard); code != ExitGood {
			t.Fatalf("mmsim %s: got exit code %d", line, code)
		}
	}
	lines := []string{
		"help", "--version", "help metrics wait", "help config latency", "help config match.size", "completion bash", "completion zsh", "completion fish", "completion powershell",
		"about", "schema config", "init project", "matcher init starter", "man pages", "test queue-case.json", "match queue-case.json", "match --json queue-case.json",
		"test new --out other.json queue.json", "validate base.yaml", "dataset gen --joins 50", "dataset info day.csv", "dataset info --json day.csv", "dataset convert day.csv -",
		"dataset datacenters", "dataset datacenters --json", "latency build --out maps pings.csv", "latency build --json --out maps pings.csv", "latency lookup frankfurt 50 8", "latency diff maps maps",
		"run --config base.yaml", "run --json --config base.yaml --runs 2 --out runs", "report result", "check result --gate gate.yaml", "check result --gate broken.yaml", "check result --gate gate.yaml --json",
		"check result --gate gate.yaml --markdown", "compare base.yaml --set-b match.size=2 --runs 2", "compare result result --json", "compare result result --markdown",
		"sweep --config base.yaml --vary match.size=2,4 --runs 1", "sweep --json --config base.yaml --vary match.size=2,4 --runs 1", "sweep merge mmsim-sweep", "tune tune.yaml", "tune --json tune.yaml",
	}
	for _, c := range ownCommands(t) {
		path := strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "mmsim"), " ")
		if lines = append(lines, strings.TrimSpace("help "+path)); !c.IsAdditionalHelpTopicCommand() {
			lines = append(lines, strings.TrimSpace(path+" --help"))
		}
	}
	for _, line := range lines {
		var errs strings.Builder
		if code := Run(strings.Fields(line), nil, fullDisk{}, &errs); code != ExitFault || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("mmsim %s: got exit code %d and %q, want %d and the reason", line, code, errs.String(), ExitFault)
		}
	}
}
