package datasets

import (
	"slices"
	"strings"
)

// The column names that mean something; rtt:<datacenter> is the other one.
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

// Declarable reports whether the kind of a column of that name can be declared. That
// of our own columns is settled.
func Declarable(name string) bool {
	return !slices.Contains(ownColumns, name) && !strings.HasPrefix(name, ColumnMeasured)
}

// Drawable reports whether an attribute of that name can be generated: one that
// says something about a player, and not when, where or with whom the row joins.
func Drawable(name string) bool {
	return Declarable(name) || name == ColumnFriends || name == ColumnIP
}
