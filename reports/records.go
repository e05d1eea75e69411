package reports

import (
	"io"

	"mmsim/reports/setup"
	"mmsim/sim"
)

// Names of the file that Records write, by its form.
const (
	RecordsFile        = "records.csv.gz"
	RecordsParquetFile = "records.parquet"
)

// Records observes a run and writes a row per player and search, however the search
// ended: whoever looks at the matched alone believes that all is well. RecordFields
// describes the columns; after them stand the attributes of the players. An attribute
// that has the name of another column gets attribute_ before it.
//
// There is a row for every search that went on inside the window [0, duration), so that
// the rows add up to Summary.Players: those with began_s of 0 or more are the entries,
// first searches the joins and others the returns; those with a negative began_s were
// searching at the start; and the column end divides all of them into the matched,
// failed, expired, bots, rejected and searching at the end of the window, or where an
// interrupted run ended.
//
// Rows stand in the order in which searches ended, and of one instant in the order in
// which the simulator decided: parties that are rejected as they return or join; then
// for each queue the searches that time out and the matches, a match's players side by
// side. Searches that go on at the end come last, for each queue oldest first. The
// members of a party stand side by side, except that on servers each ends on its own.
//
// In Parquet the columns have the same names and values: whole numbers are int64,
// numbers with digits behind the point are doubles, those that are 0 or 1 are booleans,
// texts are strings, attributes that are numbers are doubles, and what CSV leaves empty
// is null.
//
// A row costs about 0.3 µs and 62 bytes of the file as CSV; as Parquet about three times
// the time, part of it for the columns that may be null, and half the bytes. The bytes depend on the run alone. The first error of the writer ends the
// writing; Close returns it.
type Records struct {
	places []setup.Place
	writer recordWriter
	row    recordRow
	err    error
}

var _ sim.UnfinishedObserver = (*Records)(nil)

// RecordColumn is an attribute of any kind.
type RecordColumn struct {
	Name string

	// Append appends a player's value as text, and nothing for a missing one.
	Append func(to []byte, p *sim.Player) []byte

	// Number returns the value of an attribute that is a number, NaN for a missing
	// one. nil: it is text.
	Number func(p *sim.Player) float64
}

// recordWriter writes rows in one form.
type recordWriter interface {
	write(row *recordRow) error
	close() error
}

// recordRow is a player and one search.
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
	endSearching // it goes on at the end of the window
)

// NewRecords returns Records that write compressed CSV to w. The caller closes them,
// and then w.
func NewRecords(w io.Writer, run setup.Run, attributes []RecordColumn) *Records {
	run.Check()
	writer, err := newCSVRecords(w, recordColumns(&run, attributes))
	return &Records{places: run.Places, writer: writer, err: err}
}

// NewParquetRecords is NewRecords for Parquet.
func NewParquetRecords(w io.Writer, run setup.Run, attributes []RecordColumn) *Records {
	run.Check()
	return &Records{places: run.Places, writer: newParquetRecords(w, recordColumns(&run, attributes))}
}

// Entered does nothing: a row is written when the search has ended.
func (r *Records) Entered(*sim.Search) {}

// Sampled does nothing: a row is about a search.
func (r *Records) Sampled(*sim.Census) {}

// Matched writes a row per player.
func (r *Records) Matched(m *sim.Match) {
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
func (r *Records) Ended(e *sim.Ended) {
	end := endFailed
	switch e.Into {
	case sim.StateExpired:
		end = endExpired
	case sim.StateBots:
		end = endBots
	case sim.StateRejected:
		end = endRejected
	}
	r.unmatched(&e.Search, e.At, end)
}

// Unfinished writes a row per player.
func (r *Records) Unfinished(s *sim.Search, at sim.Instant) { r.unmatched(s, at, endSearching) }

// unmatched writes a row per player of a search without a match.
func (r *Records) unmatched(s *sim.Search, at sim.Instant, end recordEnd) {
	for i := range s.Players {
		r.row = recordRow{
			player: &s.Players[i], queue: s.Queue, party: s.Party, partySize: s.PartySize,
			began: s.Began, ended: at, isReturn: s.Return, state: s.State, end: end,
		}
		r.write()
	}
}

// write writes the row, unless an earlier one could not be written.
func (r *Records) write() {
	if r.err == nil {
		r.row.place = r.places[r.row.player.Place]
		r.err = r.writer.write(&r.row)
	}
}

// Close writes what is left and returns the first error.
func (r *Records) Close() error {
	if r.err == nil {
		r.err = r.writer.close()
	}
	return r.err
}
