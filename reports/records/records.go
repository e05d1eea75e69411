// Package records writes a row for every player and search of a run, as CSV or Parquet.
package records

import (
	"io"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// Names of the file of records, by its format.
const (
	CSVFile     = "records.csv.gz"
	ParquetFile = "records.parquet"
)

// A Writer observes a run and writes a row per player and search, however the search
// ended: rows of matched players alone would hide every failure. Fields describes the
// columns; the attributes of the players follow them. An attribute that has the name of
// another column gets the prefix attribute_.
//
// There is a row for every search that was active inside the window [0, duration), so the rows add
// up to Summary.Players: rows with began_s of 0 or more are the entries (first searches are joins,
// others returns); rows with a negative began_s were searching at the start; and the column end
// divides all rows into matched, failed, expired, bots, rejected, declined and searching at the
// end of the window or of an interrupted run.
//
// Rows are in the order in which searches ended, and within one instant in the order in which the
// simulator decided: parties that are rejected as they return or join; then for each queue the
// searches that time out, and the matches. The players of a match are adjacent. Searches that are
// unfinished at the end come last, queue by queue, the oldest first. The members of a party are
// adjacent, except on servers, where each search ends on its own.
//
// In Parquet the columns have the same names and values: whole numbers are int64, numbers with
// decimals are doubles, flags (0 or 1) are booleans, texts are strings, attributes that are
// numbers are doubles, and a value that is empty in CSV is null.
//
// As CSV, a row costs about 0.3 µs and 62 bytes of the file. As Parquet, it takes about three
// times as long, in part because of the columns that may be null, and half the bytes. Equal runs
// give equal bytes. After the first error nothing more is written; Close returns it.
type Writer struct {
	places []setup.Place
	writer recordWriter
	row    recordRow
	err    error
}

var _ sim.UnfinishedObserver = (*Writer)(nil)

// Attribute is an attribute of the players, of any kind.
type Attribute struct {
	Name string

	// Append appends a player's value as text, and nothing if it is missing.
	Append func(to []byte, p *sim.Player) []byte

	// Number returns the value of an attribute that is a number, NaN if it is missing. nil:
	// the attribute is text.
	Number func(p *sim.Player) float64
}

// recordWriter writes rows in one format.
type recordWriter interface {
	write(row *recordRow) error
	close() error
}

// recordRow is one search of one player.
type recordRow struct {
	player       *sim.Player
	place        setup.Place
	queue        int
	party        uint64
	partySize    uint8
	began, ended sim.Instant
	isReturn     bool
	state        sim.State
	end          recordEnd

	match   *sim.Match   // nil: the search ended without one
	matched *sim.Matched // the player in it
}

// recordEnd is how a search ended.
type recordEnd uint8

const (
	endMatched recordEnd = iota
	endFailed
	endExpired
	endBots
	endRejected
	endDeclined
	endSearching // the search is unfinished at the end of the run
)

// NewCSV returns a Writer of compressed CSV. The caller closes it, and then w.
func NewCSV(w io.Writer, run setup.Run, attributes []Attribute) *Writer {
	run.Check()
	writer, err := newCSVRecords(w, recordColumns(&run, attributes))
	return &Writer{places: run.Places, writer: writer, err: err}
}

// NewParquet returns a Writer of Parquet. The caller closes it, and then w.
func NewParquet(w io.Writer, run setup.Run, attributes []Attribute) *Writer {
	run.Check()
	return &Writer{places: run.Places, writer: newParquetRecords(w, recordColumns(&run, attributes))}
}

// Entered does nothing: a row is written when the search has ended.
func (r *Writer) Entered(*sim.Search) {}

// Sampled does nothing: a row is about a search.
func (r *Writer) Sampled(*sim.Census) {}

// Matched writes a row per player.
func (r *Writer) Matched(m *sim.Match) {
	for i := range m.Players {
		p := &m.Players[i]
		r.row = recordRow{
			player: &p.Player, queue: m.Queue, party: p.Party, partySize: p.PartySize,
			began: p.Began, ended: m.At, isReturn: p.Return, state: p.State, end: endMatched,
			match: m, matched: p,
		}
		r.write()
	}
}

// Ended writes a row per player.
func (r *Writer) Ended(e *sim.Ended) {
	end := endFailed
	switch e.Into {
	case sim.StateExpired:
		end = endExpired
	case sim.StateBots:
		end = endBots
	case sim.StateRejected:
		end = endRejected
	case sim.StateDeclined:
		end = endDeclined
	}
	r.unmatched(&e.Search, e.At, end)
}

// Unfinished writes a row per player.
func (r *Writer) Unfinished(s *sim.Search, at sim.Instant) { r.unmatched(s, at, endSearching) }

// unmatched writes a row per player of a search without a match.
func (r *Writer) unmatched(s *sim.Search, at sim.Instant, end recordEnd) {
	for i := range s.Players {
		r.row = recordRow{
			player: &s.Players[i], queue: s.Queue, party: s.Party, partySize: s.PartySize,
			began: s.Began, ended: at, isReturn: s.Return, state: s.State, end: end,
		}
		r.write()
	}
}

// write writes the row, unless an earlier one could not be written.
func (r *Writer) write() {
	if r.err == nil {
		r.row.place = r.places[r.row.player.Place]
		r.err = r.writer.write(&r.row)
	}
}

// Close writes the remaining rows and returns the first error.
func (r *Writer) Close() error {
	if r.err == nil {
		r.err = r.writer.close()
	}
	return r.err
}
