package calibrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/results"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/fidelity"
	"mmsim/reports/outcome"
	"mmsim/reports/phrase"
	"mmsim/reports/present"
	"mmsim/reports/result"
	"mmsim/reports/words"
)

// run is the command.
func run(ctx context.Context, s *terminal.Streams, o *options, files []string) error {
	base, err := o.config.Load()
	if err != nil {
		return err
	}
	forLog, err := o.forLog(base)
	if err != nil {
		return err
	}
	out, err := Kind.Claim(o.out, append(o.config.Files(base), append(files, o.players, o.matches)...)...)
	if err != nil {
		return err
	}
	out.Attend(ctx, s.Err)
	log, err := terminal.Await(ctx, func() (*ticketlog.Log, error) { return o.readLog(forLog, files) })
	if err != nil {
		return err
	}
	found := fit(log, forLog.Queues)
	t := &trial{Streams: s, runs: o.runs}
	if t.final, err = filepath.Abs(o.out); err != nil {
		return err
	}
	dayName := ""
	if o.day == dayRows {
		dayName = filepath.Join(t.final, dayFile)
	}
	t.prod = prodOf(base, o, log, found, dayName)
	text, err := prodText(t.prod, found, t.final)
	if err != nil {
		return err
	}
	written := calibrationOf(log, found, forLog.Zone)
	written.Command = o.command
	var page *present.Page
	name, err := out.Write(func(temporary string) (_ bool, err error) {
		t.folder = temporary
		if dayName != "" {
			t.day = filepath.Join(temporary, dayFile)
			if err := writeDay(t.create(""), log); err != nil {
				return false, err
			}
		}
		if written.Unlocated, err = t.write(ctx, log); err != nil {
			return false, err
		}
		if err := writeFiles(t.create(""), text, written); err != nil {
			return false, err
		}
		if page, err = pageOf(temporary); err != nil {
			return false, err
		}
		return true, results.DrawWanted(page, t.create(""), base.Output)
	})
	if err != nil {
		return err
	}
	if err := printFitted(s.Out, log, written, name, dayName != ""); err != nil {
		return err
	}
	if o.runs == 0 { // otherwise they are on the page
		for _, doubt := range doubts(log, t.prod) {
			fmt.Fprintf(s.Err, "warning: %s\n", doubt)
		}
		return nil
	}
	_, err = io.WriteString(s.Out, "\n"+page.Text(s.Colour()))
	return err
}

// writeDay writes the rows of the day.
func writeDay(create result.Create, l *ticketlog.Log) error {
	return create.File(dayFile, func(w io.Writer) error {
		compressed, err := datasets.Compressor(w, dayFile)
		if err != nil {
			return err
		}
		return errors.Join(datasets.WriteDay(compressed, l.Day(), datasets.Headed), compressed.Close())
	})
}

// writeFiles writes the configuration and the estimates.
func writeFiles(create result.Create, prod []byte, c *fidelity.Calibration) error {
	if err := create.Text(prodFile, string(prod)); err != nil {
		return err
	}
	return create.File(calibrationFile, c.Write)
}

// printFitted prints what was read and estimated.
func printFitted(out io.Writer, l *ticketlog.Log, c *fidelity.Calibration, folder string, withDay bool) error {
	var b strings.Builder
	b.WriteString(c.Format + ": ")
	if c.Format == ticketlog.FlexMatch {
		fmt.Fprintf(&b, "%s, %s repeated; ", counted(c.Events, "event", "events"), words.Thousands(c.Repeated))
	}
	fmt.Fprintf(&b, "%s of %s, %s to %s (%s); %s lost\n", counted(c.Tickets, "ticket", "tickets"), counted(c.Players, "player", "players"),
		c.From, c.To, input.Counted(c.Days, "day"), words.Thousands(c.Lost))
	fmt.Fprintf(&b, "%s in %s, %s", counted(c.Joins, "join", "joins"), counted(c.Parties, "party", "parties"), counted(c.Returns, "return", "returns"))
	for _, n := range []struct {
		count           int
		one, many, what string
	}{
		{c.LeftEarly, "search", "searches", " before a match ended"}, {c.Cut, "ticket", "tickets", " cut by another one"},
		{c.Skewed, "time", "times", " put right by up to 2 s"}, {c.Reused, "id", "ids", " used again"},
		{l.Counts.BadRows, "malformed row", "malformed rows", " left out"}, {l.Counts.NoPlace, "joining player", "joining players", " without a place left out"},
		{c.Unlocated, "match", "matches", " without a datacenter, placed where the highest RTT of a player is lowest"},
	} {
		if n.count > 0 {
			b.WriteString("; " + counted(n.count, n.one, n.many) + n.what)
		}
	}
	b.WriteByte('\n')
	if names := l.LeftOut(); len(names) > 0 {
		fmt.Fprintf(&b, "Left out of the day, because they name people or would mean something else there: %s\n", strings.Join(names, ", "))
	}
	printEstimates(&b, &c.Fit)
	for i := range c.Queues {
		fmt.Fprintf(&b, "\nQueue %s\n", c.Queues[i].Name)
		printEstimates(&b, &c.Queues[i].Fit)
	}
	if len(c.Queues) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "Written: %s\n", filepath.Join(input.Shown(folder), prodFile))
	if withDay {
		fmt.Fprintf(&b, "%s has a row for each join, without names: with other data, a row may still tell who it is.\n", filepath.Join(input.Shown(folder), dayFile))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// printEstimates prints the estimates for all queues together, or for one queue.
func printEstimates(b *strings.Builder, f *fidelity.Fit) {
	for i := range f.Estimates {
		cells := phrase.EstimateCells(f.Estimates[i])
		fmt.Fprintf(b, "%-23s  %s  (%s)   %s\n", cells[0], cells[1], cells[2], cells[3])
	}
	if len(f.Patience) == 0 {
		return
	}
	var entries []string
	for _, e := range f.Patience {
		entries = append(entries, fmt.Sprintf("%.1f %% by %s", 100*e.Share, words.Span(outcome.Seconds(e.At))))
	}
	const shown = 4
	if n := len(entries); n > shown {
		entries = append(entries[:shown-1:shown-1], "… "+entries[n-1])
	}
	fmt.Fprintf(b, "%-23s  %s; %.1f %% of all searches were cancelled\n", keyPatience, strings.Join(entries, ", "), 100*f.Naive)
}
