package ticketlog

import (
	"fmt"
	"io"

	"mmsim/datasets/joinfile"
)

// ReadPlayers reads a file with a row per player: player_id, places and attributes. It is for events
// of FlexMatch, which have none of these. Read it before the log.
func (r *Reader) ReadPlayers(file io.Reader, name string) error {
	o := &joinfile.SheetOptions{Columns: map[string]string{"playerid": columnPlayer}, Names: r.o.Names, Partial: true}
	s, err := r.eachRow(file, name, o, []string{columnPlayer}, func(s *joinfile.Sheet) error {
		id := s.Cell(columnPlayer)
		if len(id) == 0 {
			return s.At("player_id: nothing, expected a value in every row")
		}
		h := hash(id)
		if _, twice := r.rowOf[h]; twice {
			return s.At("player_id: another row has the same, expected one row for each player")
		}
		place, err := r.rows.place(s)
		if err == nil {
			err = s.Keep()
		}
		if err != nil {
			return err
		}
		r.rows.keep(place, 0)
		r.rowOf[h] = uint32(r.rows.count())
		return nil
	})
	if err == nil {
		r.rows.add(s)
	}
	return err
}

// ReadMatches reads a file with a row per match: match_id, ended, and optionally datacenter. Read the
// log before.
func (r *Reader) ReadMatches(file io.Reader, name string) error {
	seen := map[uint32]bool{}
	columns := map[string]string{"matchid": columnMatch, "ended": columnEnded, "datacenter": columnDatacenter}
	_, err := r.eachRow(file, name, &joinfile.SheetOptions{Columns: columns, Names: r.o.Names, Partial: true}, []string{columnMatch, columnEnded}, func(s *joinfile.Sheet) error {
		id := s.Cell(columnMatch)
		if len(id) == 0 {
			return s.At("match_id: nothing, expected a value in every row")
		}
		ended, has, err := s.Time(columnEnded)
		if err != nil {
			return err
		}
		if !has {
			return s.At("ended: nothing, expected a time in every row")
		}
		known := len(r.matches)
		number := r.match(id)
		if seen[number] {
			return s.At("match_id: another row has the same, expected one row for each match")
		}
		seen[number] = true
		m := &r.matches[number-1]
		if int(number) <= known && m.made > 0 && ended < m.made-MaxSkew {
			return s.At(fmt.Sprintf("ended is %v before the match was made: expected a later end (clocks may differ by up to 2s)", millis(m.made-ended)))
		}
		m.ended = ended
		r.ends++
		if dc := r.datacenter(s.Cell(columnDatacenter)); dc > 0 {
			m.datacenter = dc
		}
		return nil
	})
	return err
}
