package datasets

import (
	"slices"
	"strings"
)

// The column names with a meaning, besides rtt:<datacenter>.
const (
	ColumnTime          = "time"
	ColumnLatitude      = "latitude"
	ColumnLongitude     = "longitude"
	ColumnPlayer        = "player_id"
	ColumnParty         = "party_id"
	ColumnContinent     = "continent"
	ColumnCountry       = "country"
	ColumnSessionLength = "session_length" // seconds, above 0
	ColumnFriends       = "friends"        // list of values of player_id; either side listing the other counts
	ColumnIP            = "ip"             // text
	ColumnMeasured      = "rtt:"           // followed by the name of a datacenter
)

// ownColumns are the columns whose kind cannot be declared.
var ownColumns = []string{
	ColumnTime, ColumnLatitude, ColumnLongitude, ColumnPlayer, ColumnParty, ColumnContinent, ColumnCountry,
	ColumnSessionLength, ColumnFriends, ColumnIP,
}

// Declarable reports whether the kind of a column of that name can be declared. The kinds
// of mmsim's own columns are fixed.
func Declarable(name string) bool {
	return !slices.Contains(ownColumns, name) && !strings.HasPrefix(name, ColumnMeasured)
}

// Drawable reports whether an attribute of that name can be generated: an attribute of the
// player, as opposed to the time, place or party of the join.
func Drawable(name string) bool {
	return Declarable(name) || name == ColumnFriends || name == ColumnIP
}
