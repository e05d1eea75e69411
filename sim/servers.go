package sim

import (
	"fmt"
	"math"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// Servers is how players are placed: whoever joins goes at once to the running
// server with the highest score, or starts one in the datacenter of his lowest RTT.
// He stays for a session of his own length and does not return; a server ends when
// the last player leaves it.
//
// The members of a party are placed one after another, each seeing those before, and
// know each other. Who joins a server that is still starting waits for it with the
// player who started it.
type Servers struct {
	Scoring  *scoring.Scorer // its regions are the datacenters, by index
	Measures []scoring.Measure
	People   People
	// New returns the server that is started for a player, its Region and CreatedMS
	// aside. Capacity 1 or more.
	New     func(first *scoring.Joiner) scoring.Server
	Start   Duration // from the decision to start a server until it can be played on
	Session SessionLength
}

// People says who persons are. All of it is a pure function of the person.
type People interface {
	// Describe sets what scores look at but RTTs, which the slices of the last call
	// may be used for; sets are kept. It returns the class of servers, and false for
	// a person whom no score can be computed for: he is rejected.
	Describe(p *Person, player *matcher.Player) (class matcher.Text, ok bool)
	// Friends appends the rows of the persons of the same Copy whom p lists as
	// friends. It is enough if one of two lists the other.
	Friends(p *Person, rows []uint32) []uint32
	// Household returns a number that persons of the same Copy have in common who
	// know each other from home; 0: not known.
	Household(p *Person) uint32
	// Session returns how long the person stays; 0: as Servers.Session says.
	Session(p *Person) Duration
}

func (s *Servers) validate() error {
	if err := s.Scoring.Validate(); err != nil {
		return fmt.Errorf("Servers.Scoring: %w", err)
	}
	for i := range s.Measures {
		if n := s.Measures[i].Signal; n < 0 || n >= len(s.Scoring.Signals) {
			return fmt.Errorf("Servers.Measures[%d].Signal is %d, want below %d", i, n, len(s.Scoring.Signals))
		}
	}
	return firstMisfit([]fieldCheck{
		{s.Start >= 0, "Servers.Start", s.Start, "0 or more"},
		{s.Session.Scale > 0, "Servers.Session.Scale", s.Session.Scale, "above 0"},
		{s.Session.Kind != SessionWeibull || finite(s.Session.Shape) && s.Session.Shape > 0, "Servers.Session.Shape", s.Session.Shape, "above 0"},
		{s.Session.SD >= 0, "Servers.Session.SD", s.Session.SD, "0 or more"},
	})
}

// SessionKind is a distribution of lengths of sessions.
type SessionKind uint8

// The distributions, by what they make of Scale and the other fields.
const (
	SessionConstant    SessionKind = iota // always Scale
	SessionExponential                    // of mean Scale
	SessionLogNormal                      // of mean Scale and standard deviation SD
	SessionWeibull                        // of scale Scale; Shape below 1: many leave soon, few stay very long
)

// SessionLength is the distribution of how long players stay.
type SessionLength struct {
	Kind  SessionKind
	Scale Duration
	SD    Duration // log-normal
	Shape float64  // Weibull
}

// draw returns a random length of at least a millisecond, perhaps longer than any run.
func (l SessionLength) draw(s Stream, entity uint64) Duration {
	if l.Kind == SessionConstant {
		return l.Scale
	}
	if l.Kind == SessionLogNormal {
		return min(Length{Mean: l.Scale, SD: l.SD}.draw(s, entity, 0), sessionMax)
	}
	x := -math.Log1p(-s.Uniform(entity, 0)) // exponential of mean 1
	if l.Kind == SessionWeibull {
		x = math.Pow(x, 1/l.Shape)
	}
	return max(Millisecond, Duration(math.Round(min(x*float64(l.Scale), float64(sessionMax)))))
}

// sessionMax bounds the length of a session: instants stay far inside an int64.
const sessionMax = 1000 * Day

// ServerCount counts the servers that run at one instant.
type ServerCount struct {
	Running int // starting ones too
	Seats   int // of them all
	Taken   int // by players, those who wait for the start too
}

// ServerTotals are the facts of a run about its servers.
type ServerTotals struct {
	Opened int // inside the window
	Peak   int // most running at once
	// Time integrals over the window, in server- and seat-milliseconds.
	Time, SeatTime, TakenTime int64
}

func (t *ServerTotals) passTime(dt int64, c *ServerCount) {
	t.Time += dt * int64(c.Running)
	t.SeatTime += dt * int64(c.Seats)
	t.TakenTime += dt * int64(c.Taken)
}

// A PlacementObserver is an Observer that is also told why players were placed.
type PlacementObserver interface {
	Observer
	// Placed tells that a player was placed on a server, before Matched tells that
	// he plays there. The record is reused.
	Placed(p *Placed)
}

// Placed is a player who was placed on a server, and what spoke for it. What it says
// of the server is how it was just before.
type Placed struct {
	Player
	Queue      int // index into Config.Queues
	At         Instant
	Datacenter int
	Opened     bool      // the server was started for the player; there is no decision then
	Measures   []float64 // by Servers.Measures; NaN: nothing to measure

	Score    float64   // of the server
	Won      []float64 // what each signal added to it
	RunnerUp bool      // another server could have been joined; else there is no decision
	Lost     []float64 // what each signal added to the score of that
	Decision scoring.Decision
}
