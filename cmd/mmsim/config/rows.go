package config

import (
	"fmt"

	"mmsim/datasets"
	"mmsim/reports/words"
)

// Values of dataset.rows, which says what a row of a file of joins is.
const (
	rowsAuto     = "auto"     // rowsSearches if the rows of the file repeat its players, see datasets.PlayerRows
	rowsSessions = "sessions" // a player joins, and after each match searches again by chance
	rowsSearches = "searches" // a player searches once; each further search is a row of its own
)

// rowsChosen describes the choice of rowsSearches for rowsAuto, for messages about other settings.
func rowsChosen(p datasets.PlayerRows) string {
	return fmt.Sprintf("%s, which is %s here because of %s rows per player and day", rowsAuto, rowsSearches, p.PerPlayerAndDay())
}

// RowsNote says what the rows were taken as, why, and how to change it. The rows of a season can be
// nothing but sessions.
func RowsNote(p datasets.PlayerRows, season bool) string {
	change := "if every row is a search, set dataset.rows=searches"
	if season {
		change = "if every row is a search, the file does not fit a season, in which a row is a person"
	}
	switch mean := p.PerPlayerAndDay() + " rows per player and day"; {
	case p.Repeat():
		return words.RowsTaken + "searches, because there are " + mean +
			": nobody plays again by chance, and players.play_again is 0; if a row is the start of a session, set dataset.rows=sessions"
	case p.Players == 0:
		return rowsAreSessions("there is no player_id", change)
	default:
		return rowsAreSessions("there are only "+mean, change)
	}
}

func rowsAreSessions(because, change string) string {
	return words.RowsTaken + "sessions, because " + because +
		": after each match, the player searches again by chance (players.play_again); " + change
}

// rowsMisfit says why another setting does not fit to rowsSearches. got is its value, and fit is its
// assignment that does. rows describes the value of dataset.rows.
func rowsMisfit(got any, rows, fit, why string) string {
	return fmt.Sprintf("got %v, but dataset.rows is %s: expected %s, or dataset.rows=%s if a row is the start of a session; %s", got, rows, fit, rowsSessions, why)
}
