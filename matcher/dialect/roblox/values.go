package roblox

// playerValue is a built-in attribute of players that signals read.
type playerValue int

// The attributes of players. age is 0, so it is also the value of builtIn.needs of signals that
// read no attribute; they do not use it.
const (
	age playerValue = iota
	playHistory
	language
	deviceType
	voiceChat
	textChatGroups
	playerValues // number of attributes
)

var playerValueNames = [playerValues]string{"age", "playHistory", "language", "deviceType", "voiceChat", "textChatGroups"}

// The classes of players who share servers; Default is the default.
var matchmakingTypes = []string{"Default", "XboxOnly", "PlayStationOnly"}
