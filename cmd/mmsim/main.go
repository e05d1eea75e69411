// Command mmsim replays a day of geo-distributed joins through a matchmaking configuration on
// a virtual clock and reports waits, RTTs and matches.
//
// This is the only package of the project that handles arguments, file names, the terminal,
// the wall clock and exit codes. It is also the only place where the other rooms meet: it
// converts the data of datasets and latencymap to the types that sim uses.
//
// # How mmsim run works
//
// These files, in this order, lead from the arguments to the files of a result:
//
//	main.go                    the tree of commands, and the exit code
//	run.go                     the flags of the command; claim, load, simulate, commit, print
//	errors.go                  exit codes, and the handling of signals
//	flags.go                   --config, --set and the short forms of --set
//	config/load.go             defaults, file and flags, resolved to a configuration
//	config/table.go            every key, with its limits and its field
//	resultdir/doc.go           how a result appears whole or not at all
//	resultdir/dir.go           the directory: checked first, written beside, renamed at the end
//	experiment/inputs.go       datacenters, rules, joins and maps, read and checked
//	experiment/doc.go          arms, runs, replications and jobs
//	experiment/experiment.go   jobs in order: from inputs to a replication, and its summary kept
//	experiment/job.go          the goroutines that do the jobs
//	results/write.go           writes records during a replication and all other files after it
//	experiment/replication.go  a replication: prepared, run by sim/engine, counted by reports
//	resultdir/publish.go       files renamed into place, the marker last
//
// The package comment of sim continues from there: it describes an instant of a run, from the
// clock to the queues and the observers. With --rules, config/ruleset.go reads the rules. The
// names of a result's files are in reports/result/files.go, and its pictures in
// reports/figure/plots.go.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program except the process around it: it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	s := terminal.NewStreams(stdin, stdout, stderr)
	defer s.Close()
	// Go exits with 2 on a panic, which for mmsim means bad input.
	defer func() {
		if fault := recover(); fault != nil {
			terminal.PrintTo(s.Err, "mmsim: internal fault: %v\n", fault)
			_, _ = terminal.Behind(s.Err).Write(debug.Stack()) // mmsim's own text, with tabs
			code = exitFault
		}
	}()
	root := newRootCommand(s)
	root.SetArgs(protectNegatives(root, args))
	stop := func() {}
	root.PersistentPreRun = func(c *cobra.Command, _ []string) { stop = abortOnSignal(c) }
	defer func() { stop() }()
	err := root.ExecuteContext(context.Background())
	if err != nil && err.Error() != "" {
		fmt.Fprintln(s.Err, terminal.ErrorText(err))
	}
	return exitCode(err)
}

// newRootCommand builds the tree of commands.
func newRootCommand(s *terminal.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "mmsim",
		Short: "Test a matchmaking configuration in simulation, not in production",
		Long: `mmsim replays a day of player joins from around the world through a matchmaking
configuration on a virtual clock, and shows how long players wait, what round-trip time
(RTT) they get, and who never finds a match.`,
		Example: `  mmsim run                                   # the built-in day, datacenters and latency model
  mmsim run --dataset day.csv --latency-maps maps/ --datacenters datacenters.csv
  mmsim run --config mmsim.yaml --set match.size=10
  mmsim test cases/                           # unit tests for rulesets
  mmsim help config                           # every key of a configuration`,
		Version:       experiment.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.In)
	root.SetOut(terminal.Behind(s.Out)) // help and completions are mmsim's own text, with tabs
	root.SetErr(terminal.Behind(s.Err))
	root.SetUsageFunc(writeUsage)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newRunCommand(s), newTestCommand(s), newMatchCommand(s), newValidateCommand(s), newDatasetCommand(s), newLatencyCommand(s),
		newCompareCommand(s), newGateCommand(s), newSweepCommand(s), newTuneCommand(s), newWorkerCommand(s), newInitCommand(s), newMatcherCommand(s), newSchemaCommand(s), newReportCommand(s), newAboutCommand(s), newManCommand(s), newConfigTopic(), newRecordsTopic(), newCaseTopic(), newGateTopic(), newMetricsTopic())
	asGroup(root)
	correctDefaults(root)
	return root
}

// correctDefaults makes the commands of the cobra library refuse unknown words, like mmsim's
// commands; by default they show a help and succeed.
func correctDefaults(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			asGroup(c)
		case "help":
			c.Use, c.Short = "help [COMMAND|TOPIC]", "Help about a command or a topic"
			help := c.Run
			c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
				topic, rest, err := root.Find(args)
				switch {
				case err != nil:
					return input.Bad(err)
				case topic.Name() == "metrics":
					return helpMetrics(root.OutOrStdout(), rest)
				case len(rest) > 0:
					return topic.ValidateArgs(rest)
				}
				help(c, args)
				return nil
			}
		}
	}
}
