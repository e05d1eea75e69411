package joinfile

import (
	"math"
	"slices"
	"strconv"
	"time"

	"mmsim/datasets"
)

// Usual names of columns with the end of a match, which has the form of the column time, and with the
// length of a match in seconds. They are in the form of plainName.
var (
	endNames    = []string{"endedat", "endtime", "matchend", "matchendedat", "matchendtime", "finishedat", "leftat", "sessionend"}
	lengthNames = []string{"matchlength", "matchduration", "matchlengths", "matchdurations", "durations", "durationseconds", "duration", plainName(datasets.ColumnSessionLength)}
)

// MatchLife estimates the length of a match, the pause after it, and the share of players who play
// again, if a column tells when matches end or how long they take. zone is that of Options.
func MatchLife(day *datasets.Day, zone *time.Location) (life datasets.MatchLife, found bool) {
	for _, names := range [][]string{endNames, lengthNames} {
		for _, name := range names {
			i := slices.IndexFunc(day.Columns, func(c *datasets.Column) bool { return plainName(c.Name) == name })
			if i < 0 {
				continue
			}
			c := day.Columns[i]
			endOf := lengthsOf(c)
			if slices.Contains(endNames, name) {
				endOf = endsOf(c, day, zone)
			}
			if life = day.MatchLife(c.Name, endOf); life.Matches > 0 {
				return life, true
			}
		}
	}
	return life, false
}

// lengthsOf returns the end of a match whose length in seconds is in a column of numbers.
func lengthsOf(c *datasets.Column) func(row uint32, start int64) (int64, bool) {
	return func(row uint32, start int64) (int64, bool) {
		if c.Kind != datasets.Number || math.IsNaN(c.Numbers[row]) || math.Abs(c.Numbers[row]) > math.MaxInt32 {
			return 0, false
		}
		return start + int64(math.Round(c.Numbers[row]*1000)), true
	}
}

// endsOf returns the end of a match whose time is in a column. If the joins have only times of day,
// an end before the start is on the next day.
func endsOf(c *datasets.Column, day *datasets.Day, zone *time.Location) func(row uint32, start int64) (int64, bool) {
	clock := newClock(&Options{Zone: zone})
	return func(row uint32, start int64) (int64, bool) {
		if c.Kind == datasets.List || c.Missing(row) {
			return 0, false
		}
		var text []byte
		if c.Kind == datasets.Number {
			text = strconv.AppendFloat(nil, c.Numbers[row], 'f', -1, 64)
		} else {
			text = append(text, c.Text(row)...)
		}
		end, ok := clock.parse(text)
		switch {
		case !ok || end.dated == day.Midnight.IsZero():
			return 0, false
		case end.dated:
			return end.ms - day.Midnight.UnixMilli(), true
		case end.ms < start%datasets.MillisPerDay:
			end.ms += datasets.MillisPerDay
		}
		return start - start%datasets.MillisPerDay + end.ms, true
	}
}
