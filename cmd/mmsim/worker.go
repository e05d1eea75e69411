package main

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
)

// addWorkers adds the flags of a command that can simulate on workers.
func addWorkers(c *cobra.Command, o *workers.Options) {
	c.Flags().StringVar(&o.Serve, "serve", "", "distribute the simulation to workers that connect to this address, such as :4222 (see \"mmsim worker --help\")")
	c.Flags().StringVar(&o.NATS, "nats", "", "distribute the simulation through an existing NATS server")
	c.Flags().StringVar(&o.Creds, "creds", "", "file with the credentials for the NATS server")
	cli.Must(c.MarkFlagFilename("creds", "creds"))
	cli.Placeholders(c.Flags(), map[string]string{"serve": "ADDRESS", "nats": "URL", "creds": "FILE"})
	cli.Grouped(c.Flags(), cli.GroupSimulation, "serve", "nats", "creds")
}

func newWorkerCommand(s *terminal.Streams) *cobra.Command {
	var w workers.Work
	c := &cobra.Command{
		Use:   "worker [flags] URL",
		Short: "Simulate for a command on another machine",
		Long: `Simulate on this machine for a command on another machine. sweep, tune, compare, check and
run --runs can give their simulations to workers:

  mmsim sweep sweep.yaml --serve :4222     # on one machine; prints the URL for the workers
  mmsim worker mmsim://…                   # on each worker machine, with that URL

Workers may join and leave at any time. If a worker is killed, another one does its jobs. A worker
exits when the command ends, or after 10 minutes without a connection to it. The results are byte
for byte the same as on one machine. This requires the same build of mmsim on all machines; a worker
of another build is refused. The command sends all input files to the workers.

The URL contains a token and the fingerprint of a certificate. Keep it like a password: anyone
who has it can connect.

YOUR OWN MATCHMAKER. If the command has a --matcher (see "mmsim help matcher"), WebAssembly modules
(wasm:) and recordings (replay:) are sent to the workers. A program (exec:) or a service
(openmatch2:, accelbyte:) is used only by workers that were started with --allow-exec: that flag
lets anyone who has the URL start programs on the worker's machine. The program must be installed
there. It runs in the folder in which the worker was started, and must report the same name and
version as on the command's machine. A worker that cannot do a job leaves it to another worker, and
the command prints the worker's name and the reason.

NATS. Workers can also connect to an existing NATS server, which must have JetStream. Such a worker
serves all commands that have --nats with the URL of that server, and exits only when you
interrupt it.`,
		Example: `  mmsim worker mmsim://TOKEN@build-7:4222/FINGERPRINT
  mmsim worker nats://nats.studio:4222 --creds mmsim.creds --jobs 8
  mmsim worker mmsim://TOKEN@build-7:4222/FINGERPRINT --allow-exec     # in the folder of the program`,
		Args:        cli.ExactArgs("URL"),
		Annotations: map[string]string{ownsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("jobs") && w.Jobs < 1 {
				return input.Badf("--jobs %d: expected 1 or more", w.Jobs)
			}
			var err error
			if w.Folder, err = input.WorkingFolder(); err != nil {
				return err
			}
			w.URL, w.Err = args[0], s.Err
			return untilInterrupted(c, w.Run)
		},
	}
	c.Flags().IntVar(&w.Jobs, "jobs", 0, "number of jobs to do at a time (default 0: one per core)")
	c.Flags().BoolVar(&w.AllowExec, "allow-exec", false, "accept jobs whose matchmaker is a program or a service")
	c.Flags().StringVar(&w.Creds, "creds", "", "file with the credentials for the NATS server")
	cli.Must(c.MarkFlagFilename("creds", "creds"))
	cli.Placeholders(c.Flags(), map[string]string{"jobs": "N", "creds": "FILE"})
	cli.Grouped(c.Flags(), cli.GroupInput, "creds")
	cli.Grouped(c.Flags(), cli.GroupSimulation, "jobs", "allow-exec")
	return c
}
