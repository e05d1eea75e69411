// Package calibrate is the command "mmsim calibrate": it reads a production log, estimates what players
// do, and writes the day and the configuration to simulate it with.
//
// Package ticketlog reads the log, and package estimate makes the estimates. This package adapts them
// to the configuration, and writes and prints them.
package calibrate

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/ticketlog"
)

// options are the flags of the command.
type options struct {
	config                    cli.ConfigFlags
	out, players, matches     string
	format, configuration     string
	names                     string
	ends                      cli.ListFlag
	zone, from, to            string
	gap                       time.Duration
	minMatches                int
	position, day, maxBadRows string
	runs                      int
	command                   string // see cli.CommandLine
}

// NewCommand returns "mmsim calibrate".
func NewCommand(s *terminal.Streams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:   "calibrate [flags] --config FILE FILE...",
		Short: "Make a day and a configuration from the log of a production matchmaker",
		Long: `Read what a production matchmaker logged about its tickets, and write into DIR (--out):

  day.csv.gz        a row for each player who joined, without names
  prod.yaml         the configuration of --config with this day and the estimated settings
  calibration.json  the estimates with their 95 % intervals, and what was counted and left out
  production/       what the log reports, as a result directory of "mmsim run"
  simulation/       what prod.yaml simulates, in --runs replications
  fidelity.yaml     limits for how far a simulation may be from production, for "mmsim check"
  report.html       production beside the simulation, the estimates, and what was assumed

--config has what no log has: rules, datacenters, regions, placement, acceptance. Each FILE is plain,
.gz or .zst, in one of two forms:

tickets    CSV, JSON lines or Parquet, a row for each player of each ticket. Columns: ticket_id,
           player_id, created; optional: ended with end (matched, cancelled, expired, declined,
           failed), match_id, datacenter (or a region of the key regions), match_ended, latitude,
           longitude, country, rtt_ms, rtt:<datacenter>. Any other column is an attribute. A ticket
           without ended and end still searches. Times are as in files of joins, with a date.
flexmatch  events of FlexMatch from SNS or EventBridge, one JSON value after another, in any order.
           They have no places: --players FILE has player_id, latitude, longitude, rtt:<datacenter>
           and attributes; --matches FILE has match_id, ended and, unless the events tell it,
           datacenter. --map holds for both files.

A search is a return if one of its players finished a match at most --session-gap before and did not
search since; otherwise its players join. Estimated are players.play_again, players.between_matches,
match.length, players.give_up_after (the median wait of expired tickets), and the waits after which
players cancel (Kaplan and Meier). If no match has an end, match.length stays that of --config, and
what depends on it is marked as assumed.

If --config lists several queues, the log must tell the queue of each ticket by its name: the
matchmaking configuration of FlexMatch, or a column queue in files of tickets. The estimates are then
made for all queues together and for each queue. In prod.yaml, each queue has its own match.length, and
the column queue of day.csv.gz decides who plays in it.

production/ has the searches and matches of the log with the metrics of a simulation, but no states of
searches and nothing about rules. The RTT of a match is rtt_ms of the log, or else that of the row's
rtt:<datacenter>, or else that of the maps or the model of --config. In a region with several
datacenters, and without a datacenter in the log, a match is in the datacenter in which the highest RTT
of its players is lowest. compare, check and report read the directory like any other.

The output and report.html judge the simulation by the limits of fidelity.yaml and not by chance: of many
players, every difference is more than chance. Each limit is at least three times the noise of one run,
which is how far 95 % of the runs are, at most, from all the others. Edit the limits, and use them again:
mmsim check DIR/prod.yaml --gate DIR/fidelity.yaml --baseline DIR/production --runs 8. "Not explained" are
the groups of at least 20 players of which production is outside the range of 95 % of runs. After a change
of fidelity.yaml or of simulation/, mmsim report DIR draws report.html again.

No ticket, player, party or match is named in what is written. Positions are rounded (--position),
times are whole seconds, and a text that fewer than 20 players have becomes "other". Reports and pictures
of production have no group of fewer than 20 players by place, hour, datacenter or attribute; its CSV
files and summary.json do. day.csv.gz still has a row for each join: --day none leaves it out.`,
		Example: `  mmsim calibrate --config base.yaml --out calibrated --players players.csv --matches matches.csv events/*.gz
  mmsim calibrate --config base.yaml --out calibrated tickets.csv --map created=requested_at,end=result
  mmsim compare calibrated/production calibrated/simulation`,
		Annotations: map[string]string{cli.OwnsSignals: ""},
		RunE: func(c *cobra.Command, args []string) error {
			o.command = cli.CommandLine(c, args, o.config)
			return cli.UntilInterrupted(c, func(ctx context.Context) error { return run(ctx, s, &o, args) })
		},
	}
	o.config.Add(c)
	addFlags(c, &o)
	return c
}

// addFlags registers the flags except those of the configuration.
func addFlags(c *cobra.Command, o *options) {
	in, out := cli.Under(c, cli.GroupInput), cli.Under(c, cli.GroupOutput)
	in.File(&o.players, cli.Reads, "players", "", "file of players, for events of FlexMatch", "csv", "gz", "zst", "jsonl", "parquet")
	in.File(&o.matches, cli.Reads, "matches", "", "file of matches", "csv", "gz", "zst", "jsonl", "parquet")
	in.Word(&o.format, "format", "WORD", "", "form of the files: tickets or flexmatch (default: what their content shows)", []string{ticketlog.Tickets, ticketlog.FlexMatch})
	in.Text(&o.configuration, "configuration", "NAME", "", "the matchmaking configuration whose events count (default: the only one)")
	in.Text(&o.names, "map", "NAME=COLUMN,...", "", "names of columns in the files of tickets, players and matches, such as created=requested_at,end=result")
	in.Value(&o.ends, "map-end", "WORD=END", cli.Neither, "what a word in the column end means, such as GONE=cancelled; repeatable")
	in.Text(&o.zone, "time-zone", "ZONE", "UTC", "time zone of the days, and of times without a UTC offset")
	in.Text(&o.from, "from", "DAY", "", "first day that counts, such as 2026-03-14 (default: the first whole day)")
	in.Text(&o.to, "to", "DAY", "", "last day that counts (default: the last whole day)")
	c.Flags().DurationVar(&o.gap, "session-gap", 30*time.Minute, "longest pause after a match before a search that is a return")
	in.Place("session-gap", "SPAN", cli.Neither)
	in.Whole(&o.minMatches, "min-matches", "N", 100, 1, cli.Unlimited, "fewest finished matches that estimates are made from")
	in.Text(&o.maxBadRows, "max-bad-rows", "N|SHARE", "0", "number or share of malformed rows to leave out, such as 20 or 0.1%")
	out.File(&o.out, cli.WritesFolder, "out", "mmsim-calibrated", "directory for the results", "/")
	out.Word(&o.position, "position", "DEGREES", "0.1", "degrees to which positions are rounded: 0.01, 0.1 or 1", []string{"0.01", "0.1", "1"})
	out.Word(&o.day, "day", "WORD", dayRows, "rows writes day.csv.gz; none leaves it out, and prod.yaml keeps the joins of --config", []string{dayRows, dayNone})
	cli.Under(c, cli.GroupSimulation).Whole(&o.runs, "runs", "N", 8, 0, experiment.ReplicationsMax, "number of replications that are simulated and compared with the log; 0 only estimates")
}
