package roblox

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

// matchmakingTypes are the classes of players. Players share servers only within a class. The first
// is the default.
var matchmakingTypes = []string{"Default", "XboxOnly", "PlayStationOnly"}
