package vendor

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// Placement is compiled rules that place players on running servers, one by one.
type Placement interface {
	Schema() *matcher.Schema
	Scorer() *scoring.Scorer
	// Revision names the revision of the vendor's documents that the rules follow.
	Revision() string
	// Seats is the capacity of a server that says none; 0: the rules do not say.
	Seats() int
	// DefaultClass is the class of players and servers that name none.
	DefaultClass() matcher.Text
	// PlayerFields lists what the rules know of players, without friends and households.
	PlayerFields() []Field
	// ServerFields lists the attributes that servers have.
	ServerFields() []Field
	// Measured returns the scorer in a form that can be measured, and what to measure.
	Measured() (*scoring.Scorer, []Measure, error)
	// NewServer returns the server that is started for a player: in the region of the
	// player's lowest round-trip time, with the player's class.
	NewServer(first *Player) scoring.Server
	// Reader returns a reader for the players and servers of a scene.
	Reader() Reader
}

// Player is one player as rules that place players look at it.
type Player struct {
	matcher.Player
	Class   matcher.Text // servers take players of their own class only
	Friends []string     // ids of players; it is enough if one of two lists the other
	IP      string       // compared as text; empty: not known, which equals nothing
}

// Reader reads players and servers out of their attributes as JSON. It records what
// is wrong in Problems; what names the player or server in messages.
type Reader interface {
	Player(what string, attributes jsontree.Value) Player
	// Server reads a server. first is the player who came first, nil when nobody plays
	// there. Sequence, CreatedMS, Region and Capacity are left to the caller.
	Server(what string, attributes jsontree.Value, first *Player) scoring.Server
	// Mock reads a server that is described by what its players add up to, as seen by
	// one joining player; false when it is not. It completes the joining player.
	Mock(what string, attributes jsontree.Value, joiner *Player, joinerID string) (*Mock, bool)
	Problems() *jsontree.Problems
}

// Mock is a server that is described by what its players add up to, relative to the
// joining player.
type Mock struct {
	Players  []Player // that add up to the description
	Capacity int      // seats; 0: not said
	RTTMS    float64  // of the joining player
	Timed    bool     // RTTMS is there
}

// Field is an attribute of players or servers as data in columns has it: numbers,
// texts or lists. Its values are read by Values.
type Field struct {
	Name   string
	Kind   matcher.Kind // IsNumber, IsText or IsSet: what the data must have
	Column matcher.Column
	// Class tells that the text of the field is the class of a player; no column has it.
	Class bool
	// Declared tells that the rules themselves declare the field, with a default.
	Declared bool
	// Weighed tells that a signal with a weight looks at the field in players.
	Weighed bool
	// Alternative tells that the field only stands for another one in data, which
	// fills the same column; a message about missing data names the other one.
	Alternative bool
	Values
}

// Values reads the data of a field. Errors complete "got …".
type Values interface {
	Absent() matcher.Value // of a player or server that has none
	Number(x float64) (matcher.Value, error)
	Text(text string) (matcher.Value, error) // of a text that is not empty
	Texts(list []string) matcher.Value
}

// MeasureKind is what a measure is about.
type MeasureKind uint8

// The kinds of measures.
const (
	ShareMeasure      MeasureKind = iota // from 0 to 1
	DifferenceMeasure                    // 0 or more
	RTTMeasure                           // ms
	FriendMeasure                        // whether a preferred player is there
)

// Measure is one chart of the service's analytics.
type Measure struct {
	scoring.Measure
	Kind MeasureKind
}
