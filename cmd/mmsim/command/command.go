// Package command has the commands of mmsim, one file for each. Package data has "mmsim validate",
// "mmsim latency" and "mmsim dataset", and package cli has the code that commands share.
//
// The tests of whole commands are in several packages, so that they run side by side: scripts and
// helps here, theory in cmd/mmsim/theory, faults in cmd/mmsim/faults, and the commands of the documents
// in cmd/mmsim/gallery.
package command

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/calibrate"
	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/data"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/terminal"
)

// Run executes the command that the arguments name, and returns the exit code of the process.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	s := terminal.NewStreams(stdin, stdout, stderr)
	input.KeepStdin(stdin)
	defer input.FixContents()()
	defer s.Close()
	// A panic must not exit with 2, Go's default: for mmsim, 2 means bad input.
	defer func() {
		if fault := recover(); fault != nil {
			terminal.PrintTo(s.Err, "mmsim: internal fault: %v\n", fault)
			_, _ = terminal.Unwrap(s.Err).Write(debug.Stack()) // unescaped: mmsim wrote the text, which has tabs
			code = ExitFault
		}
	}()
	root := NewRoot(s)
	root.SetArgs(cli.ProtectNegatives(root, args))
	stop := func() {}
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		stop = cli.OnSignal(c)
		return cli.CheckFiles(c)
	}
	err := root.ExecuteContext(context.Background())
	stop() // before the error is reported, which an interruption may have caused
	if lost := s.Lost(); lost != nil && (err == nil || ExitCode(err) == ExitFailed) {
		err = lost // a verdict that nobody can read is none
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintln(s.Err, terminal.ErrorText(err))
	}
	return ExitCode(err)
}

// setUp is the group of the commands that set mmsim and projects up.
const setUp = "set-up"

// NewRoot returns the command mmsim with all its subcommands and topics.
func NewRoot(s *terminal.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "mmsim",
		Short: "Simulate matchmaking for online games",
		Long: `mmsim simulates matchmaking for online games. It simulates a day on which players from around
the world join, matches the players as you configure, and reports how long they wait, what
round-trip time (RTT) they get, and how many never find a match. The clock is virtual: a day
with a million joins takes seconds.

Exit codes:
  0    success
  1    a test case failed ("mmsim test"), or a limit is broken ("mmsim check")
  2    wrong usage, an invalid input file, or a failure of an external matchmaker
  3    an internal error, or a problem with the machine, such as a full disk
  130  interrupted, for example by Ctrl-C`,
		Example: `  mmsim run                                   # simulate the built-in day
  mmsim run --dataset day.csv --datacenters datacenters.csv --latency-maps maps/
  mmsim run --config mmsim.yaml --set match.size=10
  mmsim init my-game                          # write a small project to start from
  mmsim test cases/                           # run the unit tests of a ruleset
  mmsim help config                           # list all settings
  mmsim help config latency                   # list the settings of the section latency`,
		Version:       build.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.In)
	root.SetOut(terminal.Unwrap(s.Out)) // unescaped: mmsim wrote the help and completions, which have tabs
	root.SetErr(terminal.Unwrap(s.Err))
	root.SetHelpFunc(cli.WriteHelp)
	root.SetFlagErrorFunc(cli.FlagError)
	for _, group := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"simulate", "Simulate", []*cobra.Command{newRunCommand(s), newReportCommand(s), newWorkerCommand(s)}},
		{"decide", "Decide", []*cobra.Command{newCompareCommand(s), newGateCommand(s), newSweepCommand(s), newTuneCommand(s), newSiteCommand(s)}},
		{"rulesets", "Rulesets", []*cobra.Command{newTestCommand(s), newMatchCommand(s), newMatcherCommand(s)}},
		{"data", "Data", []*cobra.Command{data.NewValidateCommand(s), data.NewDatasetCommand(s), data.NewLatencyCommand(s), calibrate.NewCommand(s)}},
		{setUp, "Set up", []*cobra.Command{newInitCommand(s), newSchemaCommand(s), newAboutCommand(s), newManCommand(s)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(setUp)
	root.SetCompletionCommandGroupID(setUp)
	root.AddCommand(newTopics()...)
	cli.AsGroup(root)
	correctDefaults(root)
	complete(root)
	return root
}

// complete sets the check of arguments, and the texts of the flags that cobra adds, for a command and
// all its subcommands.
func complete(c *cobra.Command) {
	if c.Args == nil && c.Runnable() {
		c.Args = cli.CheckArgs
	}
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	for name, usage := range map[string]string{"help": "print this help", "version": "print the version"} {
		if f := c.Flags().Lookup(name); f != nil {
			f.Usage = usage
		}
	}
	for _, sub := range c.Commands() {
		complete(sub)
	}
}

// completionHelp is the help of each subcommand of "completion".
var completionHelp = map[string]string{
	"bash": `Print a script with which bash completes commands of mmsim. The script needs the package
bash-completion. In the current shell:

  source <(mmsim completion bash)

In every new shell, after you have run one of these commands once:

  mmsim completion bash > /etc/bash_completion.d/mmsim                    # Linux
  mmsim completion bash > $(brew --prefix)/etc/bash_completion.d/mmsim    # macOS`,
	"fish": `Print a script with which fish completes commands of mmsim. In the current shell:

  mmsim completion fish | source

In every new shell, after you have run this command once:

  mmsim completion fish > ~/.config/fish/completions/mmsim.fish`,
	"powershell": `Print a script with which PowerShell completes commands of mmsim. In the current shell:

  mmsim completion powershell | Out-String | Invoke-Expression

For every new shell, append the output of "mmsim completion powershell" to your profile.`,
	"zsh": `Print a script with which zsh completes commands of mmsim. If completion is off in your shell, turn
it on once with

  echo "autoload -U compinit; compinit" >> ~/.zshrc

In the current shell:

  source <(mmsim completion zsh)

In every new shell, after you have run one of these commands once:

  mmsim completion zsh > "${fpath[1]}/_mmsim"                                # Linux
  mmsim completion zsh > $(brew --prefix)/share/zsh/site-functions/_mmsim    # macOS`,
}

// correctDefaults changes the commands "help" and "completion" of the cobra library: they refuse
// unknown arguments, which by default print a help and succeed, and their texts are like those of
// the other commands.
func correctDefaults(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			cli.AsGroup(c)
			c.Short = "Print a script that completes commands in your shell"
			c.Long = `Print a script with which your shell completes commands, flags and keys of the configuration.
The help of each subcommand, such as "mmsim completion bash --help", says how to load the script.`
			for _, shell := range c.Commands() {
				shell.Short, shell.Long = "Print the script for "+shell.Name(), completionHelp[shell.Name()]
				if f := shell.Flags().Lookup("no-descriptions"); f != nil {
					f.Usage = "leave the descriptions of completions out"
				}
			}
		case "help":
			c.Use, c.Short, c.Args = "help [COMMAND|TOPIC]", "Print the help of a command or topic", cobra.ArbitraryArgs
			c.Long = `Print the help of a command, such as "mmsim help latency build", or of a topic, such as "mmsim
help config". mmsim without arguments lists the commands and topics.`
			help := c.Run
			c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
				topic, rest, err := root.Find(args)
				switch {
				case err != nil:
					return input.Bad(err)
				case topic == root && len(rest) > 0:
					return unknownTopic(root, rest[0])
				case len(rest) > 0:
					if i := slices.IndexFunc(listings, func(l listing) bool { return l.topic == topic.Name() }); i >= 0 {
						return listings[i].write(root.OutOrStdout(), rest)
					}
					if err := topic.ValidateArgs(rest); err != nil {
						return err
					}
					return input.Badf("mmsim help %s: unexpected argument %q", topic.Name(), rest[0])
				}
				help(c, args)
				return nil
			}
		}
	}
}
