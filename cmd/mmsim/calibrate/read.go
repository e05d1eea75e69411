package calibrate

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mmsim/cmd/mmsim/cli"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
	"mmsim/datasets/ticketlog"
)

// Values of --day.
const (
	dayRows = "rows"
	dayNone = "none"
)

// positions are the values of --position, in hundredths of a degree.
var positions = map[string]int{"0.01": 1, "0.1": 10, "1": 100}

// forLog returns the options for reading the log.
func (o *options) forLog(c *config.Config) (*ticketlog.Options, error) {
	l := &ticketlog.Options{
		Format: o.format, Position: positions[o.position], Configuration: o.configuration, SessionGap: o.gap, MinMatches: o.minMatches,
		Kinds: map[string]datasets.Kind{}, Ends: map[string]ticketlog.End{},
	}
	var err error
	for _, q := range c.AllQueues() {
		l.AssumedLength = append(l.AssumedLength, time.Duration(q.Match.Length.Mean)*time.Millisecond)
		if len(c.Queues) > 1 {
			l.Queues = append(l.Queues, q.Name)
		}
	}
	if c.Placement == config.PlacementServers {
		return nil, input.Badf("placement: got servers, expected pool or datacenters: no ticket waits there for a match")
	}
	if o.gap <= 0 || o.gap > 24*time.Hour {
		return nil, input.Badf("--session-gap: got %v, expected a duration above 0s and at most 24h", o.gap)
	}
	if l.MaxBadRows, l.MaxBadShare, err = parseBadRows(o.maxBadRows); err != nil {
		return nil, err
	}
	if o.names != "" {
		if l.Names, err = cli.ParseNames(o.names); err != nil {
			return nil, input.Badf("--map: %w", err)
		}
	}
	for _, text := range o.ends {
		word, meaning, _ := strings.Cut(text, "=")
		end, ok := l.EndOf(meaning)
		if !ok || word == "" {
			return nil, input.Badf("--map-end: got %q, expected WORD=END, where END is matched, cancelled, expired, declined or failed", text)
		}
		l.Ends[strings.ToLower(word)] = end
	}
	for name, word := range c.Dataset.Columns {
		l.Kinds[name], _ = datasets.ParseKind(word) // cannot fail: checked with the configuration
	}
	if err := o.setDays(l); err != nil {
		return nil, err
	}
	in := experiment.NewInputs(c)
	if err := in.LoadDatacenters(); err != nil {
		return nil, input.Bad(err)
	}
	l.Datacenters = datasets.DatacenterNames(in.Datacenters)
	l.Datacenter = func(name string) bool {
		_, isRegion := c.Regions[name]
		return isRegion || slices.Contains(l.Datacenters, name)
	}
	return l, nil
}

// setDays sets the time zone and the window.
func (o *options) setDays(l *ticketlog.Options) (err error) {
	if l.Zone, err = joinfile.ParseZone(o.zone); err != nil {
		return input.Badf("--time-zone: %w", err)
	}
	for _, d := range []struct {
		flag, text string
		day        *time.Time
	}{{"--from", o.from, &l.From}, {"--to", o.to, &l.To}} {
		if d.text == "" {
			continue
		}
		if *d.day, err = time.Parse(time.DateOnly, d.text); err != nil {
			return input.Badf("%s: got %q, expected a date such as 2026-03-14", d.flag, d.text)
		}
	}
	if !l.From.IsZero() && !l.To.IsZero() && l.To.Before(l.From) {
		return input.Badf("--to: got %s, expected a day that is not before --from %s", o.to, o.from)
	}
	return nil
}

// parseBadRows reads the value of --max-bad-rows.
func parseBadRows(text string) (rows int, share float64, err error) {
	if number, ok := strings.CutSuffix(text, "%"); ok {
		share, err := strconv.ParseFloat(number, 64)
		if err == nil && share >= 0 && share <= 100 {
			return 0, share / 100, nil
		}
	} else if rows, err := strconv.Atoi(text); err == nil && rows >= 0 && rows <= math.MaxInt32 {
		return rows, 0, nil
	}
	return 0, 0, input.Badf("--max-bad-rows: got %q, expected a whole number, or a share up to 100%% such as 0.1%%", text)
}

// readLog reads all files of a log.
func (o *options) readLog(l *ticketlog.Options, files []string) (*ticketlog.Log, error) {
	r := ticketlog.NewReader(l)
	read := func(file string, read func(r io.Reader, name string) error) error {
		if file == "" {
			return nil
		}
		return input.Bad(input.ReadSteady(file, read))
	}
	if err := read(o.players, r.ReadPlayers); err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := read(file, r.Read); err != nil {
			return nil, err
		}
	}
	if err := read(o.matches, r.ReadMatches); err != nil {
		return nil, err
	}
	log, err := r.Finish()
	return log, input.Bad(err)
}
