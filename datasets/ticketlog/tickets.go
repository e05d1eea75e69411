package ticketlog

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mmsim/datasets/joinfile"
)

// Columns of a file of tickets.
const (
	columnTicket     = "ticket_id"
	columnPlayer     = "player_id"
	columnCreated    = "created"
	columnEnded      = "ended"
	columnEnd        = "end"
	columnMatch      = "match_id"
	columnMatchEnded = "match_ended"
	columnDatacenter = "datacenter"
	columnRTT        = "rtt_ms"
)

// ticketColumns are the columns of a file of tickets, by their usual names.
var ticketColumns = map[string]string{
	"ticketid": columnTicket, "playerid": columnPlayer, "created": columnCreated, "ended": columnEnded, "end": columnEnd,
	"matchid": columnMatch, "matchended": columnMatchEnded, "datacenter": columnDatacenter, "rttms": columnRTT,
}

// endWords are the usual words of the column end.
var endWords = map[string]End{
	"matched": Matched, "match": Matched, "succeeded": Matched, "success": Matched, "completed": Matched, "placed": Matched,
	"cancelled": Cancelled, "canceled": Cancelled,
	"expired": Expired, "timedout": Expired, "timeout": Expired,
	"declined": Declined, "rejected": Declined,
	"failed": Failed, "failure": Failed, "error": Failed,
}

// EndOf returns the end that a word means.
func (o *Options) EndOf(word string) (End, bool) {
	word = strings.ToLower(word)
	if end, ok := o.Ends[word]; ok {
		return end, true
	}
	end, ok := endWords[strings.NewReplacer("_", "", "-", "", " ", "").Replace(word)]
	return end, ok
}

// endOf returns the end that a word means. It remembers words, because a log has few different ones.
func (r *Reader) endOf(word []byte) (end End, ok bool) {
	if end, ok = r.words[string(word)]; ok {
		return end, true
	}
	if end, ok = r.o.EndOf(string(word)); ok {
		r.words[string(word)] = end
	}
	return end, ok
}

// errUnknownEnd is the error of a row with an unknown word in the column end. Finish reports the words.
var errUnknownEnd = errors.New("an unknown end")

// unknownMax is the largest number of unknown words that are quoted. With more, the column may have names.
const unknownMax = 20

// noteUnknown counts an unknown word of the column end.
func (r *Reader) noteUnknown(s *joinfile.Sheet, word []byte) {
	if r.unknownAt == nil {
		r.unknownAt = s.At("end")
	}
	text := shortened(string(word))
	if _, is := r.unknown[text]; is || len(r.unknown) <= unknownMax {
		r.unknown[text]++
	}
}

// unknownEnds returns the error about unknown words of the column end.
func (r *Reader) unknownEnds() error {
	const expected = "expected matched, cancelled, expired, declined or failed"
	switch n := len(r.unknown); {
	case n == 0:
		return nil
	case n > unknownMax:
		return fmt.Errorf("%w: more than %d words that are no ends: %s (is it the right column? --map end=…)", r.unknownAt, unknownMax, expected)
	}
	var found, flags []string
	for _, word := range slices.Sorted(maps.Keys(r.unknown)) {
		found = append(found, fmt.Sprintf("%q in %s", word, counted(r.unknown[word], "row", "rows")))
		flags = append(flags, fmt.Sprintf("--map-end %s=END", word))
	}
	return fmt.Errorf("%w: %s: %s, or for each word what it means: %s", r.unknownAt, strings.Join(found, ", "), expected, strings.Join(flags, " "))
}

// readTickets reads a file with a row per player and ticket.
func (r *Reader) readTickets(file io.Reader, name string) error {
	o := &joinfile.SheetOptions{Columns: ticketColumns, Names: r.o.Names}
	need := []string{columnTicket, columnPlayer, columnCreated}
	if r.o.Queues != nil {
		o.Columns = maps.Clone(ticketColumns)
		o.Columns[ColumnQueue] = ColumnQueue
		need = append(need, ColumnQueue)
	}
	s, err := r.eachRow(file, name, o, need, r.addTicket)
	if err == nil {
		r.rows.add(s)
	}
	return err
}

// ticketRow is a row of a file of tickets.
type ticketRow struct {
	created, ended, matchEnded int64
	end                        End
	queue                      uint8
	hasMatch                   bool
	skewed                     bool
}

// addTicket adds the current row.
func (r *Reader) addTicket(s *joinfile.Sheet) error {
	row, err := r.readTicket(s)
	if err != nil {
		return err
	}
	place, err := r.rows.place(s)
	if err != nil {
		return err
	}
	rtt, err := rttMS(s)
	if err != nil {
		return err
	}
	if err := s.Keep(); err != nil {
		return err
	}
	r.rows.keep(place, rtt)
	number, isNew := r.find(s.Cell(columnTicket), row.created)
	t := r.tickets.at(number - 1)
	m := uint32(0)
	if row.hasMatch {
		m = r.match(s.Cell(columnMatch))
	}
	if !isNew && (t.end != row.end || t.ended != row.ended || t.match != m || t.queue != row.queue) {
		return s.At("another row of this ticket has a different ended, end, match_id or queue: expected the same in all rows of a ticket")
	}
	if isNew {
		t.ended, t.end, t.match, t.queue = row.ended, row.end, m, row.queue
		if row.skewed {
			r.skewed++
		}
	}
	if row.hasMatch {
		if err := r.addToMatch(s, m, &row); err != nil {
			return err
		}
	}
	t.size++
	r.members.add(member{ticket: number - 1, player: r.player(s.Cell(columnPlayer)), row: uint32(r.rows.count())})
	return nil
}

// readTicket reads the cells of a row that need no other row.
func (r *Reader) readTicket(s *joinfile.Sheet) (row ticketRow, err error) {
	for _, column := range []string{columnTicket, columnPlayer} {
		if len(s.Cell(column)) == 0 {
			return row, s.At(column + ": nothing, expected a value in every row")
		}
	}
	known := false
	if row.queue, known = r.queue(s.Cell(ColumnQueue)); !known {
		return row, s.At(fmt.Sprintf("queue: %q, expected one of %s", shortened(string(s.Cell(ColumnQueue))), strings.Join(r.o.Queues, ", ")))
	}
	has, hasEnded := false, false
	if row.created, has, err = s.Time(columnCreated); err != nil {
		return row, err
	} else if !has {
		return row, s.At("created: nothing, expected a time in every row")
	}
	if row.ended, hasEnded, err = s.Time(columnEnded); err != nil {
		return row, err
	}
	if row.matchEnded, _, err = s.Time(columnMatchEnded); err != nil {
		return row, err
	}
	word := s.Cell(columnEnd)
	row.hasMatch = len(s.Cell(columnMatch)) > 0
	if len(word) > 0 {
		var ok bool
		if row.end, ok = r.endOf(word); !ok {
			r.noteUnknown(s, word)
			return row, errUnknownEnd
		}
	}
	switch {
	case hasEnded != (len(word) > 0):
		return row, s.At("one of ended and end without the other: expected both, or neither for a ticket that still searches")
	case row.hasMatch != (row.end == Matched):
		return row, s.At("a match without a matched end of the ticket, or a matched end without match_id: expected both")
	case !hasEnded:
		row.ended = row.created
	case row.ended < row.created-MaxSkew:
		return row, s.At(fmt.Sprintf("ended is %v before created: expected a later end (clocks may differ by up to 2s)", millis(row.created-row.ended)))
	case row.ended < row.created:
		row.ended, row.skewed = row.created, true
	}
	return row, nil
}

// addToMatch notes the end and the datacenter of a match.
func (r *Reader) addToMatch(s *joinfile.Sheet, number uint32, row *ticketRow) error {
	m := &r.matches[number-1]
	if m.made > 0 && m.ended != row.matchEnded {
		return s.At("another row of this match has a different match_ended, or none: expected the same in all rows of a match")
	}
	dc := r.datacenter(s.Cell(columnDatacenter))
	if m.made > 0 && m.datacenter != dc {
		return s.At("another row of this match has a different datacenter, or none: expected the same in all rows of a match")
	}
	if m.made > 0 && m.queue != row.queue {
		return s.At("another row of this match has a different queue: expected the same in all rows of a match")
	}
	m.ended, m.datacenter, m.queue, m.made = row.matchEnded, dc, row.queue, max(m.made, row.ended)
	return nil
}

// shortened cuts off a long word.
func shortened(word string) string {
	const longest = 20
	if len(word) > longest {
		return word[:longest] + "…"
	}
	return word
}
