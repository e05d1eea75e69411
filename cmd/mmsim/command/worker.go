package command

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
	"mmsim/cmd/mmsim/workers/hub"
)

func newWorkerCommand(s *terminal.Streams) *cobra.Command {
	var w workers.Work
	var tokenFile string
	c := &cobra.Command{
		Use:   "worker [flags] URL",
		Short: "Simulate on this machine for a command on another one",
		Long: `Simulate on this machine for a command on another machine. The commands sweep, tune, compare,
check and run --runs can let workers simulate:

  mmsim sweep sweep.yaml --serve :4222                # on one machine; prints the next command
  MMSIM_WORKER_TOKEN=… mmsim worker mmsim://…         # on each worker machine

Workers may join and leave at any time. If a worker is killed, another worker does its jobs. A
worker exits when the command ends, or if it has had no connection to the command for 10 minutes.

The results are byte for byte the same as without workers. For this, mmsim must be built from the
same sources on every machine. The folder, the operating system and the processor, amd64 or arm64, do
not matter. Other workers get no jobs. The command sends all input files to the workers.

The connection is encrypted, and the token is a secret like a password: the command and its workers
recognise each other by it, so anyone who has it can connect. It is not an argument, because other
users of a machine can read the arguments of its programs. Put it into the variable
MMSIM_WORKER_TOKEN, or into a file and use --token-file.

EXTERNAL MATCHMAKERS (see "mmsim help matcher"). A worker starts a program (exec:) or calls a service
only with --allow-exec, because anyone who has the token could then start programs on its machine. If
the command line of the program names a file in the folder where it runs, all files in this folder
are sent, except results and names that begin with a dot. A folder with more than 1,000 files or 8 MiB,
with links, or above your home folder is not sent: start the worker in a folder that has the program.
What the program needs, such as Python, must be on the worker's machine. It must report the same name
and version everywhere. If no worker can do a job, the command stops with the reasons and cures.

NATS. If you have a NATS server with JetStream, the command and the workers can connect to that
server instead: start the command with --nats URL, and the workers with the same URL. Such a worker
simulates for all commands that use the server, and exits only when you interrupt it.`,
		Example: `  MMSIM_WORKER_TOKEN=TOKEN mmsim worker mmsim://build-7:4222
  mmsim worker mmsim://build-7:4222 --token-file token
  mmsim worker nats://nats.studio:4222 --creds mmsim.creds --jobs 8
  mmsim worker mmsim://build-7:4222 --token-file token --allow-exec`,
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if w.Folder, err = input.WorkingFolder(); err != nil {
				return err
			}
			if w.Token, err = hub.ReadToken(tokenFile); err != nil {
				return err
			}
			w.URL, w.Err = args[0], s.Err
			return cli.UntilInterrupted(c, w.Run)
		},
	}
	in, simulation := cli.Under(c, cli.GroupInput), cli.Under(c, cli.GroupSimulation)
	simulation.Whole(&w.Jobs, "jobs", "N", 0, 1, cli.Unlimited, "number of simulations at a time (default 0: one per core)")
	simulation.Bool(&w.AllowExec, "allow-exec", "also simulate with a matchmaker that is a program or a service")
	in.File(&tokenFile, cli.Secret, "token-file", "", "file with the token of the command (default: the variable MMSIM_WORKER_TOKEN)")
	in.File(&w.Creds, cli.Secret, "creds", "", "file with the credentials for the NATS server", "creds")
	return c
}
