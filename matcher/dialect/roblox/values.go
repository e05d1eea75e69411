package roblox

import "mmsim/matcher"

// playerValue is a built-in attribute of players that signals read.
type playerValue int

// These are the built-in attributes of players. age is 0, so it is also the value of builtIn.needs
// for signals that read no attribute. Those signals do not use builtIn.needs.
const (
	age playerValue = iota
	playHistory
	language
	deviceType
	voiceChat
	textChatGroups
	playerValues // number of built-in attributes
)

var playerValueNames = [playerValues]string{"age", "playHistory", "language", "deviceType", "voiceChat", "textChatGroups"}

// playMinutes is an attribute that data may contain instead of playHistory. Both have the same column.
const playMinutes = "playMinutes28d"

// builtInAttributes returns the built-in attributes of players by playerValue, and then playMinutes.
func builtInAttributes(schema *matcher.Schema) (all []*Attribute) {
	for v, kind := range [playerValues]DataType{age: Number, playHistory: Number, language: String, deviceType: String, voiceChat: Bool, textChatGroups: list} {
		name := playerValueNames[v]
		all = append(all, &Attribute{Name: name, Type: kind, Column: schema.Column(playerColumn(name)), builtIn: true})
	}
	return append(all, &Attribute{Name: playMinutes, Type: Number, Column: all[playHistory].Column, builtIn: true})
}

// column returns the column of a built-in attribute.
func (c *Config) column(v playerValue) matcher.Column { return c.builtIn[v].Column }

// matchmakingTypes are the classes of players. Players share servers only within a class. The first
// is the default.
var matchmakingTypes = []string{"Default", "XboxOnly", "PlayStationOnly"}
