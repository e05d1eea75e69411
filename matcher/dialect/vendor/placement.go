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
	// Seats is the capacity of a server that has no capacity of its own; 0: not specified.
	Seats() int
	// DefaultClass is the class of a player or server that has no class of its own.
	DefaultClass() matcher.Text
	// PlayerFields lists the attributes of players, except friends and IP addresses.
	PlayerFields() []Field
	// ServerFields lists the attributes of servers.
	ServerFields() []Field
	// Measured returns a scorer that also computes the measures of the service's analytics,
	// and the list of these measures.
	Measured() (*scoring.Scorer, []Measure, error)
	// NewServer returns the server to start for a player. It has the player's class and is in
	// the region with the player's lowest round-trip time.
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
	// Mock reads a server that is described by totals over its players instead of by a list of
	// players; see Mock. It adds attributes that the joining player lacks. It returns false
	// for other servers.
	Mock(what string, attributes jsontree.Value, joiner *Player, joinerID string) (*Mock, bool)
	Problems() *jsontree.Problems
}

// Mock is a server that is described by totals, such as the number of players with the joining
// player's language, instead of by a list of players.
type Mock struct {
	Players  []Player // generated, with these totals
	Capacity int      // seats; 0: not specified
	RTTMS    float64  // of the joining player; valid if HasRTT is set
	HasRTT   bool
}

// Field is an attribute of players or servers that a column of a data file can supply. Values
// converts the data of the column.
type Field struct {
	Name   string
	Kind   matcher.Kind // required kind of the data: IsNumber, IsText or IsSet
	Column matcher.Column
	// Class is set if the field is the class of a player. Column is not used then.
	Class bool
	// Declared is set if the rules declare the field and its default.
	Declared bool
	// Weighed is set if a signal with a weight above 0 reads this field of players.
	Weighed bool
	// Alternative is set if another field supplies the same value in another form. Messages
	// about missing data name only that other field.
	Alternative bool
	Values
}

// Values converts the data of a field. The caller puts "got " before the text of an error.
type Values interface {
	Absent() matcher.Value // for a player or server without data
	Number(x float64) (matcher.Value, error)
	Text(text string) (matcher.Value, error) // text is not empty
	Texts(list []string) matcher.Value
}

// MeasureKind is the kind of number that a measure gives.
type MeasureKind uint8

// The kinds of measures.
const (
	ShareMeasure      MeasureKind = iota // from 0 to 1
	DifferenceMeasure                    // 0 or more
	RTTMeasure                           // ms
	FriendMeasure                        // 1 if a preferred player is on the server, else 0
)

// Measure is one chart of the service's analytics.
type Measure struct {
	scoring.Measure
	Kind MeasureKind
}
