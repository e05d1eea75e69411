// Package setup describes a run to its observers before it begins. The observers are package
// collect, which counts, and package records, which writes a row per search.
package setup

import (
	"fmt"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Run describes a run to an observer before the run begins.
type Run struct {
	Datacenters []Datacenter
	Continents  []string // codes; Place.Continent is an index
	Countries   []string // codes; Place.Country is an index
	Places      []Place  // by sim.Player.Place
	Duration    sim.Duration
	Queues      []Queue         // by sim.Match.Queue
	Ideal       sim.RTT         // threshold of the state IDEAL
	Expand      sim.RTT         // threshold of the state EXPAND
	Limits      *outcome.Limits // limits of report.limits, without classes; nil: none
	Jitter      bool            // set if the RTT of a match differs from its estimate
	Attributes  []Attribute
	Servers     *Servers // nil: players are matched, not placed
	Texts       []Texts
}

// Queue describes a queue to an observer.
type Queue struct {
	Name      string
	MatchSize int      // players in a full match
	Asks      bool     // set if players are asked whether they want a match
	Rules     *Ruleset // nil: none
}

// Ruleset describes the rules of a queue to an observer.
type Ruleset struct {
	Name, Dialect, Placement      string
	Follow                        string // see outcome.Rules
	ExpansionBasis, OptionalBasis string
	MinPlayers                    int      // of a match
	Rules                         []Rule   // in the order of sim.Match.Relaxed and sim.Apart.ByRule
	Service                       *Service // nil: the vendor's service reports nothing
}

// Rule is the name of a rule, and its relaxation for a ticket that has not waited yet.
type Rule struct {
	Name    string
	AtStart sim.Relaxed
}

// Service describes the statistics that a vendor's service reports about a queue during the run.
type Service struct {
	Window     sim.Duration // the times to match cover the matches of the last Window
	PlayersSee []string     // see outcome.QueueStatistics
}

// Datacenter is the name of a datacenter and its position in degrees.
type Datacenter struct {
	Name                string
	Latitude, Longitude float64
}

// Place is a place where players live. Its position is in hundredths of a degree, rounded down.
type Place struct {
	Latitude, Longitude int16
	Continent           uint8  // index into Run.Continents
	Country             uint16 // index into Run.Countries
}

// Attribute is a numeric attribute of players: a column of the dataset, or a number that is drawn
// for each player. A value is finite, or NaN if it is missing.
type Attribute struct {
	Name  string
	Rules []string // names of the rules that use the attribute

	// Sample holds values of the rows of the dataset, from which deciles are cut.
	Sample []float64

	// Of returns the value of a player. If Of is nil, the value is that of the player's row in
	// Sample, which then has all rows; rows beyond the end have no value.
	Of func(*sim.Player) float64
}

// Texts is an attribute of players that rules use: a text or a list of texts.
type Texts struct {
	Name  string
	Rules []string // names of the rules that use the attribute

	// Of returns the texts of a player as numbers in ascending order, one number per distinct
	// text. An empty list means no value. The caller does not keep the list, so Of may reuse it.
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

// Servers describes the servers to an observer before the run.
type Servers struct {
	Revision string
	Capacity int
	Signals  []Signal  // in the order of sim.Placed.Won
	Measures []Measure // in the order of sim.Placed.Measures
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

// MeasureKind is the subject of a measure.
type MeasureKind uint8

// The kinds. If a join starts a server, only the last two kinds are counted.
const (
	OfServer MeasureKind = iota // the players on the server, or the server itself
	OfPing                      // RTT in ms
	OfFriend                    // 1 if an acquaintance of the joining player is there; counted as a share
)
