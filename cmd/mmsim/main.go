// Command mmsim simulates matchmaking. It replays a day of player joins from around the world
// through a matchmaking configuration on a virtual clock, and reports waits, RTTs and matches.
//
// Only the packages in this folder handle arguments, file names, the terminal and the wall clock.
// They also convert the data of datasets and latencymap to the types that sim uses.
//
// # How mmsim run works
//
// Read these files in this order, from the arguments to the files of a result:
//
//	command/command.go         the tree of commands, and the exit code
//	command/run.go             the command, from its flags to its output
//	command/errors.go          exit codes
//	cli/configflags.go         --config, --set and the short forms of --set
//	config/load.go             reads the configuration: defaults, then the file, then flags
//	config/table.go            lists the keys of a configuration
//	resultdir/doc.go           how a result appears whole or not at all
//	resultdir/dir.go           checks, creates and renames the directory of a result
//	experiment/inputs.go       reads and checks datacenters, rules, joins and maps
//	experiment/doc.go          what arms, runs, replications and jobs are
//	experiment/experiment.go   starts the jobs and passes on their outcomes in order
//	experiment/job.go          does one job, or reads its summary from a store
//	results/write.go           writes the files of a result
//	experiment/replication.go  prepares a replication and runs it in sim/engine
//	resultdir/publish.go       moves the files into place, and the marker last
//
// Then read the package comment of sim, which describes the simulation itself. With --rules,
// config/ruleset.go reads the rules. reports/result/files.go lists the files of a result, and
// reports/figure/plots.go its pictures.
package main

import (
	"os"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/command"
)

func main() {
	cli.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
