package ticketlog

import (
	"time"

	"mmsim/datasets"
)

// End is how a search ended.
type End uint8

// Ends of a search.
const (
	Searching End = iota // still at the end of the log
	Matched
	Cancelled // by the player
	Expired
	Declined // the player let a proposed match fail
	Failed
	Lost // the log does not have the end
	Cut  // another ticket of a player began
)

// Formats of a log.
const (
	Tickets   = "tickets"
	FlexMatch = "flexmatch"
)

// MaxSkew is the most by which the clocks of the machines that wrote a log may differ, in
// milliseconds. A negative time up to it is 0.
const MaxSkew = 2000

// askAgain is the longest time, in milliseconds, between a cancelled search and another one of a player
// that may be the same wish to play.
const askAgain = 60_000

// Options control how a log is read. Every field must be set unless it says otherwise.
type Options struct {
	Format        string            // Tickets or FlexMatch; "" recognises each file
	Configuration string            // the only matchmaking configuration of FlexMatch to read; may be ""
	Names         map[string]string // names of columns in the files, by mmsim's names
	Ends          map[string]End    // words of the column end beyond the usual ones, in lower case
	Kinds         map[string]datasets.Kind
	Zone          *time.Location
	From, To      time.Time // first and last date of the window; zero for all whole days
	SessionGap    time.Duration
	AssumedLength []time.Duration // of matches by queue, if no match has an end
	Position      int             // hundredths of a degree to which positions are rounded: 1, 10 or 100
	MinMatches    int             // fewest finished matches

	// MaxBadRows and MaxBadShare are as in joinfile.Options.
	MaxBadRows  int
	MaxBadShare float64

	Datacenters []string // names of columns of measured RTTs; Measured.Datacenter of the day is an index into it

	// Datacenter reports whether a name is that of a datacenter or of a region.
	Datacenter func(name string) bool

	// Queues are the names of the queues that the log must tell for each ticket; nil for a single queue
	// of any name. The day then has the column ColumnQueue.
	Queues []string
}

// ColumnQueue is the column of the queues' names in files of tickets and in the day.
const ColumnQueue = "queue"

// Counts says what was read and what was left out. All counts are of the window except Events,
// Repeated, Tickets, Players, Reused, Cut, Skewed and WholeSeconds, which are of the whole log.
type Counts struct {
	Events, Repeated    int // of FlexMatch
	Tickets, Players    int
	Joins, Returns      int // players
	Parties             int // tickets that join
	Searches            int // tickets
	Lost, LeftEarly     int // tickets
	Cut, Skewed, Reused int
	BadRows, NoPlace    int // rows, and joining players
	Declined            int // tickets
	AskedAgain          int // tickets that were cancelled less than askAgain before another one of a player
	Finished            int // matches with an end
	Matches             int
	EndsAssumed         bool // no match has an end in the log
	WholeSeconds        bool // no search began or ended between two whole seconds
}

// Log is a log that was read.
type Log struct {
	Format   string
	From, To int64 // window, in milliseconds since 1970; To is not in it
	Days     int
	Last     int64 // instant of the last event
	Counts   Counts

	o           *Options
	datacenters []string // names in the log
	meanLength  int64    // of the matches with an end, in milliseconds

	tickets chunks[ticket]
	order   []uint32 // tickets in order of creation
	members []member // of the tickets, see ticket.first
	matches []match
	rows    *rows
}

// ticket is one search. Times are in milliseconds since 1970.
type ticket struct {
	id       uint64 // hash
	created  int64
	ended    int64  // or the last event, if it has no end
	match    uint32 // number of the match from 1, or 0
	first    uint32 // first member
	next     uint32 // number from 1 of another ticket with the same id, or 0
	size     uint16
	end      End
	queue    uint8 // index into Options.Queues
	returned bool  // a player of its match searched again within the gap
	isReturn bool  // this search came after a match
	early    bool  // it began before that match ended
	again    bool  // a player had cancelled a search shortly before
	pause    int32 // from the end of the match to the next search, if returned; negative if that began before
}

// member is a player of a ticket. row is the row with the player's place and attributes from 1, or 0.
// before is the match, from 1, from which the player came back to this ticket, or 0.
type member struct{ ticket, player, row, before uint32 }

// match is a match that was made. Times are in milliseconds since 1970, or 0 if they are unknown.
type match struct {
	made, ended int64
	datacenter  uint16 // number of its name from 1, or 0
	queue       uint8  // of its tickets
}

// A Search is a ticket of the window.
type Search struct {
	Waited   time.Duration // until the end, or until it is no longer known
	End      End
	Queue    int // index into Options.Queues
	Players  int
	Finished bool // its match ended, and the session gap after it ends in the log
	Returned bool // a player searched again within the gap
	Pause    time.Duration
}

// Searches calls yield with each search of the window, in order of time.
func (l *Log) Searches(yield func(*Search) bool) {
	gap := l.o.SessionGap.Milliseconds()
	for _, i := range l.order {
		t := l.tickets.at(i)
		if t.created < l.From || t.created >= l.To {
			continue
		}
		s := Search{Waited: millis(t.ended - t.created), End: t.end, Queue: int(t.queue), Players: int(t.size)}
		if t.match > 0 && t.end == Matched {
			end := l.endOf(t)
			s.Finished = end > 0 && end+gap <= l.Last
			s.Returned = s.Finished && t.returned
			s.Pause = millis(max(0, int64(t.pause)))
		}
		if !yield(&s) {
			return
		}
	}
}

// MatchLengths calls yield with the queue and the length of each finished match that was made in the
// window.
func (l *Log) MatchLengths(yield func(queue int, length time.Duration) bool) {
	for i := range l.matches {
		m := &l.matches[i]
		if m.ended > 0 && m.made >= l.From && m.made < l.To && !yield(int(m.queue), millis(m.ended-m.made)) {
			return
		}
	}
}

// LeftOut returns the names of the columns that the day does not have, because they name people or would
// mean something else there.
func (l *Log) LeftOut() []string { return l.rows.dropped }

// endOf returns the end of a ticket's match, or 0 if it is unknown.
func (l *Log) endOf(t *ticket) int64 {
	m := &l.matches[t.match-1]
	if m.ended == 0 && l.Counts.EndsAssumed {
		return m.made + l.o.AssumedLength[m.queue].Milliseconds()
	}
	return m.ended
}

func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }
