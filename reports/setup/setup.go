// Package setup describes a run to its observers before it begins. The observers are package
// collect, which counts events, and package records, which writes a row per search.
package setup

import (
	"fmt"
	"slices"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Run has what observers must know about a run before it begins.
type Run struct {
	outcome.Facts
	Datacenters []Datacenter // indexed by sim.Match.Datacenter
	Continents  []string     // codes, indexed by Place.Continent
	Countries   []string     // codes, indexed by Place.Country
	Places      []Place      // indexed by sim.Player.Place
	Duration    sim.Duration
	TimeZone    string          // see outcome.Run
	UTCOffset   sim.Duration    // see outcome.Run
	Queues      []Queue         // indexed by sim.Match.Queue
	Ideal       sim.RTT         // threshold of the state IDEAL
	Expand      sim.RTT         // threshold of the state EXPAND
	Limits      *outcome.Limits // from report.limits, with empty Classes; nil if it sets none
	Season      bool            // whether persons come back day after day, and matches have results; see sim.Season
	Attributes  []Attribute
	Servers     *Servers // nil if players are matched and not placed on servers
	Texts       []Texts
	Events      []Event // in the order of sim.Totals.Events
	// Around has the events of runs that this one is compared with. Minutes around them are described as
	// those around Events.
	Around []Span
}

// Span is the time from From to just before Until.
type Span struct{ From, Until sim.Instant }

// Event is an event of a run.
type Event struct {
	From, Until sim.Instant
	Outage      uint64 // datacenters that cannot be used, as bits of their indexes
	Action      string // what happens, such as "frankfurt down 30 min (kill)"
}

// EventSpans returns the times of Events and Around.
func (r *Run) EventSpans() []Span {
	spans := slices.Clone(r.Around)
	for i := range r.Events {
		spans = append(spans, Span{r.Events[i].From, r.Events[i].Until})
	}
	return spans
}

// Queue describes one queue of a run.
type Queue struct {
	Name      string
	MatchSize int      // players in a full match
	Asks      bool     // whether players must accept a match
	Refills   bool     // whether other players take the seats of those who left a match
	Rules     *Ruleset // nil if the queue has no ruleset
	Steps     []Step   // states first, then rules, each in the order of their time; the first step of each is at 0
}

// A Step is what opens for a player who has waited for a time: a state, or the next stage of rules.
type Step struct {
	After sim.Duration
	Opens string
	State sim.State // StateNew for a step of rules
}

// Ruleset describes the rules of a queue.
type Ruleset struct {
	Name, Dialect, Placement      string
	Follow                        string // see outcome.Rules
	ExpansionBasis, OptionalBasis string
	MinPlayers                    int      // minimum number of players in a match
	Rules                         []Rule   // in the order of sim.Match.Relaxed and sim.Apart.ByRule
	Service                       *Service // nil if the vendor's service reports no statistics
}

// Rule has the name of a rule and its relaxation for a ticket that has not waited yet.
type Rule struct {
	Name    string
	AtStart sim.Relaxed
}

// Service describes the statistics that a vendor's service reports about a queue during the run.
type Service struct {
	Window     sim.Duration // length of the period that the times to match cover
	PlayersSee []string     // keys of the statistics that players see; see outcome.QueueStatistics
}

// Datacenter is a datacenter and its position in degrees.
type Datacenter struct {
	Name                string
	Latitude, Longitude float64
	Unused              bool // whether it takes no part; results do not list it
}

// Used returns the datacenters that take part.
func (r *Run) Used() []Datacenter {
	return slices.DeleteFunc(slices.Clone(r.Datacenters), func(d Datacenter) bool { return d.Unused })
}

// Down returns the names of datacenters from the bits of their indexes.
func (r *Run) Down(set uint64) (names []string) {
	for i := range r.Datacenters {
		if set>>i&1 == 1 {
			names = append(names, r.Datacenters[i].Name)
		}
	}
	return names
}

// Place is a place where players live. Its position is in hundredths of a degree, rounded down.
type Place struct {
	Latitude, Longitude int16
	Continent           uint8  // index into Run.Continents
	Country             uint16 // index into Run.Countries
}

// Attribute is a numeric attribute of players: a column of the dataset, or a number that is drawn
// for each player. Its values are finite, or NaN for a player who has none.
type Attribute struct {
	Name  string
	Rules []string // names of the rules that use the attribute

	// Sample has values from rows of the dataset. The limits of the deciles are computed from it.
	Sample []float64

	// Of returns a player's value. If Of is nil, Sample is indexed by the row of the dataset from
	// which a player was created. A player whose row is beyond the end of Sample has no value.
	Of func(*sim.Player) float64
}

// Texts is an attribute of players that is a text or a list of texts and that rules use.
type Texts struct {
	Name  string
	Rules []string // names of the rules that use the attribute

	// Of returns a player's texts as distinct numbers in ascending order, one for each text. The
	// list is empty if the player has no value. Of may reuse it, because the caller does not keep
	// it.
	Of func(*sim.Player) []uint32
}

// hundredths is the number of units of Place.Latitude and Place.Longitude in a degree.
const hundredths = 100

// Cell returns the row and the column of the one-degree cell that contains the place, counted
// from the south-west. Latitude 90 is in the northernmost row. Longitude 180 is the same meridian
// as -180, so it is in the westernmost column.
func (p Place) Cell() (row, column int) {
	row = min((int(p.Latitude)+90*hundredths)/hundredths, 179)
	column = (int(p.Longitude) + 180*hundredths) / hundredths % 360
	return row, column
}

// Check panics if the setup contradicts itself. That would be a bug: the caller makes the setup
// from input that was checked.
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

// Servers describes the servers that players are placed on.
type Servers struct {
	Revision string
	Capacity int
	Signals  []Signal  // in the order of sim.Placed.Contributions
	Measures []Measure // in the order of sim.Placed.Measures
}

// Signal is a signal of the score by which a server is chosen.
type Signal struct {
	Name   string
	Weight float64
}

// Measure is a number that is recorded for each placement of a player on a server.
type Measure struct {
	Name string
	Kind MeasureKind
}

// MeasureKind says what a measure describes.
type MeasureKind uint8

// The kinds of measures. If a join starts a server, only OfPing and OfFriend are counted.
const (
	OfServer MeasureKind = iota // the server, or the players on it
	OfPing                      // RTT in ms
	OfFriend                    // 1 if a friend or a player of the same household is on the server; counted as a share of joins
)
