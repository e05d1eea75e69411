package config

import (
	"fmt"
	"math"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
	"mmsim/reports/words"
)

// columnName reads the name of a column, which may be empty.
func columnName(key yamltree.Node) (string, error) {
	if !value.Printable(key.Text) {
		return "", fmt.Errorf("%s, which has characters that do not print", key)
	}
	return key.Text, nil
}

// columnNames returns the setting that maps mmsim's column names to the column names in the
// file.
func columnNames(p *map[string]string) value.Value {
	return value.MapOf(p, "a mapping of mmsim's column names to the names in the file", columnName, func(name *string) value.Value {
		v := value.Text(name)
		v.Expects = "the name of a column in the file"
		return v
	})
}

// badRows returns the setting for the number of malformed rows to skip, or their share.
func badRows(number *int, share *float64) value.Value {
	v := value.CountOrShare(number, share, math.MaxInt32, value.Limits{High: 1})
	v.Expects += ", or a share up to 100% such as 0.1%"
	return v
}

// timeZone returns the setting for the name of a time zone.
func timeZone(p *string) value.Value {
	schema := func() value.Schema { return value.NullableSchema(value.ScalarSchema()) }
	return value.Scalar(p, joinfile.ZoneExpected, schema, func(n yamltree.Node) (string, bool) {
		_, err := joinfile.ParseZone(n.Text)
		return n.Text, err == nil && n.Kind <= yamltree.Text
	})
}

// kinds returns the setting that maps column names to the kind of their values.
func kinds(p *map[string]string) value.Value {
	return value.MapOf(p, "a mapping of column names to text, list or number", func(key yamltree.Node) (string, error) {
		if !datasets.Declarable(key.Text) {
			return "", fmt.Errorf("%s, whose kind is fixed", key)
		}
		return columnName(key)
	}, func(kind *string) value.Value { return value.Choice(kind, []string{"text", "list", "number"}) })
}

// Values of dataset.rows, which says what a row of a file of joins is.
const (
	rowsAuto     = "auto"     // rowsSearches if the rows of the file repeat its players, see datasets.PlayerRows
	rowsSessions = "sessions" // a player joins, and after each match searches again by chance
	rowsSearches = "searches" // a player searches once; each further search is a row of its own
)

// RowsNote says what the rows were taken as, why, and how to change it. The rows of a season can be
// nothing but sessions.
func RowsNote(p datasets.PlayerRows, season bool) string {
	mean := p.PerPlayerAndDay() + " rows per player and day"
	because, change := "there are only "+mean, "if every row is a search, set dataset.rows=searches"
	if p.Players == 0 {
		because = "there is no player_id"
	}
	if season {
		change = "if every row is a search, the file does not fit a season, in which a row is a person"
	}
	if p.Repeat() {
		return words.RowsTaken + "searches, because there are " + mean +
			": nobody plays again by chance, and players.play_again is 0; if a row is the start of a session, set dataset.rows=sessions"
	}
	return words.RowsTaken + "sessions, because " + because +
		": after each match, the player searches again by chance (players.play_again); " + change
}

// rowsMisfit says why another setting does not fit to rowsSearches. got is its value, and fit is its
// assignment that does. rows describes the value of dataset.rows.
func rowsMisfit(got any, rows, fit, why string) string {
	return fmt.Sprintf("got %v, but dataset.rows is %s: expected %s, or dataset.rows=%s if a row is the start of a session; %s", got, rows, fit, rowsSessions, why)
}
