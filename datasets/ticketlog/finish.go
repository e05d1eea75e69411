package ticketlog

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/datasets"
)

// counted returns a number with what it counts.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// Finish returns the log, after all files were read. The error has all problems.
func (r *Reader) Finish() (*Log, error) {
	problems := r.tooManyBad()
	switch {
	case r.format == FlexMatch && len(r.rowOf) == 0:
		problems = append(problems, errNoPlayers)
	case r.format == Tickets && len(r.rowOf) > 0:
		problems = append(problems, errors.New("a file of players, but no events of FlexMatch: expected --players only with them, because files of tickets have the places and attributes of players"))
	}
	if r.ends > 0 && !slices.ContainsFunc(r.matches, func(m match) bool { return m.ended > 0 && m.made > 0 }) {
		problems = append(problems, fmt.Errorf("none of %s in the file of matches is in the log: expected its match_id", counted(r.ends, "match", "matches")))
	}
	problems = append(problems, r.unknownEnds(), r.unusedNames(), r.checkConfigurations(), r.unknownDatacenters())
	reused, err := r.mergeReused()
	problems = append(problems, err)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if r.tickets.len == 0 {
		return nil, errors.New("the log has no tickets")
	}
	l := &Log{Format: r.format, o: r.o, datacenters: r.datacenters, tickets: r.tickets, matches: r.matches, rows: r.rows}
	l.Counts = Counts{
		Events: len(r.events) + r.repeated, Repeated: r.repeated, Players: len(r.players), Reused: reused, Skewed: r.skewed, BadRows: r.badRows,
		EndsAssumed: !slices.ContainsFunc(r.matches, func(m match) bool { return m.ended > 0 && m.made > 0 }),
	}
	if r.format == Tickets {
		l.Counts.Events = 0
	}
	players, members := len(r.players), r.members
	*r = Reader{} // the hashes are not needed any more
	l.gather(&members)
	l.walk(players)
	problems = []error{l.checkMatches(), l.checkCut(), l.findWindow()}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	l.count()
	l.setMeanLength()
	return l, l.checkCounts()
}

// mergeReused separates tickets that have the same id, and joins events about one ticket.
func (r *Reader) mergeReused() (reused int, err error) {
	overlaps := 0
	for first, a := range r.tickets.all {
		if a.end == Cancelled && r.declined(int(first)) {
			a.end = Declined
		}
		if a.next == 0 {
			continue
		}
		if _, newest := r.byID.find(a.id); newest != first+1 {
			continue
		}
		var same []*ticket
		for n := first + 1; n > 0; n = r.tickets.at(n - 1).next {
			same = append(same, r.tickets.at(n-1))
		}
		slices.SortFunc(same, func(a, b *ticket) int { return cmp.Compare(a.created, b.created) })
		last := same[0]
		for _, t := range same[1:] {
			switch {
			case last.end != Searching && t.created >= last.ended:
				last = t
				reused++
			case r.format == Tickets:
				overlaps++
			default:
				if last.end == Searching {
					last.end, last.match, last.ended = t.end, t.match, max(last.ended, t.ended)
				}
				t.size = 0
			}
		}
	}
	if overlaps > 0 {
		err = fmt.Errorf("%s the id of a ticket that had not ended: expected one time in the column created for a ticket", counted(overlaps, "ticket has", "tickets have"))
	}
	return reused, err
}

// gather puts the members of each ticket side by side, and the tickets in order of creation.
func (l *Log) gather(members *chunks[member]) {
	next := uint32(0)
	size := make([]uint32, l.tickets.len)
	for _, m := range members.all {
		size[m.ticket]++
	}
	for i, t := range l.tickets.all {
		t.first = next
		next += size[i]
	}
	l.members = make([]member, members.len)
	members.take(func(m *member) {
		t := l.tickets.at(m.ticket)
		l.members[t.first+size[m.ticket]-1] = *m
		size[m.ticket]--
	})
	l.setOrder()
}

// setOrder puts the tickets in order of creation.
func (l *Log) setOrder() {
	type key struct {
		created int64 // beside the number, so that most comparisons do not look at the tickets
		ticket  uint32
	}
	keys, fractions := make([]key, 0, l.tickets.len), false
	for i, t := range l.tickets.all {
		if t.size > 0 {
			keys = append(keys, key{t.created, i})
		}
		l.Last = max(l.Last, t.ended)
		fractions = fractions || t.created%1000 != 0 || t.ended%1000 != 0
	}
	l.Counts.WholeSeconds = !fractions
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.created, b.created); c != 0 {
			return c
		}
		x, y := l.tickets.at(a.ticket), l.tickets.at(b.ticket)
		return cmp.Or(cmp.Compare(x.ended, y.ended), cmp.Compare(x.size, y.size))
	})
	l.Counts.Tickets = len(keys)
	l.order = make([]uint32, len(keys))
	for i := range keys {
		l.order[i] = keys[i].ticket
	}
}

func (l *Log) of(t *ticket) []member { return l.members[t.first : t.first+uint32(t.size)] }

// history is what a player did last, and when the player first searched. Tickets are numbers from 1, or
// 0.
type history struct {
	first        int64
	last, played uint32
}

// walk follows the players through their tickets: which one is cut, lost, or a return.
func (l *Log) walk(players int) {
	gap := l.o.SessionGap.Milliseconds()
	of := make([]history, players)
	for _, t := range l.tickets.all {
		if t.match > 0 { // the clocks of its events may differ
			l.matches[t.match-1].made = max(l.matches[t.match-1].made, t.ended)
		}
	}
	for _, i := range l.order {
		t := l.tickets.at(i)
		if t.end == Searching && l.Last-t.ended > gap {
			t.end = Lost
		}
		early := false
		members := l.of(t)
		for j := range members {
			m := &members[j]
			h := &of[m.player]
			if h.last == 0 {
				h.first = t.created
			} else {
				last := l.tickets.at(h.last - 1)
				l.cut(last, t)
				t.again = t.again || last.end == Cancelled && t.created-last.ended <= askAgain
			}
			if m.row > 0 {
				l.rows.settle(m.row-1, h.first)
			}
			if h.played > 0 && l.comeBack(l.tickets.at(h.played-1), t, gap) {
				m.before = l.tickets.at(h.played - 1).match
				early = early || l.tickets.at(h.played-1).pause < 0
			}
			h.last, h.played = i+1, 0
			if t.match > 0 {
				h.played = i + 1
			}
		}
		t.early = early
	}
}

// cut ends a ticket where another one of a player begins, if it is still open there.
func (l *Log) cut(t, later *ticket) {
	open := t.end != Cut && t.end != Lost && (t.end == Searching || t.ended > later.created)
	if open && t != later {
		t.end, t.ended, t.match = Cut, later.created, 0
		l.Counts.Cut++
	}
}

// comeBack notes that a player of a matched ticket searches again. It reports whether that is a return.
func (l *Log) comeBack(played, t *ticket, gap int64) bool {
	if played.end != Matched {
		return false
	}
	end := l.endOf(played)
	pause := t.created - end
	if end == 0 || pause > gap {
		return false
	}
	t.isReturn = true
	if !played.returned || pause < int64(played.pause) {
		played.returned, played.pause = true, int32(max(math.MinInt32, pause))
	}
	return true
}

// checkMatches puts ends that a skewed clock put before the match at its beginning.
func (l *Log) checkMatches() error {
	early := 0
	for i := range l.matches {
		m := &l.matches[i]
		switch {
		case m.ended == 0 || m.made == 0 || m.ended >= m.made:
		case m.ended >= m.made-MaxSkew:
			m.ended = m.made
			l.Counts.Skewed++
		default:
			early++
		}
	}
	if early > 0 {
		return fmt.Errorf("%s before being made: expected later ends (clocks may differ by up to 2s)", counted(early, "match ended", "matches ended"))
	}
	return nil
}

// checkCut returns an error if so many tickets overlap that the names of players seem to be wrong.
func (l *Log) checkCut() error {
	const most = 0.01
	if n := l.Counts.Cut; float64(n) > most*float64(l.Counts.Tickets) {
		return fmt.Errorf("%s open when another ticket of one of its players began, of %d: expected at most 1 %% (is player_id the player?)", counted(n, "ticket was", "tickets were"), l.Counts.Tickets)
	}
	return nil
}

// findWindow finds the days that count.
func (l *Log) findWindow() error {
	zone := l.o.Zone
	midnight := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone) }
	first, last := l.o.From, l.o.To
	from, to := l.wholeDays(midnight)
	if !first.IsZero() {
		from = midnight(first)
	}
	if !last.IsZero() {
		to = midnight(last).AddDate(0, 0, 1)
	}
	if from.IsZero() || to.IsZero() || !from.Before(to) {
		begin, end := time.UnixMilli(l.tickets.at(l.order[0]).created).In(zone), time.UnixMilli(l.Last).In(zone)
		return fmt.Errorf("the log has no whole day from %s to %s: expected tickets in the first and in the last hour of a day, or --from DAY and --to DAY",
			begin.Format(time.DateTime), end.Format(time.DateTime))
	}
	l.From, l.To = from.UnixMilli(), to.UnixMilli()
	l.Days = int(math.Round(to.Sub(from).Hours() / 24))
	if l.Days > datasets.MaxDays {
		return fmt.Errorf("the window has %d days, expected at most %d (MaxDays): --from DAY and --to DAY choose them", l.Days, datasets.MaxDays)
	}
	return nil
}

// wholeDays returns the first midnight of the first day, and the last midnight of the last day, that
// have an event in their first and in their last hour. They are zero if there is no such day.
func (l *Log) wholeDays(midnight func(time.Time) time.Time) (from, to time.Time) {
	const hour = 3_600_000
	hours := map[int64]bool{}
	for _, i := range l.order {
		t := l.tickets.at(i)
		hours[t.created/hour], hours[t.ended/hour] = true, true
	}
	zone := l.o.Zone
	day := midnight(time.UnixMilli(l.tickets.at(l.order[0]).created).In(zone))
	for ; day.UnixMilli() <= l.Last; day = day.AddDate(0, 0, 1) {
		next := day.AddDate(0, 0, 1)
		if hours[day.UnixMilli()/hour] && hours[next.UnixMilli()/hour-1] {
			if from.IsZero() {
				from = day
			}
			to = next
		}
	}
	return from, to
}

// count counts what the window has.
func (l *Log) count() {
	c := &l.Counts
	for _, i := range l.order {
		t := l.tickets.at(i)
		if t.created < l.From || t.created >= l.To {
			continue
		}
		c.Searches++
		if t.end == Lost {
			c.Lost++
		}
		if t.end == Declined {
			c.Declined++
		}
		if t.early {
			c.LeftEarly++
		}
		if t.again {
			c.AskedAgain++
		}
		if t.isReturn {
			c.Returns += int(t.size)
			continue
		}
		c.Parties++
		c.Joins += int(t.size)
		for _, m := range l.of(t) {
			if m.row == 0 || l.rows.places[m.row-1] == 0 {
				c.NoPlace++
			}
		}
	}
	for i := range l.matches {
		m := &l.matches[i]
		if m.made >= l.From && m.made < l.To {
			c.Matches++
			if m.ended > 0 || c.EndsAssumed {
				c.Finished++
			}
		}
	}
}

// checkCounts returns the errors about a window with too little in it.
func (l *Log) checkCounts() error {
	var problems []error
	c := &l.Counts
	if c.Finished < l.o.MinMatches {
		problems = append(problems, fmt.Errorf("%s in the window: expected at least %d (--min-matches)", counted(c.Finished, "finished match", "finished matches"), l.o.MinMatches))
	}
	if c.Joins == 0 {
		problems = append(problems, errors.New("no player joins in the window: expected a search without a match shortly before"))
	}
	allowed := max(0.01, l.o.MaxBadShare) * float64(c.Joins)
	if most := max(allowed, float64(l.o.MaxBadRows)); float64(c.NoPlace) > most {
		problems = append(problems, fmt.Errorf("%s no place, of %d: expected latitude and longitude, or a country, for all but 1 %% (--max-bad-rows)", counted(c.NoPlace, "joining player has", "joining players have"), c.Joins))
	}
	return errors.Join(problems...)
}

// setMeanLength sets the mean length of the matches that have an end.
func (l *Log) setMeanLength() {
	sum, n := int64(0), int64(0)
	for i := range l.matches {
		if m := &l.matches[i]; m.ended > 0 && m.made > 0 {
			sum, n = sum+m.ended-m.made, n+1
		}
	}
	l.meanLength = sum / max(1, n)
}
