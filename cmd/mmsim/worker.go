package main

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
)

// addWorkers gives a command the flags to simulate on workers.
func addWorkers(c *cobra.Command, o *workers.Options) {
	c.Flags().StringVar(&o.Serve, "serve", "", "let workers do the simulation; they connect to this machine at `ADDRESS`, such as :4222")
	c.Flags().StringVar(&o.NATS, "nats", "", "let workers do the simulation; they connect to the NATS server at `URL`")
	c.Flags().StringVar(&o.Creds, "creds", "", "log in to the NATS server with the credentials in `FILE`")
	must(c.MarkFlagFilename("creds", "creds"))
	grouped(c.Flags(), groupSimulation, "serve", "nats", "creds")
}

func newWorkerCommand(s *terminal.Streams) *cobra.Command {
	var w workers.Work
	c := &cobra.Command{
		Use:   "worker [flags] URL",
		Short: "Simulate for a command on another machine",
		Long: `Simulate for a sweep, tune, compare, check or run --runs on another machine. Start that
command with --serve ADDRESS; it prints the line that starts a worker:

  mmsim sweep sweep.yaml --serve :4222     # on one machine; prints mmsim worker mmsim://…
  mmsim worker mmsim://…                   # on any number of others

The URL contains a token and the fingerprint of the coordinator's certificate. Keep it like a
password: anyone who has it can connect. Workers may join and leave at any time. If a worker
is killed or its machine fails, another worker does its jobs; an interrupted worker returns
its jobs at once. The results are the same bytes as on one machine. Therefore all machines
need the same build of mmsim, and a worker of another build is refused. The coordinator sends
all files, including modules and recordings of --matcher; a worker reads none of its own.

If a job's matchmaker is an "exec:" command, the worker starts that command; for "openmatch2:"
and "accelbyte:" it calls the service. A worker accepts such jobs only with --allow-exec,
because then anyone who has the URL can start programs on its machine. The program must be
installed there: it runs in the folder in which the worker was started, and must report the
same name and version as on the machine of the command. A worker that cannot do a job leaves
it to others, and the command shows the worker's name and the reason.

With the URL of a NATS server, which must have JetStream, a worker serves all commands that
were started with --nats and that URL, until it is interrupted.`,
		Example: `  mmsim worker mmsim://TOKEN@build-7:4222/FINGERPRINT
  mmsim worker nats://nats.studio:4222 --creds mmsim.creds --jobs 8
  mmsim worker mmsim://TOKEN@build-7:4222/FINGERPRINT --allow-exec     # in the folder of the program`,
		Args:        exactArgs("URL"),
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
	c.Flags().IntVar(&w.Jobs, "jobs", 0, "do `N` jobs at a time; 0: one for each core")
	c.Flags().BoolVar(&w.AllowExec, "allow-exec", false, "accept jobs that start programs or call services that the coordinator names")
	c.Flags().StringVar(&w.Creds, "creds", "", "log in to the NATS server with the credentials in `FILE`")
	must(c.MarkFlagFilename("creds", "creds"))
	grouped(c.Flags(), groupInput, "creds")
	grouped(c.Flags(), groupSimulation, "jobs", "allow-exec")
	return c
}
