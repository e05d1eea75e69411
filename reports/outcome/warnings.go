package outcome

import "strings"

// MissingData is part of every warning about an attribute that the rules read and no player has.
const MissingData = "neither in the data nor in players.attributes"

// Alarms separates the warnings that readers must know before the numbers. The rules then act on
// attributes that no player has, so that the numbers are not those of the players.
func Alarms(warnings []string) (alarms, others []string) {
	for _, w := range warnings {
		if strings.Contains(w, MissingData) {
			alarms = append(alarms, w)
		} else {
			others = append(others, w)
		}
	}
	return alarms, others
}
