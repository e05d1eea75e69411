// Package setup says what observers of a run must know before it begins: package collect,
// which counts, and package records, which writes a row per search.
package setup

import (
	"fmt"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Run is what an observer must know of a run before it begins.
type Run struct {
	Datacenters []Datacenter
	Continents  []string // codes; Place.Continent is an index
	Countries   []string // codes; Place.Country is an index
	Places      []Place  // by sim.Player.Place
	Duration    sim.Duration
	Queues      []Queue         // by sim.Match.Queue
	Ideal       sim.RTT         // threshold of the state IDEAL
	Expand      sim.RTT         // threshold of the state EXPAND
	Limits      *outcome.Limits // of report.limits, without their classes; nil: none
	Jitter      bool            // the RTT of a match differs from its estimate
	Attributes  []Attribute
	Servers     *Servers // nil: players are matched, not placed
	Texts       []Texts
}

// Queue is what an observer must know of a queue.
type Queue struct {
	Name      string
	MatchSize int      // players in a full match
	Asks      bool     // players are asked whether they want a match
	Rules     *Ruleset // nil: none
}

// Ruleset is what an observer must know of the rules of a queue.
type Ruleset struct {
	Name, Dialect, Placement      string
	Follow                        string // see outcome.Rules
	ExpansionBasis, OptionalBasis string
	MinPlayers                    int      // of a match
	Rules                         []Rule   // by sim.Match.Relaxed and sim.Apart.ByRule
	Service                       *Service // nil: the vendor's service reports nothing of a queue
}

// Rule is a rule by its name, and how relaxed it is for a ticket that has not waited.
type Rule struct {
	Name    string
	AtStart sim.Relaxed
}

// Service is what a vendor's service reports of a queue while it runs.
type Service struct {
	Window     sim.Duration // its times to match are of the matches of this span
	PlayersSee []string     // see outcome.QueueStatistics
}

// Datacenter is a datacenter by name and position in degrees.
type Datacenter struct {
	Name                string
	Latitude, Longitude float64
}

// Place is where players live: hundredths of a degree, rounded down.
type Place struct {
	Latitude, Longitude int16
	Continent           uint8  // index into Run.Continents
	Country             uint16 // index into Run.Countries
}

// Attribute is a number that players have: a column of the dataset, or one that is
// drawn for each player. Numbers are finite, or NaN for a missing value.
type Attribute struct {
	Name  string
	Rules []string // that use it

	// Sample holds values of the rows of the dataset, from which deciles are cut.
	Sample []float64

	// Of returns the number of a player. If it is nil, the number is that of the player's
	// row in Sample, which then has all rows; rows beyond the end have no value.
	Of func(*sim.Player) float64
}

// Texts is a text or a list of texts that players have and rules use.
type Texts struct {
	Name  string
	Rules []string // that use it

	// Of returns the texts of a player in ascending order, each as a number that stands
	// for it; an empty list means no value. The caller does not keep the list, so it may be
	// reused.
	Of func(*sim.Player) []uint32
}

// hundredths is the number of position units in a degree.
const hundredths = 100

// Cell returns the row and column of the place's cell of one degree, counted from
// the south-west. Latitude 90 belongs to the northernmost row, longitude 180 to the
// westernmost column: it is the meridian of -180.
func (p Place) Cell() (row, column int) {
	row = min((int(p.Latitude)+90*hundredths)/hundredths, 179)
	column = (int(p.Longitude) + 180*hundredths) / hundredths % 360
	return row, column
}

// LargestMatch returns the largest number of players in a full match of any queue.
func (s *Run) LargestMatch() int {
	largest := 0
	for _, q := range s.Queues {
		largest = max(largest, q.MatchSize)
	}
	return largest
}

// Check panics if the setup contradicts itself: the caller made it from checked input,
// so a contradiction is a fault of the program.
func (s *Run) Check() {
	for i, p := range s.Places {
		if int(p.Continent) >= len(s.Continents) {
			panic(fmt.Sprintf("setup: place %d is on continent %d of %d", i, p.Continent, len(s.Continents)))
		}
		if int(p.Country) >= len(s.Countries) {
			panic(fmt.Sprintf("setup: place %d is in country %d of %d", i, p.Country, len(s.Countries)))
		}
	}
	if len(s.Queues) < 1 || s.Duration < 1 {
		panic(fmt.Sprintf("setup: %d queues, duration %d ms; want 1 or more", len(s.Queues), s.Duration))
	}
	for i, q := range s.Queues {
		if q.MatchSize < 1 {
			panic(fmt.Sprintf("setup: match size %d of queue %d, want 1 or more", q.MatchSize, i))
		}
	}
}

// Servers is what an observer must know of servers before the run.
type Servers struct {
	Revision string
	Capacity int
	Signals  []Signal  // by place in sim.Placed.Won
	Measures []Measure // by place in sim.Placed.Measures
}

// Signal is a signal of a score.
type Signal struct {
	Name   string
	Weight float64
}

// Measure is a measure of placements.
type Measure struct {
	Name string
	Kind MeasureKind
}

// MeasureKind says what a measure is about.
type MeasureKind uint8

// The kinds. For a join that starts a server only the last two are counted.
const (
	OfServer MeasureKind = iota // the players on the server, or the server itself
	OfPing                      // RTT in ms
	OfFriend                    // 1 if a player that the joining player knows is there; counted as a share
)
