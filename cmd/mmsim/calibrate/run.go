package calibrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/resultdir"
	"mmsim/cmd/mmsim/terminal"
	"mmsim/datasets/daycsv"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/estimate"
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
	out, err := resultdir.Claim(o.out, kind, append(o.config.Files(base), append(files, o.players, o.matches)...)...)
	if err != nil {
		return err
	}
	out.Attend(ctx, s.Err)
	if err := out.Expect(dayFile, prodFile, calibrationFile); err != nil {
		return err
	}
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
	unlocated := 0
	name, err := out.Write(func(temporary string) (_ bool, err error) {
		t.folder = temporary
		if err := writeFiles(t.create(""), log, dayName != "", text, written); err != nil {
			return false, err
		}
		if dayName != "" {
			t.day = filepath.Join(temporary, dayFile)
		}
		unlocated, err = t.write(ctx, log)
		return true, err
	})
	if err != nil {
		return err
	}
	return printFitted(s.Out, log, found, written, name, dayName != "", unlocated)
}

// writeFiles writes the files of a result.
func writeFiles(create result.Create, l *ticketlog.Log, withDay bool, prod []byte, c *calibration) error {
	if withDay {
		err := create.File(dayFile, func(w io.Writer) error {
			compressed, err := daycsv.Compressor(w, dayFile)
			if err != nil {
				return err
			}
			return errors.Join(daycsv.Write(compressed, l.Day(), daycsv.Headed), compressed.Close())
		})
		if err != nil {
			return err
		}
	}
	err := create.File(prodFile, func(w io.Writer) error {
		_, err := w.Write(prod)
		return err
	})
	if err != nil {
		return err
	}
	return create.File(calibrationFile, c.write)
}

// printFitted prints what was read and estimated.
func printFitted(out io.Writer, l *ticketlog.Log, f *fitted, c *calibration, folder string, withDay bool, unlocated int) error {
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
		{unlocated, "match", "matches", " without a datacenter, placed where the highest RTT of a player is lowest"},
	} {
		if n.count > 0 {
			b.WriteString("; " + counted(n.count, n.one, n.many) + n.what)
		}
	}
	b.WriteByte('\n')
	if names := l.LeftOut(); len(names) > 0 {
		fmt.Fprintf(&b, "Left out of the day, because they name people or would mean something else there: %s\n", strings.Join(names, ", "))
	}
	printEstimates(&b, f)
	for _, q := range f.queues {
		fmt.Fprintf(&b, "\nQueue %s\n", q.queue)
		printEstimates(&b, q)
	}
	if len(f.queues) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "Written: %s\n", filepath.Join(folder, prodFile))
	if withDay {
		fmt.Fprintf(&b, "%s has a row for each join, without names: with other data, a row may still tell who it is.\n", filepath.Join(folder, dayFile))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// printEstimates prints the estimates for all queues together, or for one queue.
func printEstimates(b *strings.Builder, f *fitted) {
	assumed := ""
	if f.assumed {
		assumed = "; assumed: no match has an end, so each lasts match.length"
	}
	line := func(key string, e *estimate.Estimate, decimals int, unit, one, many, more string) {
		if e != nil {
			fmt.Fprintf(b, "%-23s  %.*f%s  (%.*f to %.*f)   %s\n", key, decimals, e.Value, unit, decimals, e.Low, decimals, e.High, counted(e.N, one, many)+more)
		}
	}
	line(keyPlayAgain, f.playAgain, 4, "", "finished ticket", "finished tickets", assumed)
	line(keyBetween, f.between, 1, " s", "return", "returns", assumed)
	line(keyLength, f.length, 1, " s", "match", "matches", "")
	line(keyLengthSD, f.lengthSD, 1, " s", "match", "matches", "")
	line(keyGiveUp, f.giveUp, 1, " s", "expired ticket", "expired tickets", "")
	printPatience(b, f)
}

// printPatience prints the waits after which players cancel.
func printPatience(b *strings.Builder, f *fitted) {
	if f.cancelled == 0 {
		return
	}
	var entries []string
	for _, e := range f.patience {
		entries = append(entries, fmt.Sprintf("%.1f %% by %v", 100*e.Share, time.Duration(e.At*10)*100*time.Millisecond))
	}
	const shown = 4
	if n := len(entries); n > shown {
		entries = append(entries[:shown-1:shown-1], "… "+entries[n-1])
	}
	fmt.Fprintf(b, "%-23s  %s; %.1f %% of all searches were cancelled\n", keyPatience, strings.Join(entries, ", "), 100*float64(f.cancelled)/float64(f.searches))
}
