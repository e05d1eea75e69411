package datasets

import (
	"slices"
	"strings"
)

// Names of columns with a special meaning.
const (
	ColumnTime          = "time"
	ColumnLatitude      = "latitude"
	ColumnLongitude     = "longitude"
	ColumnPlayer        = "player_id"
	ColumnParty         = "party_id"
	ColumnContinent     = "continent"
	ColumnCountry       = "country"
	ColumnSessionLength = "session_length" // in seconds, above 0
	ColumnFriends       = "friends"        // list of player_id values; two players are friends if either lists the other
	ColumnIP            = "ip"             // text
	ColumnMeasured      = "rtt:"           // prefix, followed by the name of a datacenter
)

// ownColumns are the columns whose kind cannot be declared, because it is fixed.
var ownColumns = []string{
	ColumnTime, ColumnLatitude, ColumnLongitude, ColumnPlayer, ColumnParty, ColumnContinent, ColumnCountry,
	ColumnSessionLength, ColumnFriends, ColumnIP,
}

// Declarable reports whether a configuration can declare the kind of a column with this name. The
// kinds of mmsim's own columns are fixed.
func Declarable(name string) bool {
	return !slices.Contains(ownColumns, name) && !strings.HasPrefix(name, ColumnMeasured)
}

// Drawable reports whether an attribute with this name can be generated. Attributes of the player
// can, but not the time, the place or the party of a join.
func Drawable(name string) bool {
	return Declarable(name) || name == ColumnFriends || name == ColumnIP
}
