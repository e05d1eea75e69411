// Package rows has the values of the setting dataset.rows, which says what a row of a file of joins
// is, and the messages about them.
package rows

import (
	"fmt"

	"mmsim/datasets"
	"mmsim/reports/outcome"
)

// Values of dataset.rows.
const (
	Auto     = "auto"     // Searches if the rows of the file repeat its players, see datasets.PlayerRows
	Sessions = "sessions" // a player joins, and after each match searches again by chance
	Searches = "searches" // a player searches once; each further search is a row of its own
)

// Values lists the values. The first is the default.
var Values = []string{Auto, Sessions, Searches}

// Chosen describes the choice of Searches for Auto, for messages about other settings.
func Chosen(p datasets.PlayerRows) string {
	return fmt.Sprintf("%s, which is %s here because of %s rows per player and day", Auto, Searches, p.PerPlayerAndDay())
}

// Note says what the rows were taken as, why, and how to change it.
func Note(p datasets.PlayerRows) string {
	switch mean := p.PerPlayerAndDay() + " rows per player and day"; {
	case p.Repeat():
		return outcome.RowsTaken + "searches, because there are " + mean +
			": nobody plays again by chance, and players.play_again is 0; if a row is the start of a session, set dataset.rows=sessions"
	case p.Players == 0:
		return sessions("there is no player_id")
	default:
		return sessions("there are only " + mean)
	}
}

func sessions(because string) string {
	return outcome.RowsTaken + "sessions, because " + because +
		": after each match, the player searches again by chance (players.play_again); if every row is a search, set dataset.rows=searches"
}

// Misfit says why another setting does not fit to Searches. got is its value, and fit is its
// assignment that does. rows describes the value of dataset.rows.
func Misfit(got any, rows, fit, why string) string {
	return fmt.Sprintf("got %v, but dataset.rows is %s: expected %s, or dataset.rows=%s if a row is the start of a session; %s", got, rows, fit, Sessions, why)
}
