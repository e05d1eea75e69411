package calibrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"mmsim/cmd/mmsim/config"
	"mmsim/datasets/ticketlog"
	"mmsim/reports/estimate"
	"mmsim/reports/words"
	"mmsim/sim"
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
		c.Dataset.Builtin = base.Dataset.Builtin // not used; as the reader knows it
		c.Dataset.File, c.Dataset.Rows, c.Dataset.TimeZone = dayName, "sessions", o.zone
		c.Dataset.Resample, c.Dataset.Spread = base.Dataset.Resample, base.Dataset.Spread
		for name, kind := range l.Kinds() {
			c.Dataset.Columns[name] = kind.String()
		}
		c.Clock.Duration = time.Duration(l.Days) * 24 * time.Hour
	}
	c.Queues = slices.Clone(base.Queues)
	if f.playAgain != nil {
		c.Players.PlayAgain = min(rounded(f.playAgain.Value, 5), playAgainMax)
	}
	if f.between != nil {
		c.Players.BetweenMatches = seconds(f.between.Value)
	}
	setLength(&c.Match, f)
	for i := range c.Queues {
		q := &c.Queues[i]
		if len(f.queues) == 0 {
			setLength(&q.Match, f)
			continue
		}
		setLength(&q.Match, f.queues[i])
		if dayName != "" {
			q.Share, q.When = 0, config.Condition{Attribute: ticketlog.ColumnQueue, Value: q.Name}
		}
	}
	if f.giveUp != nil {
		c.Players.GiveUpAfter = max(c.Clock.Tick, seconds(f.giveUp.Value).Truncate(c.Clock.Tick))
	}
	c.Players.Patience = nil
	for _, e := range f.patience {
		c.Players.Patience = append(c.Players.Patience, sim.PatienceStep{Wait: config.SimSpan(seconds(e.At)), Share: e.Share})
	}
	return &c
}

// setLength sets the length of matches, if it was estimated.
func setLength(m *config.Match, f *fitted) {
	if f.length != nil {
		mean := max(sim.Millisecond, config.SimSpan(seconds(f.length.Value)))
		m.Length = sim.Length{Mean: mean, SD: config.SimSpan(seconds(f.lengthSD.Value))}
	}
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
	for i := range c.Queues {
		of := f
		if len(f.queues) > 0 {
			of = f.queues[i]
		}
		prefix := fmt.Sprintf("queues[%d].", i)
		add(prefix+keyLength, of.length, " s", "match", "matches", "")
		add(prefix+keyLengthSD, of.lengthSD, " s", "match", "matches", "")
	}
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

// commented inserts a comment above each setting that has one. comments are by the key of the setting,
// such as players.play_again or queues[0].match.length.mean.
func commented(text []byte, comments map[string]string) []byte {
	var b bytes.Buffer
	var path []string
	list, elements := "", 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "- ") { // the first line of an element
			path = append(path[:0], fmt.Sprintf("%s[%d]", list, elements))
			elements++
			b.WriteString(line)
			continue
		}
		name := strings.TrimLeft(line, " ")
		indent := len(line) - len(name)
		if key, _, ok := strings.Cut(name, ":"); ok && indent%2 == 0 && indent/2 <= len(path) {
			path = append(path[:indent/2], key)
			if indent == 0 {
				list, elements = key, 0
			}
			if comment, ok := comments[strings.Join(path, ".")]; ok {
				fmt.Fprintf(&b, "%*s# %s\n", indent, "", comment)
			}
		}
		b.WriteString(line)
	}
	return b.Bytes()
}
