package reports

import (
	"bytes"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"mmsim/sim"
)

// RecordsFile is the name of the file that Records writes.
const RecordsFile = "records.csv.gz"

// Records observes a run and writes a row for every player of every match, in the
// order in which matches were made. Columns:
//
//	match_id, player_id        as in outcome records: counted from 0, warm-up included
//	row                        of the dataset, counted from 0
//	party, party_size          players of one ticket share the party
//	began_s, matched_s, wait_s 3 digits; began_s is negative for a search begun in the warm-up
//	return                     1: not the player's first search
//	state                      ideal, expand or warmbody
//	datacenter                 by name
//	rtt_ms                     2 digits, as all RTTs
//	rtt_estimate_ms            with jitter only: as the rules saw it
//	delta_rtt_ms               estimate less the lowest estimate to any datacenter
//	repeat                     1: a partner of the match before is in this match
//	latitude, longitude        of the place, rounded down to 2 digits
//
// and then the attributes. A row costs about 0.25 µs and 50 bytes of the file. The
// bytes depend on the run alone. The first error of the writer ends the writing;
// Close returns it.
type Records struct {
	setup      Setup
	attributes []RecordColumn
	names      [][]byte // of datacenters, as CSV cells
	zip        *gzip.Writer
	buffer     []byte // rows not yet handed to zip
	id, at     []byte // of the match at hand, as CSV cells
	attribute  []byte // value of one attribute, before it is a cell
	err        error
}

var _ sim.Observer = (*Records)(nil)

// RecordColumn is an attribute of any kind: Append appends a player's value as text,
// and nothing for a missing one.
type RecordColumn struct {
	Name   string
	Append func(to []byte, p *sim.Player) []byte
}

// recordsFlush is the size at which rows are handed to the compressor.
const recordsFlush = 1 << 16

// NewRecords returns Records that write to w. The caller closes them, and then w.
//
// The compressor codes characters by how often they occur and looks for no
// repetitions: few in the rows are long, so that finding them would take over three
// times as long and save 45 % of the file.
func NewRecords(w io.Writer, setup Setup, attributes []RecordColumn) *Records {
	setup.check()
	zip, err := gzip.NewWriterLevel(w, gzip.HuffmanOnly)
	r := &Records{setup: setup, attributes: attributes, zip: zip, err: err}
	for _, site := range setup.Datacenters {
		r.names = append(r.names, appendCell(nil, []byte(site.Name)))
	}
	r.buffer = append(r.buffer, "match_id,player_id,row,party,party_size,began_s,matched_s,wait_s,return,state,datacenter,rtt_ms,"...)
	if setup.Jitter {
		r.buffer = append(r.buffer, "rtt_estimate_ms,"...)
	}
	r.buffer = append(r.buffer, "delta_rtt_ms,repeat,latitude,longitude"...)
	for _, a := range attributes {
		r.buffer = appendCell(append(r.buffer, ','), []byte(a.Name))
	}
	r.buffer = append(r.buffer, '\n')
	return r
}

// Entered does nothing: a record is about a match.
func (r *Records) Entered(*sim.Search) {}

// Ended does nothing: a record is about a match.
func (r *Records) Ended(*sim.Ended) {}

// Sampled does nothing: a record is about a match.
func (r *Records) Sampled(*sim.Census) {}

// Matched writes a row per player.
func (r *Records) Matched(m *sim.Match) {
	if r.err != nil {
		return
	}
	r.id = strconv.AppendUint(r.id[:0], m.ID, 10)
	r.at = appendThousandths(r.at[:0], int64(m.At))
	for i := range m.Players {
		r.buffer = r.appendRow(r.buffer, m, &m.Players[i])
	}
	if len(r.buffer) >= recordsFlush {
		r.flush()
	}
}

// Close writes what is left and returns the first error.
func (r *Records) Close() error {
	r.flush()
	if r.err == nil {
		r.err = r.zip.Close()
	}
	return r.err
}

func (r *Records) flush() {
	if r.err == nil {
		_, r.err = r.zip.Write(r.buffer)
	}
	r.buffer = r.buffer[:0]
}

func (r *Records) appendRow(b []byte, m *sim.Match, p *sim.Matched) []byte {
	b = append(append(b, r.id...), ',')
	b = append(strconv.AppendUint(b, p.ID, 10), ',')
	b = append(strconv.AppendUint(b, uint64(p.Row), 10), ',')
	b = append(strconv.AppendUint(b, p.Party, 10), ',')
	b = append(strconv.AppendUint(b, uint64(p.PartySize), 10), ',')
	b = append(appendThousandths(b, int64(p.Began)), ',')
	b = append(append(b, r.at...), ',')
	b = append(appendThousandths(b, int64(m.At.Sub(p.Began))), ',')
	b = append(appendFlag(b, p.Return), ',')
	b = append(append(b, stateCells[p.State]...), ',')
	b = append(append(b, r.names[m.Datacenter]...), ',')
	b = append(appendRTT(b, p.RTT), ',')
	if r.setup.Jitter {
		b = append(appendRTT(b, p.Estimate), ',')
	}
	b = append(appendRTT(b, p.Estimate-p.Best), ',')
	b = append(appendFlag(b, p.Repeat), ',')
	place := r.setup.Places[p.Place]
	b = append(appendHundredths(b, int64(place.Latitude)), ',')
	b = appendHundredths(b, int64(place.Longitude))
	for i := range r.attributes {
		r.attribute = r.attributes[i].Append(r.attribute[:0], &p.Player)
		b = appendCell(append(b, ','), r.attribute)
	}
	return append(b, '\n')
}

// stateCells are the states as column names of other files spell them.
var stateCells = [searchStates]string{
	sim.StateIdeal: "ideal", sim.StateExpand: "expand", sim.StateWarmBody: "warmbody",
	sim.StateWaiting: "waiting",
}

// appendRTT appends an RTT in ms, rounded to 2 digits, halves up.
func appendRTT(b []byte, rtt sim.RTT) []byte {
	return appendHundredths(b, (int64(rtt)*100+sim.RTTUnit/2)/sim.RTTUnit)
}

// appendHundredths appends n/100 with 2 digits.
func appendHundredths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	rest := byte(n % 100)
	return append(strconv.AppendInt(b, n/100, 10), '.', '0'+rest/10, '0'+rest%10)
}

// appendThousandths appends n/1000 with 3 digits.
func appendThousandths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	rest := n % 1000
	return append(strconv.AppendInt(b, n/1000, 10), '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
}

func appendFlag(b []byte, flag bool) []byte {
	if flag {
		return append(b, '1')
	}
	return append(b, '0')
}

// appendCell appends a CSV cell, quoted if it must be.
func appendCell(b, cell []byte) []byte {
	if !bytes.ContainsAny(cell, "\",\r\n") {
		return append(b, cell...)
	}
	b = append(b, '"')
	for _, c := range cell {
		if c == '"' {
			b = append(b, '"')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
