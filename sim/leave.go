package sim

// Leave describes who is missing from the matches of a queue. A ticket is absent, or leaves, as a
// whole.
type Leave struct {
	NoShow    float64    // chance that a ticket never appears in its match
	PerMinute float64    // chance per minute of play that a ticket leaves; below 1
	Notice    Duration   // time until the game sees an empty seat
	Then      AfterLeave // what happens to the match when the game sees it
	// EndWithin limits MatchEnds to seats that are seen empty up to this time of play.
	EndWithin Duration
}

// AfterLeave is what happens to a match in which a seat is empty.
type AfterLeave uint8

// What happens to a match in which a seat is empty.
const (
	MatchGoesOn  AfterLeave = iota // without taking more players
	MatchEnds                      // everybody who is still in it is interrupted
	MatchRefills                   // the match goes on, and the seat is free for other players; only if running matches take more tickets
)

func (l *Leave) validate() error {
	return firstFailure([]fieldCheck{
		{l.NoShow >= 0 && l.NoShow <= 1, "NoShow", l.NoShow, "0 to 1"},
		{l.PerMinute >= 0 && l.PerMinute < 1, "PerMinute", l.PerMinute, "0 or more and below 1"},
		{l.Notice >= 0, "Notice", l.Notice, "0 or more"},
		{l.EndWithin >= 0, "EndWithin", l.EndWithin, "0 or more"},
	})
}

// Seat is what becomes of a player in a match.
type Seat struct {
	// Left is the instant at which the player stops playing: the start of the match for a player who
	// does not appear, and its end for one who stays.
	Left   Instant
	Leaves bool // whether the player does not appear, or leaves before the match ends
	Dead   bool // whether the player's client was gone already during the search
	Refill bool // whether the player takes a seat that became empty in this match
}

// SeatOf returns what becomes of player i.
func (m *Match) SeatOf(i int) Seat {
	if m.Seats == nil {
		return Seat{Left: m.Ends}
	}
	return m.Seats[i]
}

// LeftAt returns the instant at which player i stops playing.
func (m *Match) LeftAt(i int) Instant { return m.SeatOf(i).Left }
