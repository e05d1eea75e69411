package ticketlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mmsim/datasets"
	"mmsim/datasets/joinfile"
)

// Reader reads the files of a log. Create one with NewReader, read all files, and call Finish.
type Reader struct {
	o        *Options
	format   string
	events   map[uint64]struct{} // hashes of ids
	repeated int
	skewed   int

	tickets   chunks[ticket]
	proposals []proposal        // by ticket, of FlexMatch; as many as tickets had acceptance so far
	byID      index             // the newest ticket with an id
	players   map[uint64]uint32 // number from 0
	matchOf   map[uint64]uint32 // number from 1
	members   chunks[member]
	matches   []match
	ends      int // rows of files of matches
	rows      *rows
	rowOf     map[uint64]uint32 // row from 1 of a player in a file of players

	words          map[string]End  // what words of the column end mean
	unknown        map[string]int  // rows with other words
	unknownAt      error           // the place of the first
	named          map[string]bool // whether a file has a column of Options.Names
	datacenters    []string        // names in the log
	configurations map[string]bool // of the events that are read
	skipped        map[string]bool // configurations of the events that are not read
	badRows        int
	allRows        int
	bad            []error // files with too many malformed rows
}

// NewReader returns a reader of a log.
func NewReader(o *Options) *Reader {
	r := &Reader{
		o: o, format: o.Format, events: map[uint64]struct{}{}, players: map[uint64]uint32{},
		matchOf: map[uint64]uint32{}, rowOf: map[uint64]uint32{}, rows: newRows(o), configurations: map[string]bool{}, skipped: map[string]bool{}, words: map[string]End{}, unknown: map[string]int{}, named: map[string]bool{},
	}
	r.byID = newIndex(func(number uint32) uint64 { return r.tickets.at(number - 1).id })
	return r
}

// headBytes is how much of a file is read to recognise its format.
const headBytes = 1 << 16

// Read reads a file of tickets or of events. name is used only in messages.
func (r *Reader) Read(file io.Reader, name string) error {
	var head [4]byte
	if at, ok := file.(io.ReaderAt); ok {
		if n, _ := at.ReadAt(head[:], 0); n == len(head) && string(head[:]) == "PAR1" {
			return r.readAs(Tickets, file, name)
		}
	}
	plain, err := joinfile.Decompress(file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer plain.Close()
	text := bufio.NewReaderSize(plain, headBytes)
	format := r.o.Format
	if format == "" {
		first, _ := text.Peek(headBytes) // an error is reported when the file is read
		format = recognise(first)
	}
	return r.readAs(format, text, name)
}

// recognise returns the format of a text from its first bytes.
func recognise(head []byte) string {
	head = bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n")
	isEvent := bytes.HasPrefix(head, []byte("{")) &&
		(bytes.Contains(head, []byte(`"detail"`)) || bytes.Contains(head, []byte(`"TopicArn"`)))
	if isEvent {
		return FlexMatch
	}
	return Tickets
}

// readAs reads a file in a format.
func (r *Reader) readAs(format string, file io.Reader, name string) error {
	if r.format == "" {
		r.format = format
	}
	if r.format != format {
		return fmt.Errorf("%s: holds %s, but the files before it hold %s: expected one format", name, format, r.format)
	}
	if format == FlexMatch {
		return r.readEvents(file, name)
	}
	return r.readTickets(file, name)
}

// badRows counts the malformed rows of one file.
type badRows struct {
	joinfile.BadRows
}

// add counts a malformed row.
func (b *badRows) add(err error) {
	if b.Count++; len(b.First) < joinfile.BadRowsListed {
		b.First = append(b.First, err)
	}
}

// finishFile notes the malformed rows of a file. all is the number of rows.
func (r *Reader) finishFile(b *badRows, all int) {
	r.badRows += b.Count
	r.allRows += all
	if b.Count > 0 {
		r.bad = append(r.bad, &b.BadRows)
	}
}

// eachRow reads a file of rows to its end. Errors of single rows are collected, see tooManyBad.
func (r *Reader) eachRow(file io.Reader, name string, o *joinfile.SheetOptions, need []string, row func(*joinfile.Sheet) error) (*joinfile.Sheet, error) {
	o.Zone, o.Kinds = r.o.Zone, r.o.Kinds
	s, err := joinfile.OpenSheet(file, name, o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	bad := &badRows{joinfile.BadRows{File: name}}
	all := 0
	for ; ; all++ {
		err := s.Next()
		damaged := (*joinfile.Damaged)(nil)
		switch {
		case err == io.EOF:
			r.finishFile(bad, all)
			for column := range r.o.Names {
				r.named[column] = r.named[column] || s.Has(column)
			}
			return s, nil
		case errors.As(err, &damaged):
			return nil, err
		}
		if all == 0 && err == nil {
			for _, column := range need {
				if !s.Has(column) {
					return nil, s.At(fmt.Sprintf("no column %s: expected it, or its name in the file (--map %s=…)", column, column))
				}
			}
		}
		if err == nil {
			err = row(s)
		}
		if err != nil && err != errUnknownEnd {
			bad.add(err)
		}
	}
}

// tooManyBad returns the errors about malformed rows, unless they are no more than allowed.
func (r *Reader) tooManyBad() []error {
	allowed := r.o.MaxBadRows
	if r.o.MaxBadShare > 0 {
		allowed = int(float64(r.o.MaxBadShare*float64(r.allRows)) + 1e-9)
	}
	if r.badRows <= allowed {
		return nil
	}
	return r.bad
}

// hash returns a hash of a name (FNV-1a).
func hash(name []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range name {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// player returns the number of a player.
func (r *Reader) player(name []byte) uint32 {
	h := hash(name)
	n, ok := r.players[h]
	if !ok {
		n = uint32(len(r.players))
		r.players[h] = n
	}
	return n
}

// match returns the number of a match, from 1.
func (r *Reader) match(name []byte) uint32 {
	h := hash(name)
	n, ok := r.matchOf[h]
	if !ok {
		r.matches = append(r.matches, match{})
		n = uint32(len(r.matches))
		r.matchOf[h] = n
	}
	return n
}

// find returns the ticket with an id that was created at an instant, or adds it.
func (r *Reader) find(id []byte, created int64) (number uint32, isNew bool) {
	h := hash(id)
	slot, newest := r.byID.find(h)
	for n := newest; n > 0; n = r.tickets.at(n - 1).next {
		if r.tickets.at(n-1).created == created {
			return n, false
		}
	}
	r.tickets.add(ticket{id: h, created: created, ended: created, next: newest})
	number = uint32(r.tickets.len)
	r.byID.set(slot, h, number)
	return number, true
}

// datacenter returns the number of a name of a datacenter, from 1.
func (r *Reader) datacenter(name []byte) uint16 {
	if len(name) == 0 {
		return 0
	}
	i := slices.Index(r.datacenters, string(name))
	if i < 0 {
		if len(r.datacenters) == 1<<16-2 {
			return 0
		}
		i = len(r.datacenters)
		r.datacenters = append(r.datacenters, string(name))
	}
	return uint16(i + 1)
}

// unusedNames returns the error about columns of Options.Names that no file has.
func (r *Reader) unusedNames() error {
	var unused []string
	for _, column := range slices.Sorted(maps.Keys(r.o.Names)) {
		if !r.named[column] {
			unused = append(unused, column+"="+r.o.Names[column])
		}
	}
	if len(unused) == 0 {
		return nil
	}
	return fmt.Errorf("--map %s: no file has a column of that name", strings.Join(unused, ","))
}

// unknownDatacenters returns the errors about names that are no datacenters, or also no regions.
func (r *Reader) unknownDatacenters() error {
	var problems []error
	const shown = 20
	if unknown := slices.DeleteFunc(slices.Sorted(slices.Values(r.datacenters)), r.o.Datacenter); len(unknown) > 0 {
		problems = append(problems, fmt.Errorf("the log names datacenters that are neither in the list of datacenters nor in regions: %s; expected them in regions, such as regions: {%s: [DATACENTER]}",
			strings.Join(unknown[:min(shown, len(unknown))], ", "), unknown[0]))
	}
	if unknown := slices.Sorted(slices.Values(r.rows.unknown)); len(unknown) > 0 {
		problems = append(problems, fmt.Errorf("columns of measured RTTs to datacenters that are not in the list: %s%s; expected %s and one of %s",
			datasets.ColumnMeasured, strings.Join(unknown[:min(shown, len(unknown))], ", "+datasets.ColumnMeasured), datasets.ColumnMeasured, strings.Join(r.o.Datacenters, ", ")))
	}
	return errors.Join(problems...)
}

// queue returns the index of a queue, and whether it is one of Options.Queues. If these are nil, there is
// one queue of any name.
func (r *Reader) queue(name []byte) (index uint8, ok bool) {
	if r.o.Queues == nil {
		return 0, true
	}
	i := slices.Index(r.o.Queues, string(name))
	return uint8(max(0, i)), i >= 0
}

// checkConfigurations returns an error if the events are of several matchmaking configurations that are
// not the queues, or if none is of the chosen one.
func (r *Reader) checkConfigurations() error {
	if chosen := r.o.Configuration; chosen != "" && !r.configurations[chosen] {
		others := "the log has no matchmaking configuration"
		if len(r.skipped) > 0 {
			others = "expected one of " + strings.Join(slices.Sorted(maps.Keys(r.skipped)), ", ")
		}
		return fmt.Errorf("--configuration: got %q, which no event has: %s", chosen, others)
	}
	if r.o.Queues != nil {
		unknown := slices.Sorted(maps.Keys(r.configurations))
		unknown = slices.DeleteFunc(unknown, func(name string) bool { return slices.Contains(r.o.Queues, name) })
		if len(unknown) == 0 {
			return nil
		}
		return fmt.Errorf("the events are of matchmaking configurations that are no queues: %s; expected one of %s, or --configuration",
			strings.Join(unknown, ", "), strings.Join(r.o.Queues, ", "))
	}
	if len(r.configurations) < 2 {
		return nil
	}
	return fmt.Errorf("the events are of %d matchmaking configurations: expected --configuration with one of %s",
		len(r.configurations), strings.Join(slices.Sorted(maps.Keys(r.configurations)), ", "))
}
