package result

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
)

// Names of the files that Write writes.
const (
	seriesFile    = "timeseries.csv"
	windowsFile   = "percentiles.csv"
	binsFile      = "distributions.csv"
	MapFile       = "map.csv"
	queueMapsFile = "map_queues.csv"
	lapseFile     = "timelapse.csv.gz"
	loadFile      = "load.csv"
	regionsFile   = "continents_hours.csv"
	spreadsFile   = "spreads.csv"
	stepsFile     = "steps.csv"

	RatingsFile     = "season_ratings.csv"
	PredictionsFile = "season_predictions.csv"
)

// Create creates a file of a result directory.
type Create func(name string) (io.WriteCloser, error)

var seriesTable = tableOf(seriesFile, "", func(m *Minute, index int) string { return instantFault(m.T, index, MinuteLength) })

var windowsTable = tableOf(windowsFile, "", func(w *Window, index int) string { return instantFault(w.T, index, WindowLength) })

// instantFault describes what is wrong with t, the time of a row in a series. A row must be at
// index*length seconds. instantFault returns "" if it is.
func instantFault(t, index, length int) string {
	if t != index*length {
		return fmt.Sprintf("t_s is %d, want %d: a row for every %d s", t, index*length, length)
	}
	return ""
}

type binRow struct {
	Measure string `csv:"measure"`
	Bin
}

var binsTable = tableOf(binsFile, "", func(b *binRow, _ int) string {
	if _, is := DistributionNamed(b.Measure); !is {
		return fmt.Sprintf("measure is %s, want one of %s", outcome.Quoted(b.Measure), strings.Join(MeasureNames(), ", "))
	}
	if b.From < 0 || b.To < b.From || b.To > binEnd || b.Players < 0 {
		return fmt.Sprintf("%d players from %v to %v, want 0 or more players and 0 <= from <= to <= %d",
			b.Players, b.From, b.To, int(binEnd))
	}
	return ""
})

// binEnd is above any wait in s and any RTT in ms, and small enough to draw bars up to it.
const binEnd = 1e7

var mapTable = tableOf(MapFile, "", func(c *Cell, _ int) string { return c.fault() })

var queueMapsTable = tableOf(queueMapsFile, "", func(c *QueueCell, _ int) string { return c.fault() })

// fault describes what is wrong with a cell. It returns "" if nothing is wrong.
func (c *Cell) fault() string {
	if c.Latitude < -90 || c.Latitude > 89 || c.Longitude < -180 || c.Longitude > 179 || c.Players < 1 {
		return fmt.Sprintf("%d players at %d,%d, want 1 or more players, a latitude from -90 to 89 and a longitude from -180 to 179",
			c.Players, c.Latitude, c.Longitude)
	}
	return ""
}

var regionsTable = tableOf(regionsFile, "", func(r *RegionHour, _ int) string {
	if r.Hour > 23 {
		return fmt.Sprintf("hour is %d, want 0 to 23", r.Hour)
	}
	if r.Waited > r.Players {
		return fmt.Sprintf("waited is %d, want at most the %d players", r.Waited, r.Players)
	}
	return ""
})

var spreadsTable = tableOf(spreadsFile, "", func(b *SpreadBin, _ int) string {
	if b.Of != OfSpread && b.Of != OfTeamGap {
		return fmt.Sprintf("of is %s, want %s or %s", outcome.Quoted(b.Of), OfSpread, OfTeamGap)
	}
	if b.To <= b.From {
		return fmt.Sprintf("the bin is from %v to %v, want from < to", b.From, b.To)
	}
	return ""
})

var stepsTable = tableOf(stepsFile, "", func(s *Step, _ int) string {
	if s.Of != OfStates && s.Of != OfRules {
		return fmt.Sprintf("of is %s, want %s or %s", outcome.Quoted(s.Of), OfStates, OfRules)
	}
	return ""
})

var (
	datacentersTable = tableOf[outcome.Datacenter]("datacenters.csv", "datacenter", nil)
	continentsTable  = tableOf[outcome.Group]("continents.csv", "continent", nil)
	hoursTable       = tableOf[outcome.Group]("hours.csv", "hour", nil)
)

// Write writes the files of a result: summary.json, timeseries.csv, percentiles.csv,
// distributions.csv, map.csv, timelapse.csv.gz, load.csv and continents_hours.csv. It writes
// map_queues.csv if there are several queues, spreads.csv if there are none but attributes, steps.csv if
// states or stages of rules open while players wait, season_ratings.csv and season_predictions.csv of a
// season, servers.csv if players are placed on servers, and machines.csv if there is a fleet. It also
// writes datacenters.csv, continents.csv and hours.csv, which repeat numbers of summary.json for
// spreadsheets.
func (r *Result) Write(create Create) error {
	if err := r.WriteBrief(create); err != nil {
		return err
	}
	s := &r.Summary
	hours := make([]outcome.Group, len(s.ByHour))
	for i := range s.ByHour {
		hours[i] = s.ByHour[i]
		hours[i].Name = strconv.Itoa(i)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{seriesFile, func(w io.Writer) error { return seriesTable.write(w, r.Series) }},
		{windowsFile, func(w io.Writer) error { return windowsTable.write(w, r.Windows) }},
		{lapseFile, func(w io.Writer) error { return writeLapse(w, r.Timelapse) }},
		{loadFile, func(w io.Writer) error { return loadTable.write(w, loadRows(r.Timelapse, s.ByDatacenter)) }},
		{regionsFile, func(w io.Writer) error { return regionsTable.write(w, r.RegionHours) }},
		{datacentersTable.file, func(w io.Writer) error { return datacentersTable.write(w, s.ByDatacenter) }},
		{continentsTable.file, func(w io.Writer) error { return continentsTable.write(w, s.ByContinent) }},
		{hoursTable.file, func(w io.Writer) error { return hoursTable.write(w, hours) }},
	} {
		if err := create.File(file.name, file.write); err != nil {
			return err
		}
	}
	if len(s.Queues) > 0 {
		if err := create.File(queueMapsFile, func(w io.Writer) error { return queueMapsTable.write(w, r.QueueMaps) }); err != nil {
			return err
		}
	}
	if len(r.Spreads) > 0 {
		if err := create.File(spreadsFile, func(w io.Writer) error { return spreadsTable.write(w, r.Spreads) }); err != nil {
			return err
		}
	}
	if len(r.Steps) > 0 {
		if err := create.File(stepsFile, func(w io.Writer) error { return stepsTable.write(w, r.Steps) }); err != nil {
			return err
		}
	}
	if len(r.Machines) > 0 {
		if err := create.File(machinesTable.file, func(w io.Writer) error { return machinesTable.write(w, r.Machines) }); err != nil {
			return err
		}
	}
	if r.Servers != nil {
		return create.File(serversTable.file, func(w io.Writer) error { return serversTable.write(w, r.Servers) })
	}
	return nil
}

// WriteBrief writes summary.json, distributions.csv, map.csv and, of a season, season_ratings.csv and
// season_predictions.csv.
func (r *Result) WriteBrief(create Create) error {
	var rows []binRow
	for _, d := range r.Distributions {
		for _, b := range d.Bins {
			rows = append(rows, binRow{d.Name(), b})
		}
	}
	err := create.File(outcome.SummaryFile, r.Summary.Write)
	if err == nil {
		err = create.File(binsFile, func(w io.Writer) error { return binsTable.write(w, rows) })
	}
	if err == nil {
		err = WriteMap(r.Map, create)
	}
	if err == nil && len(r.Ratings) > 0 {
		err = create.File(RatingsFile, func(w io.Writer) error { return ratingsTable.write(w, r.Ratings) })
	}
	if err == nil && len(r.Predictions) > 0 {
		err = create.File(PredictionsFile, func(w io.Writer) error { return predictionsTable.write(w, r.Predictions) })
	}
	return err
}

// WriteMap writes map.csv alone.
func WriteMap(cells []Cell, create Create) error {
	return create.File(MapFile, func(w io.Writer) error { return mapTable.write(w, cells) })
}

// File creates and writes one file. It always closes the file, and returns the first error.
func (create Create) File(name string, write func(io.Writer) error) error {
	w, err := create(name)
	if err != nil {
		return err
	}
	err = write(w)
	if closing := w.Close(); err == nil {
		err = closing
	}
	return err
}
