package calibrate

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/estimate"
	"mmsim/reports/words"
)

// Keys of the settings that are estimated.
const (
	keyPlayAgain = "players.play_again"
	keyBetween   = "players.between_matches"
	keyLength    = "match.length.mean"
	keyLengthSD  = "match.length.sd"
	keyGiveUp    = "players.give_up_after"
	keyPatience  = "players.patience"
)

// playAgainMax is the highest players.play_again that is written: with 1, nobody would ever leave.
const playAgainMax = 0.9999

// prodOf returns the configuration with the day and the estimated settings. dayName is the day's
// absolute name, or "" to keep the joins of the configuration.
func prodOf(base *config.Config, o *options, l *ticketlog.Log, f *fitted, dayName string) *config.Config {
	c := *base
	if dayName != "" {
		c.Dataset = config.Default().Dataset
		c.Dataset.File, c.Dataset.Rows, c.Dataset.TimeZone = dayName, "sessions", o.zone
		c.Dataset.Resample, c.Dataset.Spread = base.Dataset.Resample, base.Dataset.Spread
		for name, kind := range l.Kinds() {
			c.Dataset.Columns[name] = kind.String()
		}
		c.Clock.Duration = time.Duration(l.Days) * 24 * time.Hour
	}
	if f.playAgain != nil {
		c.Players.PlayAgain = min(rounded(f.playAgain.Value, 5), playAgainMax)
	}
	if f.between != nil {
		c.Players.BetweenMatches = seconds(f.between.Value)
	}
	if f.length != nil {
		c.Match.Length, c.Match.LengthSD = max(time.Millisecond, seconds(f.length.Value)), seconds(f.lengthSD.Value)
	}
	if f.giveUp != nil {
		c.Players.GiveUpAfter = max(c.Clock.Tick, seconds(f.giveUp.Value).Truncate(c.Clock.Tick))
	}
	c.Players.Patience = nil
	for _, e := range f.patience {
		c.Players.Patience = append(c.Players.Patience, section.PatienceStep{Wait: seconds(e.At), Share: e.Share})
	}
	return &c
}

// prodText returns the text of prodFile, in which each estimated setting has a comment. File names are
// relative to folder.
func prodText(c *config.Config, f *fitted, folder string) ([]byte, error) {
	text, err := c.Resolved(folder)
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	add := func(key string, e *estimate.Estimate, unit, one, many, more string) {
		if e != nil {
			comments[key] = estimated(e, unit) + ", of " + counted(e.N, one, many) + more
		}
	}
	assumed := ""
	if f.assumed {
		assumed = ", whose ends are assumed"
	}
	add(keyPlayAgain, f.playAgain, "", "ticket of a finished match", "tickets of finished matches", assumed)
	add(keyBetween, f.between, " s", "return", "returns", assumed)
	add(keyLength, f.length, " s", "match", "matches", "")
	add(keyLengthSD, f.lengthSD, " s", "match", "matches", "")
	add(keyGiveUp, f.giveUp, " s", "expired ticket", "expired tickets", " (median, down to a tick)")
	if len(f.patience) > 0 {
		comments[keyPatience] = fmt.Sprintf("estimated by Kaplan and Meier from %s, of which %s cancelled; calibration.json has the intervals",
			counted(f.searches, "search", "searches"), wasOrWere(f.cancelled))
	}
	return commented(text, comments), nil
}

// estimated describes an estimate with its interval.
func estimated(e *estimate.Estimate, unit string) string {
	decimals := 3
	if unit == "" {
		decimals = 4
	}
	return fmt.Sprintf("estimated %.*f%s (95 %%: %.*f to %.*f)", decimals, e.Value, unit, decimals, e.Low, decimals, e.High)
}

// wasOrWere returns a number with its verb.
func wasOrWere(n int) string {
	if n == 1 {
		return "1 was"
	}
	return words.Thousands(n) + " were"
}

// counted returns a number with a noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return words.Thousands(n) + " " + many
}

// commented inserts a comment above each setting that has one. comments are by the key of the setting.
func commented(text []byte, comments map[string]string) []byte {
	var b bytes.Buffer
	var path []string
	for line := range strings.Lines(string(text)) {
		name := strings.TrimLeft(line, " ")
		indent := len(line) - len(name)
		if key, _, ok := strings.Cut(name, ":"); ok && indent%2 == 0 && indent/2 <= len(path) {
			path = append(path[:indent/2], key)
			if comment, ok := comments[strings.Join(path, ".")]; ok {
				fmt.Fprintf(&b, "%*s# %s\n", indent, "", comment)
			}
		}
		b.WriteString(line)
	}
	return b.Bytes()
}
