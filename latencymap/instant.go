package latencymap

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// instantExpected describes the formats that parseInstant accepts, for messages.
const instantExpected = "expected 2026-03-14, 2026-03-14T15:04:05Z (or a blank for the T, a fraction, an offset) or seconds or milliseconds since 1970"

// ParseInstant parses the time of a sample. It accepts three formats:
//
//   - RFC 3339, where a blank may replace the T and a missing offset means UTC
//   - a date, which means midnight UTC
//   - the number of seconds since 1970, with or without a fraction; a number of at least
//     100,000,000,000 (the year 5138 in seconds) is in milliseconds
func ParseInstant(text string) (time.Time, error) {
	ms, ok := parseInstant([]byte(text))
	if !ok {
		return time.Time{}, fmt.Errorf("%.40q is not a time: %s", text, instantExpected)
	}
	return time.UnixMilli(ms).UTC(), nil
}

// parseInstant returns a time in milliseconds since 1970.
func parseInstant(b []byte) (ms int64, ok bool) {
	if len(b) < len("2006-01-02") || b[4] != '-' {
		return parseUnix(b)
	}
	year, okYear := digits(b[:4])
	month, okMonth := digits(b[5:7])
	day, okDay := digits(b[8:10])
	if !okYear || !okMonth || !okDay || b[7] != '-' || month < 1 || month > 12 {
		return 0, false
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if date.Day() != day { // such as 30 February
		return 0, false
	}
	ofDay, ok := parseTimeOfDay(b[10:])
	return date.UnixMilli() + ofDay, ok
}

// parseTimeOfDay parses the text after a date. It is empty, or T15:04:05 with an optional fraction
// and offset. A leap second counts as the next second.
func parseTimeOfDay(b []byte) (ms int64, ok bool) {
	if len(b) == 0 {
		return 0, true
	}
	if len(b) < len("T15:04:05") || b[0] != 'T' && b[0] != ' ' || b[3] != ':' || b[6] != ':' {
		return 0, false
	}
	hour, okHour := digits(b[1:3])
	minute, okMinute := digits(b[4:6])
	second, okSecond := digits(b[7:9])
	if !okHour || !okMinute || !okSecond || hour > 23 || minute > 59 || second > 60 {
		return 0, false
	}
	ms = int64(hour*3600+minute*60+second) * 1000
	b = b[9:]
	if len(b) > 1 && b[0] == '.' {
		weight := int64(100)
		for b = b[1:]; len(b) > 0 && b[0]-'0' <= 9; b = b[1:] {
			ms += int64(b[0]-'0') * weight
			weight /= 10
		}
	}
	offset, ok := parseOffset(b)
	return ms - offset, ok
}

// parseOffset parses a UTC offset, such as Z or +01:30, and returns milliseconds. The text may be
// empty.
func parseOffset(b []byte) (ms int64, ok bool) {
	if len(b) == 0 || len(b) == 1 && b[0] == 'Z' {
		return 0, true
	}
	if len(b) != len("+01:30") || b[0] != '+' && b[0] != '-' || b[3] != ':' {
		return 0, false
	}
	hour, okHour := digits(b[1:3])
	minute, okMinute := digits(b[4:6])
	ms = int64(hour*60+minute) * 60_000
	if b[0] == '-' {
		ms = -ms
	}
	return ms, okHour && okMinute && hour < 24 && minute < 60
}

// digits parses a number that consists only of digits.
func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// parseUnix parses a number of seconds or milliseconds since 1970.
func parseUnix(b []byte) (ms int64, ok bool) {
	const inMilliseconds, last = 1e11, 1e14
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(x >= 0 && x < last) {
		return 0, false
	}
	if x < inMilliseconds {
		x *= 1000
	}
	return int64(math.Floor(x)), true
}
