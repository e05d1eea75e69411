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
	// Revision is the revision of the vendor's documentation that the rules follow.
	Revision() string
	// Seats is the capacity of servers without one of their own; 0: not specified.
	Seats() int
	// DefaultClass is the class of players and servers without one of their own.
	DefaultClass() matcher.Text
	// PlayerFields lists the attributes of players, except friends and households.
	PlayerFields() []Field
	// ServerFields lists the attributes of servers.
	ServerFields() []Field
	// Measured returns a scorer that can be measured, and its measures.
	Measured() (*scoring.Scorer, []Measure, error)
	// NewServer returns the server to start for a player: in the region with the player's
	// lowest round-trip time, of the player's class.
	NewServer(first *Player) scoring.Server
	// Reader returns a reader for the players and servers of a scene.
	Reader() Reader
}

// Player holds the data of a player for rules that place players.
type Player struct {
	matcher.Player
	Class   matcher.Text // a player may join only servers of this class
	Friends []string     // ids of players; two players are friends if either lists the other
	IP      string       // compared as text; empty: not known, equal to no other
}

// Reader reads players and servers from their JSON attributes and records errors in Problems.
// The parameter what names the player or server in messages.
type Reader interface {
	Player(what string, attributes jsontree.Value) Player
	// Server reads a server. first is the player who joined first, nil for an empty server.
	// The caller sets Sequence, CreatedMS, Region and Capacity.
	Server(what string, attributes jsontree.Value, first *Player) scoring.Server
	// Mock reads a server that is described by totals over its players relative to one
	// joining player. It adds missing attributes to the joining player. It returns false for
	// other servers.
	Mock(what string, attributes jsontree.Value, joiner *Player, joinerID string) (*Mock, bool)
	Problems() *jsontree.Problems
}

// Mock is a server that is described by totals over its players, relative to the joining
// player.
type Mock struct {
	Players  []Player // players with these totals
	Capacity int      // seats; 0: not specified
	RTTMS    float64  // of the joining player
	Timed    bool     // RTTMS is given
}

// Field is an attribute of players or servers as a column of data: numbers, texts or lists.
// Values reads its values.
type Field struct {
	Name   string
	Kind   matcher.Kind // required kind of the data: IsNumber, IsText or IsSet
	Column matcher.Column
	// Class is set if the text of the field is the class of a player, which is in no column.
	Class bool
	// Declared is set if the rules declare the field, with a default.
	Declared bool
	// Weighed is set if a signal with a weight reads the field of players.
	Weighed bool
	// Alternative is set if the field is another form of a field that fills the same column.
	// A message about missing data names that other field.
	Alternative bool
	Values
}

// Values reads the data of a field. Errors complete "got …".
type Values interface {
	Absent() matcher.Value // the value of a player or server without one
	Number(x float64) (matcher.Value, error)
	Text(text string) (matcher.Value, error) // text is not empty
	Texts(list []string) matcher.Value
}

// MeasureKind is the quantity of a measure.
type MeasureKind uint8

// The kinds of measures.
const (
	ShareMeasure      MeasureKind = iota // from 0 to 1
	DifferenceMeasure                    // 0 or more
	RTTMeasure                           // ms
	FriendMeasure                        // whether a preferred player is on the server
)

// Measure is one chart of the service's analytics.
type Measure struct {
	scoring.Measure
	Kind MeasureKind
}
