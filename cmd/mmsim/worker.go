package main

import (
	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/cmd/mmsim/workers"
)

// addWorkers gives a command the flags that have workers simulate in its place.
func addWorkers(c *cobra.Command, o *workers.Options) {
	c.Flags().StringVar(&o.Serve, "serve", "", "have workers simulate that connect to this machine at `ADDRESS`, such as :4222")
	c.Flags().StringVar(&o.NATS, "nats", "", "have workers simulate that are connected to the NATS server at `URL`")
	c.Flags().StringVar(&o.Creds, "creds", "", "log in to the NATS server with the credentials in `FILE`")
	must(c.MarkFlagFilename("creds", "creds"))
	grouped(c.Flags(), groupSimulation, "serve", "nats", "creds")
}

func newWorkerCommand(s *terminal.Streams) *cobra.Command {
	var w workers.Work
	c := &cobra.Command{
		Use:   "worker [flags] URL",
		Short: "Simulate for a command on another machine",
		Long: `Simulate for a sweep, tune, compare, check or run --runs of another machine. The command
there has --serve ADDRESS, and prints the line that starts a worker:

  mmsim sweep sweep.yaml --serve :4222     # on one machine; prints mmsim worker mmsim://…
  mmsim worker mmsim://…                   # on any number of others

The URL holds the token that the coordinator asks for, and the fingerprint of its
certificate: whoever has the URL may connect, so keep it as you keep a password. Workers
come and leave as they like. A job of a worker that was killed, or whose machine is gone,
goes to another one; an interrupted worker gives its jobs back at once. Results are those of
one machine, byte for byte. That is why a worker of another build is refused: all machines
need the same mmsim. Files are sent, modules and recordings of --matcher too; a worker reads
none of its own.

Jobs with a matchmaker of exec: start that command on the worker, and those of openmatch2: and
accelbyte: ask the service from there. A worker does them only with --allow-exec: then whoever
has the URL may start programs on its machine. The program has to be there: it is run in the
folder in which the worker was started, and must say the name and version that it says on the
machine of the command. A worker that cannot do a job leaves it to others, and the command
shows its name and the reason.

With the URL of a NATS server, which needs JetStream, a worker serves every command that was
started with --nats and that URL, until it is interrupted.`,
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
	c.Flags().IntVar(&w.Jobs, "jobs", 0, "do `N` jobs at a time; 0: as many as there are cores")
	c.Flags().BoolVar(&w.AllowExec, "allow-exec", false, "start the programs and ask the services that jobs name as their matchmakers")
	c.Flags().StringVar(&w.Creds, "creds", "", "log in to the NATS server with the credentials in `FILE`")
	must(c.MarkFlagFilename("creds", "creds"))
	grouped(c.Flags(), groupInput, "creds")
	grouped(c.Flags(), groupSimulation, "jobs", "allow-exec")
	return c
}
