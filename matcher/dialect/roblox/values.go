package roblox

// playerValue is an attribute that every player may have and signals look at.
type playerValue int

// The attributes of players. The first is the zero value, which signals that look
// at none carry too.
const (
	age playerValue = iota
	playHistory
	language
	deviceType
	voiceChat
	textChatGroups
	playerValues // how many there are
)

var playerValueNames = [playerValues]string{"age", "playHistory", "language", "deviceType", "voiceChat", "textChatGroups"}

// The classes of players who share servers, Default where nothing is said.
var matchmakingTypes = []string{"Default", "XboxOnly", "PlayStationOnly"}
