package words

import "strings"

// MissingData is part of every warning about an attribute that the rules read and no player has.
const MissingData = "neither in the data nor in players.attributes"

// Misread begins every warning that many rows of a file may be read as what they are not.
const Misread = "check the data: "

// RowsTaken begins the note about what the rows of a file were taken as, if nobody said it.
const RowsTaken = "rows are taken as "

// IsNote reports whether a warning is a note about a choice that mmsim made, which may be right.
func IsNote(warning string) bool { return strings.Contains(warning, RowsTaken) }

// Alarms separates the warnings that readers must know before the numbers, notes included: rules act on
// attributes that no player has, or a file was perhaps read as what it is not.
func Alarms(warnings []string) (alarms, others []string) {
	for _, w := range warnings {
		if strings.Contains(w, MissingData) || strings.Contains(w, Misread) || IsNote(w) {
			alarms = append(alarms, w)
		} else {
			others = append(others, w)
		}
	}
	return alarms, others
}
