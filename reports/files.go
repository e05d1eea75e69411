package reports

import (
	"encoding/json"
	"io"
	"strconv"
)

// Names of the files that Write writes.
const (
	SummaryFile = "summary.json"
	seriesFile  = "timeseries.csv"
	windowsFile = "percentiles.csv"
	binsFile    = "distributions.csv"
	mapFile     = "map.csv"
)

// Create makes a file of a result directory by its name. The file is closed whatever
// happens; the first error ends the writing.
type Create func(name string) (io.WriteCloser, error)

var seriesTable = table[Minute]{
	file:    seriesFile,
	columns: "t_s,playing,between,ideal,expand,warmbody,bots,joins,returns,matches,failed,wait_mean_s,rtt_mean_ms,rtt_p90_ms",
	fields: func(m *Minute) []any {
		return []any{&m.T, &m.Playing, &m.Between, &m.Ideal, &m.Expand, &m.WarmBody, &m.Bots,
			&m.Joins, &m.Returns, &m.Matches, &m.Failed, &m.WaitMean, &m.RTTMean, &m.RTTP90}
	},
}

var windowsTable = table[Window]{
	file:    windowsFile,
	columns: "t_s,matched,ideal,expand,warmbody,wait_p50_s,wait_p90_s,wait_p99_s,rtt_p50_ms,rtt_p90_ms,rtt_p99_ms",
	fields: func(w *Window) []any {
		return []any{&w.T, &w.Matched, &w.Ideal, &w.Expand, &w.WarmBody,
			&w.WaitP50, &w.WaitP90, &w.WaitP99, &w.RTTP50, &w.RTTP90, &w.RTTP99}
	},
}

// binRow is one row of distributions.csv.
type binRow struct {
	measure string
	Bin
}

var binsTable = table[binRow]{
	file:    binsFile,
	columns: "measure,from,to,players",
	fields: func(b *binRow) []any {
		return []any{&b.measure, &b.From, &b.To, &b.Players}
	},
}

var mapTable = table[Cell]{
	file:    mapFile,
	columns: "latitude,longitude,players,rtt_mean_ms,wait_mean_s",
	fields: func(c *Cell) []any {
		return []any{&c.Latitude, &c.Longitude, &c.Players, &c.RTTMean, &c.WaitMean}
	},
}

const servedColumns = "players,matches,wait_mean_s,wait_p95_s,rtt_mean_ms,rtt_p95_ms"

func (s *Served) fields() []any {
	return []any{&s.Players, &s.Matches, &s.WaitMean, &s.WaitP95, &s.RTTMean, &s.RTTP95}
}

var datacentersTable = table[Datacenter]{
	file:    "datacenters.csv",
	columns: "datacenter,latitude,longitude," + servedColumns,
	fields: func(d *Datacenter) []any {
		return append([]any{&d.Name, &d.Latitude, &d.Longitude}, d.Served.fields()...)
	},
}

// groupTable is the form of the files of groups; name is the first column.
func groupTable(file, name string) *table[Group] {
	return &table[Group]{
		file:    file,
		columns: name + "," + servedColumns + ",entries,failed,expired",
		fields: func(g *Group) []any {
			return append(append([]any{&g.Name}, g.Served.fields()...), &g.Entries, &g.Failed, &g.Expired)
		},
	}
}

// Write writes the files of a result: summary.json, timeseries.csv, percentiles.csv,
// distributions.csv, map.csv, and, for spreadsheets, what summary.json says by
// datacenter, continent and hour as datacenters.csv, continents.csv and hours.csv.
func (r *Result) Write(create Create) error {
	var rows []binRow
	for _, d := range r.Distributions {
		for _, b := range d.Bins {
			rows = append(rows, binRow{d.Measure, b})
		}
	}
	s := &r.Summary
	hours := make([]Group, len(s.ByHour))
	for i := range s.ByHour {
		hours[i] = s.ByHour[i]
		hours[i].Name = strconv.Itoa(i)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{SummaryFile, s.Write},
		{seriesFile, func(w io.Writer) error { return seriesTable.write(w, r.Series) }},
		{windowsFile, func(w io.Writer) error { return windowsTable.write(w, r.Windows) }},
		{binsFile, func(w io.Writer) error { return binsTable.write(w, rows) }},
		{mapFile, func(w io.Writer) error { return mapTable.write(w, r.Map) }},
		{datacentersTable.file, func(w io.Writer) error { return datacentersTable.write(w, s.ByDatacenter) }},
		{"continents.csv", func(w io.Writer) error {
			return groupTable("continents.csv", "continent").write(w, s.ByContinent)
		}},
		{"hours.csv", func(w io.Writer) error { return groupTable("hours.csv", "hour").write(w, hours) }},
	} {
		if err := writeFile(create, file.name, file.write); err != nil {
			return err
		}
	}
	return nil
}

// writeFile makes one file; it is closed whatever happens.
func writeFile(create Create, name string, write func(io.Writer) error) error {
	w, err := create(name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// Write writes summary.json.
func (s *Summary) Write(w io.Writer) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
