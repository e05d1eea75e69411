package vendor

import (
	"mmsim/matcher"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// Placement is implemented by compiled rules that place players on running servers one by one.
type Placement interface {
	Schema() *matcher.Schema
	Scorer() *scoring.Scorer
	// Revision returns the revision of the vendor's documentation that the rules follow.
	Revision() string
	// Seats returns the capacity of a server that does not specify one, or 0 if the rules do not
	// specify it either.
	Seats() int
	// DefaultClass returns the class of a player or server that does not specify one.
	DefaultClass() matcher.Text
	// PlayerFields lists the fields of players, except friends and IP addresses.
	PlayerFields() []Field
	// ServerFields lists the fields of servers.
	ServerFields() []Field
	// Measured returns a scorer that can also compute all measures, and the list of measures.
	Measured() (*scoring.Scorer, []Measure, error)
	// NewServer returns a new server for a player. It has the player's class and is in the region
	// with the player's lowest round-trip time.
	NewServer(first *Player) scoring.Server
	// Reader returns a reader for the players and servers of a scene.
	Reader() Reader
}

// Player holds the data of a player for rules that place players.
type Player struct {
	matcher.Player
	Class   matcher.Text // a player can join only servers of the same class
	Friends []string     // ids of players; two players are friends if either lists the other
	IP      string       // compared as text; "" is unknown and equals no other address
}

// Reader reads players and servers from their JSON attributes and records errors in Problems. The
// first parameter of each method is the name of the player or server in messages.
type Reader interface {
	Player(label string, attributes jsontree.Value) Player
	// Server reads a server. The parameter first is the player who joined first, or nil for an
	// empty server. The caller sets Sequence, CreatedMS, Region and Capacity.
	Server(label string, attributes jsontree.Value, first *Player) scoring.Server
	// Mock reads a server that is described by totals over its players instead of a list of
	// players, see Mock. If the joining player lacks attributes that the totals need, Mock sets
	// them. It returns false for other servers.
	Mock(label string, attributes jsontree.Value, joiner *Player, joinerID string) (*Mock, bool)
	Problems() *jsontree.Problems
}

// Mock is a server that is described by totals over its players, such as the number of players with
// the joining player's language, instead of a list of players.
type Mock struct {
	Players  []Player // generated players with the given totals
	Capacity int      // number of seats; 0 if not specified
	RTTMS    float64  // RTT of the joining player; valid if HasRTT is set
	HasRTT   bool
}

// Field is a player or server attribute whose values may come from a data column. Values converts
// the data of the column.
type Field struct {
	Name   string
	Kind   matcher.ValueKind // kind of data that the field needs: IsNumber, IsText or IsSet
	Column matcher.Column
	// Class is set if the field is the class of a player. Column is then not used.
	Class bool
	// Declared is set if the rules declare the field and its default.
	Declared bool
	// Weighed is set if a signal with a weight above 0 reads this field of players.
	Weighed bool
	// Alternative is set if another field supplies the same value in another form. Messages about
	// missing data name only the other field.
	Alternative bool
	Values
}

// Values converts the data of a field. The caller must put "got " in front of an error text.
type Values interface {
	Absent() matcher.Value // for a player or server without data
	Number(x float64) (matcher.Value, error)
	Text(text string) (matcher.Value, error) // text must not be empty
	Texts(list []string) matcher.Value
}

// MeasureKind is the kind of number that a measure returns.
type MeasureKind uint8

// Kinds of measures.
const (
	ShareMeasure      MeasureKind = iota // 0 to 1
	DifferenceMeasure                    // 0 or more
	RTTMeasure                           // ms
	FriendMeasure                        // 1 if a preferred player is on the server, otherwise 0
)

// Measure is a quantity that a scorer measures for each placed player. There is one for each chart
// of the service's analytics, and one for each custom signal.
type Measure struct {
	scoring.Measure
	Kind MeasureKind
}
