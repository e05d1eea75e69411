// Package records writes a row for every player and search of a run, as CSV or Parquet.
package records

import (
	"io"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// File names of the records, by format.
const (
	CSVFile     = "records.csv.gz"
	ParquetFile = "records.parquet"
)

// A Writer observes a run and writes a row for each player and search. Searches without a match
// are included, because rows of matched players alone would hide every failure. Help
// describes the columns. After them come the columns of the players' attributes. An
// attribute that has the name of another column gets the prefix attribute_.
//
// There is a row for every search that is active inside the window [0, duration), so the rows add
// up to Summary.Players. If began_s is 0 or more, the row is an entry: a join if it is the
// player's first search, and a return otherwise. If began_s is negative, the search was in
// progress when the window began. The column end says how the search ended: matched, failed,
// expired, bots, rejected, declined, cancelled or closed. It is searching if the search was still active when the
// window or an interrupted run ended.
//
// Rows are in the order in which searches ended. At equal times they are in the order of the
// simulator's decisions: first parties that are rejected when they join or return, and then for
// each queue the searches that time out and the matches. Searches that are unfinished at the end
// come last, queue by queue, the oldest first. The players of a match have adjacent rows, and so
// do the members of a party, except on servers, where each member's search ends on its own.
//
// In a season, a match has a result when it ends. A row is therefore written when the matches of all
// rows before it and its own have ended, so the order does not change. Until then it takes about
// 300 bytes.
//
// In Parquet the columns have the same names and values. Whole numbers are int64, numbers with
// decimals and numeric attributes are doubles, flags (0 or 1) are booleans, and texts are strings.
// A value that is empty in CSV is null.
//
// Writing a row of CSV takes about 0.3 µs and 62 bytes. A row of Parquet takes half the bytes but
// about three times as long, partly because some columns may be null. Equal runs give equal bytes.
// After the first error, a Writer writes nothing more; Close returns the error.
type Writer struct {
	places []setup.Place
	writer recordWriter
	row    recordRow
	held   *heldRows // nil without a season
	err    error
}

var (
	_ sim.UnfinishedObserver = (*Writer)(nil)
	_ sim.ResultObserver     = (*Writer)(nil)
)

// Attribute is an attribute of the players, numeric or text.
type Attribute struct {
	Name string

	// Append appends a player's value as text. It appends nothing if the value is missing.
	Append func(to []byte, p *sim.Player) []byte

	// Number returns a player's value of a numeric attribute, or NaN if it is missing. Number is
	// nil if the attribute is text.
	Number func(p *sim.Player) float64

	// Rating is set if the attribute is the rating of a season, which changes after the search. A row
	// has its value at the start of the search.
	Rating bool
}

// recordWriter writes rows in one format.
type recordWriter interface {
	write(row *recordRow) error
	close() error
}

// recordRow has the data of one row, which describes one search of one player.
type recordRow struct {
	player       *sim.Player
	place        setup.Place
	queue        int
	party        uint64
	partySize    uint8
	began, ended sim.Instant
	isReturn     bool
	state        sim.State
	end          sim.State // see endWords

	match   *sim.Match   // nil if the search ended without a match
	matched *sim.Matched // the player in match
	number  int          // index of matched in match.Players

	// The following fields are set only in a season.
	rating   float64       // at the start of the search
	result   *result       // of match
	finisher *sim.Finisher // the player in result; nil if the match has no result
}

// NewCSV returns a Writer of compressed CSV. The caller must close it before closing w. In a season, one
// of the attributes must be the rating.
func NewCSV(w io.Writer, run setup.Run, attributes []Attribute) *Writer {
	run.Check()
	writer, err := newCSVRecords(w, recordColumns(&run, attributes))
	return &Writer{places: run.Places, writer: writer, held: newHeldRows(&run, attributes), err: err}
}

// NewParquet is like NewCSV, and writes Parquet.
func NewParquet(w io.Writer, run setup.Run, attributes []Attribute) *Writer {
	run.Check()
	return &Writer{places: run.Places, writer: newParquetRecords(w, recordColumns(&run, attributes)), held: newHeldRows(&run, attributes)}
}

// Entered does nothing, because a row is written when the search ends.
func (r *Writer) Entered(*sim.Search) {}

// Sampled does nothing, because rows describe searches.
func (r *Writer) Sampled(*sim.Census) {}

// Matched writes a row for each player of the match.
func (r *Writer) Matched(m *sim.Match) {
	var result *result
	if r.held != nil {
		m, result = r.held.started(m)
	}
	for i := range m.Players {
		p := &m.Players[i]
		r.row = recordRow{
			player: &p.Player, queue: m.Queue, party: p.Party, partySize: p.PartySize,
			began: p.Began, ended: m.At, isReturn: p.Return, state: p.State, end: sim.StatePlaying,
			match: m, matched: p, number: i, result: result,
		}
		r.write()
	}
}

// Ended writes a row for each player of a search that ended without a match.
func (r *Writer) Ended(e *sim.Ended) { r.unmatched(&e.Search, e.At, e.Into) }

// Unfinished writes a row for each player of a search that had not ended when the run did.
func (r *Writer) Unfinished(s *sim.Search, at sim.Instant) { r.unmatched(s, at, sim.StateNew) }

// unmatched writes a row for each player of a search without a match.
func (r *Writer) unmatched(s *sim.Search, at sim.Instant, end sim.State) {
	for i := range s.Players {
		r.row = recordRow{
			player: &s.Players[i], queue: s.Queue, party: s.Party, partySize: s.PartySize,
			began: s.Began, ended: at, isReturn: s.Return, state: s.State, end: end,
		}
		r.write()
	}
}

// Finished completes the rows of a match that ends.
func (r *Writer) Finished(m *sim.Finished) {
	r.held.finished(m)
	r.release()
}

// write writes the row, unless there has been an error.
func (r *Writer) write() {
	if r.err != nil {
		return
	}
	r.row.place = r.places[r.row.player.Place]
	if r.held != nil {
		r.held.add(r.row)
		r.release()
		return
	}
	r.err = r.writer.write(&r.row)
}

// release writes the first rows that are held as far as they are complete.
func (r *Writer) release() {
	for r.err == nil && r.held.complete() {
		r.err = r.writer.write(r.held.take())
	}
}

// Close writes the remaining rows and returns the first error.
func (r *Writer) Close() error {
	if r.held != nil {
		r.held.ended = true
		r.release()
	}
	if r.err == nil {
		r.err = r.writer.close()
	}
	return r.err
}
