package result

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/words"
	"mmsim/sim"
)

// Names of files that Write writes. Those of the others stand at their tables.
const (
	binsFile  = "distributions.csv"
	MapFile   = "map.csv"
	lapseFile = "timelapse.csv.gz"
	loadFile  = "load.csv"

	RatingsFile     = "season_ratings.csv"
	PredictionsFile = "season_predictions.csv"
)

// Create creates a file of a result directory.
type Create func(name string) (io.WriteCloser, error)

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

var (
	seriesTable    = tableOf("timeseries.csv", "", func(m *Minute, index int) string { return instantFault(m.T, index, MinuteLength) })
	windowsTable   = tableOf("percentiles.csv", "", func(w *Window, index int) string { return instantFault(w.T, index, WindowLength) })
	mapTable       = tableOf(MapFile, "", (*Cell).fault)
	queueMapsTable = tableOf("map_queues.csv", "", (*QueueCell).fault)
	machinesTable  = tableOf("machines.csv", "", func(w *MachineWindow, index int) string { return instantFault(w.T, index, WindowLength) })
	serversTable   = tableOf("servers.csv", "", func(w *ServerWindow, index int) string { return instantFault(w.T, index, WindowLength) })
)

// fault describes what is wrong with a cell. It returns "" if nothing is wrong.
func (c *Cell) fault(int) string {
	if c.Latitude < -90 || c.Latitude > 89 || c.Longitude < -180 || c.Longitude > 179 || c.Players < 1 {
		return fmt.Sprintf("%d players at %d,%d, want 1 or more players, a latitude from -90 to 89 and a longitude from -180 to 179",
			c.Players, c.Latitude, c.Longitude)
	}
	return ""
}

var regionsTable = tableOf("continents_hours.csv", "", func(r *RegionHour, _ int) string {
	if r.Hour > 23 {
		return fmt.Sprintf("hour is %d, want 0 to 23", r.Hour)
	}
	if r.Waited > r.Players {
		return fmt.Sprintf("waited is %d, want at most the %d players", r.Waited, r.Players)
	}
	return ""
})

var spreadsTable = tableOf("spreads.csv", "", func(b *SpreadBin, _ int) string {
	if b.Of != OfSpread && b.Of != OfTeamGap {
		return fmt.Sprintf("of is %s, want %s or %s", outcome.Quoted(b.Of), OfSpread, OfTeamGap)
	}
	if b.To <= b.From {
		return fmt.Sprintf("the bin is from %v to %v, want from < to", b.From, b.To)
	}
	return ""
})

var stepsTable = tableOf("steps.csv", "", func(s *Step, _ int) string {
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

// A part is a file of a result directory besides summary.json.
type part struct {
	file   string
	when   func(s *outcome.Summary) bool // whether a result has the file; nil if every result has it
	sparse bool                          // whether the file is left out if it has no rows
	empty  func(r *Result) bool          // whether it has no rows; only of a sparse file
	write  func(w io.Writer, r *Result) error
	read   func(dir fs.FS, r *Result) error // nil for a file that repeats numbers of other files
}

// rowsOf describes a file whose rows are a field of Result.
func rowsOf[T any](t *table[T], field func(r *Result) *[]T) part {
	return part{
		file:  t.file,
		empty: func(r *Result) bool { return len(*field(r)) == 0 },
		write: func(w io.Writer, r *Result) error { return t.write(w, *field(r)) },
		read: func(dir fs.FS, r *Result) (err error) {
			*field(r), err = readTable(dir, t)
			return err
		},
	}
}

// seriesOf describes such a file with a row for every length seconds of the run. Missing rows are an
// error, because pictures would show hours without players.
func seriesOf[T any](t *table[T], length int, field func(r *Result) *[]T) part {
	p := rowsOf(t, field)
	rows := p.read
	p.read = func(dir fs.FS, r *Result) error {
		if err := rows(dir, r); err != nil {
			return err
		}
		n, reached := len(*field(r)), r.Summary.Run.Reached
		if want := RowsUpTo(sim.Instant(math.Round(float64(reached)*float64(sim.Second))), length); n != want {
			return fmt.Errorf("%s:%d:1: %s, want %d: one for every %d s up to %g s, the \"reached_s\" of %s",
				t.file, min(n, want)+2, words.Plural(n, "row"), want, length, float64(reached), outcome.SummaryFile)
		}
		return nil
	}
	return p
}

// only returns the part of results that meet a condition. A nil condition says that the file is left out
// if it has no rows.
func (p part) only(when func(s *outcome.Summary) bool) part {
	p.when, p.sparse = when, when == nil
	return p
}

// briefParts are the files that WriteBrief writes, and otherParts the others, in order. WriteBrief also writes
// aroundEvents if there are minutes around events. The last files of otherParts repeat numbers of summary.json for
// spreadsheets.
var (
	minutesPart  = seriesOf(seriesTable, MinuteLength, func(r *Result) *[]Minute { return &r.Series })
	aroundEvents = []part{minutesPart.only(nil)}
	briefParts   = []part{
		{file: binsFile, write: writeDistributions, read: readDistributions},
		rowsOf(mapTable, func(r *Result) *[]Cell { return &r.Map }),
		rowsOf(ratingsTable, func(r *Result) *[]RatingCell { return &r.Ratings }).only(nil),
		rowsOf(predictionsTable, func(r *Result) *[]PredictionBin { return &r.Predictions }).only(nil),
	}
	otherParts = []part{
		minutesPart,
		seriesOf(windowsTable, WindowLength, func(r *Result) *[]Window { return &r.Windows }),
		{file: lapseFile, write: writeLapse, read: readLapse},
		{file: loadFile, write: writeLoad}, // which readLapse reads
		rowsOf(regionsTable, func(r *Result) *[]RegionHour { return &r.RegionHours }),
		rowsOf(queueMapsTable, func(r *Result) *[]QueueCell { return &r.QueueMaps }).only(func(s *outcome.Summary) bool { return len(s.Queues) > 0 }),
		rowsOf(spreadsTable, func(r *Result) *[]SpreadBin { return &r.Spreads }).only(nil),
		rowsOf(stepsTable, func(r *Result) *[]Step { return &r.Steps }).only(nil),
		seriesOf(machinesTable, WindowLength, func(r *Result) *[]MachineWindow { return &r.Machines }).only(func(s *outcome.Summary) bool { return s.Fleet != nil }),
		seriesOf(serversTable, WindowLength, func(r *Result) *[]ServerWindow { return &r.Servers }).only(func(s *outcome.Summary) bool { return s.Servers != nil }),
		{file: datacentersTable.file, write: func(w io.Writer, r *Result) error { return datacentersTable.write(w, r.Summary.ByDatacenter) }},
		{file: continentsTable.file, write: func(w io.Writer, r *Result) error { return continentsTable.write(w, r.Summary.ByContinent) }},
		{file: hoursTable.file, write: func(w io.Writer, r *Result) error { return hoursTable.write(w, namedHours(r.Summary.ByHour)) }},
	}
)

// namedHours returns the hours with their numbers as names.
func namedHours(hours []outcome.Group) []outcome.Group {
	hours = slices.Clone(hours)
	for i := range hours {
		hours[i].Name = strconv.Itoa(i)
	}
	return hours
}

// Write writes the files of a result: summary.json, those of briefParts and those of otherParts.
func (r *Result) Write(create Create) error {
	return r.write(create, briefParts, otherParts)
}

// WriteBrief writes summary.json, distributions.csv, map.csv and, of a season, season_ratings.csv and
// season_predictions.csv. It writes timeseries.csv if the result has its rows; see Kept.
func (r *Result) WriteBrief(create Create) error {
	return r.write(create, briefParts, aroundEvents)
}

func (r *Result) write(create Create, parts ...[]part) error {
	if err := create.File(outcome.SummaryFile, r.Summary.Write); err != nil {
		return err
	}
	for _, p := range slices.Concat(parts...) {
		if p.when != nil && !p.when(&r.Summary) || p.sparse && p.empty(r) {
			continue
		}
		if err := create.File(p.file, func(w io.Writer) error { return p.write(w, r) }); err != nil {
			return err
		}
	}
	return nil
}

func writeDistributions(w io.Writer, r *Result) error {
	var rows []binRow
	for _, d := range r.Distributions {
		for _, b := range d.Bins {
			rows = append(rows, binRow{d.Name(), b})
		}
	}
	return binsTable.write(w, rows)
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
	return cmp.Or(write(w), w.Close())
}

// Text creates a file with a text.
func (create Create) Text(name, text string) error {
	return create.File(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
