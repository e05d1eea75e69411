package reports

import (
	"fmt"

	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Setup is what a Collector must know of a run before it begins.
type Setup struct {
	Datacenters []Site
	Continents  []string // codes; Place.Continent is an index
	Countries   []string // codes; Place.Country is an index
	Places      []Place  // by sim.Player.Place
	Duration    sim.Duration
	Queues      []Queue         // by sim.Match.Queue
	Ideal       sim.RTT         // threshold of the state IDEAL
	Expand      sim.RTT         // threshold of the state EXPAND
	Limits      *outcome.Limits // of report.limits; nil: none. Without their classes
	Jitter      bool            // the RTT of a match differs from its estimate
	Attributes  []PlayerAttribute
	Servers     *ServersSetup // nil: players are matched, not placed
	Texts       []PlayerTexts
}

// Queue is what a Collector must know of a queue.
type Queue struct {
	Name      string
	MatchSize int      // players in a full match
	Rules     *Ruleset // nil: none
}

// Ruleset is what a Collector must know of the rules of a queue.
type Ruleset struct {
	Name, Dialect, Placement      string
	Follow                        string // see Rules
	ExpansionBasis, OptionalBasis string
	MinPlayers                    int      // of a match
	Rules                         []Rule   // by sim.Match.Relaxed and sim.Apart.ByRule
	Service                       *Service // nil: the vendor's service tells nothing of a queue
}

// Rule is a rule by its name, and how relaxed it is for those who have not waited.
type Rule struct {
	Name    string
	AtStart sim.Relaxed
}

// Service is what a vendor's service tells of a queue while it runs.
type Service struct {
	Window     sim.Duration // how far its times to match look back
	PlayersSee []string     // see QueueStatistics
}

// Site is a datacenter by name and position in degrees.
type Site struct {
	Name                string
	Latitude, Longitude float64
}

// Place is where players live: hundredths of a degree, rounded down.
type Place struct {
	Latitude, Longitude int16
	Continent           uint8  // index into Setup.Continents
	Country             uint16 // index into Setup.Countries
}

// PlayerAttribute is a number that players have: a column of the dataset, or one
// that is drawn for each. Numbers are finite, or NaN for a missing value.
type PlayerAttribute struct {
	Name  string
	Rules []string // those that look at it

	// Sample holds values of the rows of the dataset, from which deciles are cut.
	Sample []float64

	// Of returns the number of a player. Without it that is the one of the player's
	// row in Sample, which then has all rows; rows beyond the end have no value.
	Of func(*sim.Player) float64
}

// PlayerTexts is a text or a list of texts that players have and rules look at.
type PlayerTexts struct {
	Name  string
	Rules []string // those that look at it

	// Of returns the texts of a player, each as a number of its own, ascending; none:
	// the player has no value. The list is not kept, and may be handed out again.
	Of func(*sim.Player) []uint32
}

// hundredths is the number of position units in a degree.
const hundredths = 100

// cell returns the row and column of the place's cell of one degree, counted from
// the south-west. Latitude 90 belongs to the northernmost row, longitude 180 to the
// westernmost column: it is the meridian of -180.
func (p Place) cell() (row, column int) {
	row = min((int(p.Latitude)+90*hundredths)/hundredths, 179)
	column = (int(p.Longitude) + 180*hundredths) / hundredths % 360
	return row, column
}

// largestMatch returns the players in a full match of the queue that has the most.
func (s *Setup) largestMatch() int {
	largest := 0
	for _, q := range s.Queues {
		largest = max(largest, q.MatchSize)
	}
	return largest
}

// check panics when the setup contradicts itself: the caller made it from checked
// input, so this is a fault of the program.
func (s *Setup) check() {
	for i, p := range s.Places {
		if int(p.Continent) >= len(s.Continents) {
			panic(fmt.Sprintf("reports: place %d is on continent %d of %d", i, p.Continent, len(s.Continents)))
		}
		if int(p.Country) >= len(s.Countries) {
			panic(fmt.Sprintf("reports: place %d is in country %d of %d", i, p.Country, len(s.Countries)))
		}
	}
	if len(s.Queues) < 1 || s.Duration < 1 {
		panic(fmt.Sprintf("reports: %d queues, duration %d ms; want 1 or more", len(s.Queues), s.Duration))
	}
	for i, q := range s.Queues {
		if q.MatchSize < 1 {
			panic(fmt.Sprintf("reports: match size %d of queue %d, want 1 or more", q.MatchSize, i))
		}
	}
}
