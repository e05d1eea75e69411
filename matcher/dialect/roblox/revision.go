package roblox

import (
	"strings"

	"mmsim/matcher"
	"mmsim/matcher/scoring"
)

// revisions are the revisions of the service's documentation that a configuration may name. The
// first one is the published page and the default.
var revisions = []string{"2025-04", "2025-12", "2026-08"}

// deltaRevision is the first revision in which Latency means the excess over the player's lowest
// RTT.
const deltaRevision = 2

// textChatRevision is the first revision with Text Chat.
const textChatRevision = 1

// absent is the weight of a signal that does not exist in a revision.
const absent = -1

// builtIn is one of the service's own signals.
type builtIn struct {
	label   string      // name on the dashboard
	api     string      // name in the API
	weights [3]float64  // default weight in each revision
	factor  float64     // normalizing factor; 0 for a ratio, which has none
	needs   playerValue // attribute that the signal reads
}

// builtIns are the service's own signals in the order of the documentation. The default
// configuration adds them in this order.
var builtIns = []builtIn{
	{label: "Friends", api: "PreferredPlayers", weights: [3]float64{10, 15, 15}},
	{label: "Latency", api: "Latency", weights: [3]float64{3, 3, 3}, factor: 250},
	{label: "Text Chat", api: "TextChat", weights: [3]float64{absent, 3, 3}, needs: textChatGroups},
	{label: "Occupancy", api: "Occupancy", weights: [3]float64{2, 2, 2}},
	// 4.6 is the decimal logarithm of the number of minutes in 28 days, truncated.
	{label: "Play History", api: "PlayHistory", weights: [3]float64{2, 2, 2}, factor: 4.6, needs: playHistory},
	{label: "Language", api: "Language", weights: [3]float64{1, 2, 2}, needs: language},
	{label: "Age", api: "Age", weights: [3]float64{1, 1, 1}, factor: 25, needs: age},
	{label: "Voice Chat", api: "VoiceChat", weights: [3]float64{1, 1, 1}, needs: voiceChat},
	{label: "Device Type", api: "DeviceType", weights: [3]float64{0, 0, 0}, needs: deviceType},
}

// deltaFactorMS is the normalizing factor of Latency from deltaRevision on.
const deltaFactorMS = 100

// normalize returns a name in lower case without spaces. Names are compared in this form.
func normalize(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "")) }

// builtInNamed returns the service's signal with a dashboard or API name, or nil if there is none.
func builtInNamed(name string) *builtIn {
	for i := range builtIns {
		if b := &builtIns[i]; normalize(name) == normalize(b.label) || normalize(name) == normalize(b.api) {
			return b
		}
	}
	return nil
}

// aliases returns the part of a message that says that two names mean the same signal. It returns
// "" if the signal has only one name.
func (b *builtIn) aliases() string {
	if normalize(b.label) == normalize(b.api) {
		return ""
	}
	return " (" + b.label + " and " + b.api + " are the same signal)"
}

// factorIn returns the normalizing factor of the signal in a revision.
func (b *builtIn) factorIn(revision int) float64 {
	if b.api == "Latency" && revision >= deltaRevision {
		return deltaFactorMS
	}
	return b.factor
}

// signal returns the signal for package scoring. column is that of builtIn.needs. scale is the
// normalizing factor, if there is one.
func (b *builtIn) signal(revision int, column matcher.Column, weight, scale float64) scoring.Signal {
	w := scoring.Weighted{Name: b.label, Weight: weight}
	switch b.api {
	case "PreferredPlayers":
		return &scoring.Acquaintance{Weighted: w}
	case "Occupancy":
		return &scoring.Occupancy{Weighted: w}
	case "Latency":
		return &scoring.NearRTT{Weighted: w, ScaleMS: scale, OverBest: revision >= deltaRevision}
	case "TextChat":
		return &scoring.PlayersOverlap{Weighted: w, Column: column}
	case "Age", "PlayHistory":
		return &scoring.PlayersNumber{Weighted: w, Column: column, Scale: scale, To: scoring.Reference{Column: column}}
	}
	return &scoring.PlayersShare{Weighted: w, Column: column}
}

// nearest returns a question for the end of a message about an unknown signal, such as "did you
// mean Friends?". It returns "" if more than a third of the letters differ.
func nearest(name string) string {
	best, fewest := "", 1+len(name)/3
	for _, b := range builtIns {
		for _, known := range []string{b.label, b.api} {
			if d := editDistance(normalize(name), normalize(known)); d < fewest {
				best, fewest = known, d
			}
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance returns the Levenshtein distance between two words.
func editDistance(a, b string) int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		diagonal := above[0]
		above[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = above[j+1]
			above[j+1] = min(replaced, above[j+1]+1, above[j]+1)
		}
	}
	return above[len(b)]
}
