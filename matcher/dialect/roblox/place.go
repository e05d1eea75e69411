package roblox

import (
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/scoring"
)

// Values of socialSlotType, which determines how a place keeps seats for friends.
const (
	slotsAutomatic = "Automatic"
	slotsEmpty     = "Empty"
	slotsCustom    = "Custom"
)

// place reads the settings of the place.
func (c *compiler) place(root *jsontree.Object) {
	o, ok := root.Object("place")
	if !ok {
		return
	}
	c.voiceOff = !o.BoolOr("voiceChatEnabled", true)
	c.config.MaxPlayers = int(o.NumberOr("maxPlayerCount", 0, jsontree.Limits{Least: 1, Most: scoring.MaxSeats, Whole: true}))
	c.slots(o)
	o.DoneStrict() // the place is in our format, also in an export
}

// slots reads the number of seats that are reserved for friends.
func (c *compiler) slots(o *jsontree.Object) {
	kind := o.OneOfOr("socialSlotType", "", slotsAutomatic, slotsEmpty, slotsCustom)
	if v, _ := o.Get("socialSlotType"); kind == slotsAutomatic {
		// Warn, because the service does not publish how many seats it reserves.
		o.Warnf(v, "socialSlotType", "the number of seats that Automatic keeps is not published, so mmsim keeps 0")
	}
	v, ok := o.Get("customSocialSlotsCount")
	switch {
	case !ok && kind == slotsCustom:
		o.Missing("customSocialSlotsCount", "the number of seats kept for friends")
	case !ok:
	case kind != slotsCustom:
		o.Warnf(v, "customSocialSlotsCount", "has no effect, because socialSlotType is not Custom")
	default:
		c.config.Scoring.KeptSeats = int(o.Number("customSocialSlotsCount", jsontree.Limits{Most: scoring.MaxSeats, Whole: true}))
	}
}

// weightInPlace returns the weight of a signal in this place. If voice chat is off there, the
// weight of Voice Chat is 0 regardless of the configuration.
func (c *compiler) weightInPlace(at jsontree.Value, b *builtIn, weight float64) float64 {
	if b.needs != voiceChat || !c.voiceOff || weight == 0 {
		return weight
	}
	c.problems.Warnf(at, "%s: voice chat is off in this place, so the weight of the signal is 0", b.label)
	return 0
}
