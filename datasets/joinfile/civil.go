package joinfile

import (
	"bytes"

	"mmsim/datasets/internal/tables"
)

// civil is a date and a time of day as spreadsheets write them: 14.03.2026 00:00:04, 3/14/2026 12:00 AM,
// 2026/03/14 00:00 or 2026-03-14 00:00.
type civil struct {
	first, second int // the day and the month, in an order that the separator or the file decides
	year          int
	separator     byte // '.', '/', or '-' if the year is first
	yearFirst     bool // then first is the month
	minutes       bool // the time of day has no seconds
	time          instant
	offset        []byte // UTC offset, as in parseOffset
}

// readCivil reads a date and a time of day. It does not check that the date exists.
func readCivil(cell []byte) (c civil, ok bool) {
	var fields [3]int
	var digits [3]int
	rest := cell
	for i := range fields {
		for digits[i] < len(rest) && digits[i] < 4 && tables.IsDigit(rest[digits[i]]) {
			fields[i] = fields[i]*10 + int(rest[digits[i]]-'0')
			digits[i]++
		}
		rest = rest[digits[i]:]
		if digits[i] == 0 || len(rest) == 0 {
			return c, false
		}
		if i == 2 {
			break
		}
		isSeparator := rest[0] == '.' || rest[0] == '/' || rest[0] == '-' && digits[0] == 4
		if !isSeparator || i == 1 && rest[0] != c.separator {
			return c, false
		}
		c.separator = rest[0]
		rest = rest[1:]
	}
	if c.yearFirst = digits[0] == 4; c.yearFirst {
		fields[0], fields[1], fields[2] = fields[1], fields[2], fields[0]
		digits[0], digits[1], digits[2] = digits[1], digits[2], digits[0]
	}
	c.first, c.second, c.year = fields[0], fields[1], fields[2]
	switch {
	case digits[0] > 2 || digits[1] > 2:
		return c, false
	case digits[2] == 2:
		c.year += 2000
	case digits[2] != 4:
		return c, false
	}
	if c.separator == '-' && len(rest) > 0 && rest[0] == 'T' {
		return c, c.readTime(rest[1:])
	}
	rest = bytes.TrimPrefix(rest, []byte{','})
	if len(rest) == 0 || rest[0] != ' ' {
		return c, false
	}
	return c, c.readTime(rest[1:])
}

// readTime reads H:MM or HH:MM, optionally with seconds and a fraction, AM or PM, and an offset.
func (c *civil) readTime(text []byte) bool {
	if len(text) > 1 && text[1] == ':' {
		text = append([]byte{'0'}, text...)
	}
	if len(text) < 5 || text[2] != ':' {
		return false
	}
	seconds, rest := [8]byte{5: ':', 6: '0', 7: '0'}, text[5:]
	copy(seconds[:], text[:5])
	c.minutes = true
	if len(rest) > 0 && rest[0] == ':' {
		if len(rest) < 3 {
			return false
		}
		copy(seconds[5:], rest[:3])
		rest, c.minutes = rest[3:], false
	}
	ofDay, ok := tables.HMS(seconds[:])
	if !ok {
		return false
	}
	end := 0
	for end < len(rest) && (tables.IsDigit(rest[end]) || end == 0 && (rest[0] == '.' || rest[0] == ',')) {
		end++
	}
	fraction, whole, ok := tables.Fraction(rest[:end])
	if !ok || c.minutes && end > 0 {
		return false
	}
	half, rest := halfDay(rest[end:])
	hour := ofDay / 3600
	if half != 0 {
		if hour < 1 || hour > 12 {
			return false
		}
		ofDay -= hour * 3600
		if hour %= 12; half == 'P' {
			hour += 12
		}
		ofDay += hour * 3600
	}
	c.time = instant{ms: int64(ofDay)*1000 + int64(fraction), wholeSecond: whole}
	c.offset = rest
	return true
}

// halfDay cuts AM or PM, with or without a blank before it, from the beginning of a text. It
// returns 'A', 'P', or 0 if there is none. Newer programs write a narrow blank.
func halfDay(text []byte) (half byte, rest []byte) {
	const narrowBlank = "\u202f"
	rest = bytes.TrimPrefix(bytes.TrimPrefix(text, []byte(narrowBlank)), []byte{' '})
	if len(rest) < 2 || rest[1]|0x20 != 'm' {
		return 0, text
	}
	switch rest[0] | 0x20 {
	case 'a':
		return 'A', rest[2:]
	case 'p':
		return 'P', rest[2:]
	}
	return 0, text
}

// isoDate writes a date as YYYY-MM-DD. The numbers must not have more digits than that.
func isoDate(year, month, day int) [10]byte {
	digit := func(n int) byte { return byte('0' + n%10) }
	return [10]byte{digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), '-', digit(month / 10), digit(month), '-', digit(day / 10), digit(day)}
}
