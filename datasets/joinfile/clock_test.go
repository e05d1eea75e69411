package joinfile

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"mmsim/datasets/atlas"
)

// march14 is 2026-03-14T00:00:00Z in milliseconds since 1970: 20,526 days later (56 years, 14 of
// them leap years, and 72 days).
const march14 = (56*365 + 14 + 72) * 86_400_000

func TestParseTimes(t *testing.T) {
	berlin := atlas.Zone("Europe/Berlin") // one hour ahead of UTC until 2026-03-29, 01:00 UTC
	for _, test := range []struct {
		text string
		zone *time.Location
		want instant
	}{
		{"00:00:00", nil, instant{0, false, true}},
		{"23:59:59", nil, instant{86_399_000, false, true}},
		{"01:02:03.5", nil, instant{3_723_500, false, false}},
		{"01:02:03.045", nil, instant{3_723_045, false, false}},
		{"01:02:03,045", nil, instant{3_723_045, false, false}},
		{"01:02:03.000", nil, instant{3_723_000, false, false}},
		{"23:59:59.999999", nil, instant{86_399_999, false, false}},
		{"0", nil, instant{0, false, true}},
		{"3661", nil, instant{3_661_000, false, true}},
		{"3661.25", nil, instant{3_661_250, false, false}},
		{"86399.9999", nil, instant{86_399_999, false, false}},
		{"2026-03-14T00:00:00Z", nil, instant{march14, true, true}},
		{"2026-03-14t00:00:00z", nil, instant{march14, true, true}},
		{"2026-03-14 00:00:00", nil, instant{march14, true, true}},
		{"2026-03-14T01:02:03.5Z", nil, instant{march14 + 3_723_500, true, false}},
		{"2026-03-14T01:02:03,123456Z", nil, instant{march14 + 3_723_123, true, false}},
		{"2026-03-14 01:02:03.123456+00", nil, instant{march14 + 3_723_123, true, false}},
		{"2026-03-14 01:02:03 UTC", nil, instant{march14 + 3_723_000, true, true}},
		{"2026-03-14T01:02:03+01:00", nil, instant{march14 + 123_000, true, true}},
		{"2026-03-14T01:02:03 +0100", nil, instant{march14 + 123_000, true, true}},
		{"2026-03-13T20:32:03-03:30", nil, instant{march14 + 123_000, true, true}},
		{"2026-03-14T01:00:00", berlin, instant{march14, true, true}},
		{"2026-03-14T00:00:00Z", berlin, instant{march14, true, true}},
		{"2026-03-29 01:59:59", berlin, instant{march14 + 15*86_400_000 + 3_599_000, true, true}}, // last second of winter time
		{"2026-03-29 03:00:00", berlin, instant{march14 + 15*86_400_000 + 3_600_000, true, true}}, // first second of summer time
		{"2026-03-30 03:00:00.25", berlin, instant{march14 + 16*86_400_000 + 3_600_250, true, false}},
		{"2024-02-29T00:00:00Z", nil, instant{march14 - 744*86_400_000, true, true}},
		{"1773446400", nil, instant{march14, true, true}},
		{"1773446400.5", nil, instant{march14 + 500, true, false}},
		{"1773446400123", nil, instant{march14 + 123, true, false}},
		{"1773446400000", nil, instant{march14, true, false}},
		{"1000000001", nil, instant{1_000_000_001_000, true, true}},
		{"1000000000001", nil, instant{1_000_000_000_001, true, false}},
		{"1773446400123456", nil, instant{march14 + 123, true, false}},
		{"1773446400123456789", nil, instant{march14 + 123, true, false}},
		{"14.03.2026 00:00:04", nil, instant{march14 + 4_000, true, true}},
		{"14.3.26 0:00:04,250", nil, instant{march14 + 4_250, true, false}},
		{"14.03.2026, 01:00", berlin, instant{march14, true, true}},
		{"2026/3/14 00:00:04", nil, instant{march14 + 4_000, true, true}},
		{"2026/03/14 12:00:04 AM", nil, instant{march14 + 4_000, true, true}},
		{"2026-03-14 00:01", nil, instant{march14 + 60_000, true, true}},
		{"2026-03-14T00:01Z", nil, instant{march14 + 60_000, true, true}},
		{"2026-03-14T01:01+01:00", nil, instant{march14 + 60_000, true, true}},
		{"2026-3-14 0:01:04", nil, instant{march14 + 64_000, true, true}},
		{"14.03.2026 01:00:04 +01:00", nil, instant{march14 + 4_000, true, true}},
	} {
		got, ok := newClock(&Options{Zone: test.zone}).parse([]byte(test.text))
		if !ok || got != test.want {
			t.Errorf("%s in %v: got %+v, %v, want %+v", test.text, test.zone, got, ok, test.want)
		}
	}
	for _, text := range []string{
		"12345678", "86400", "1000000000", "253402300800000", "253402300800000000", "9223372036854775808", "999999999999999999999", "24:00:00", "23:60:00", "23:59:60", "12:00", "1:02:03",
		"12-00-00", "12:00-00", "12:00:00.", "12:00:00Z", "12:00:00.5Z", "-1", "1e3", "", ".5", "noon", "/0:00:00", "0::00:00",
		"2026-03-14", "2026-03-14T12", "2026-02-29T12:00", "14-03-2026 12:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
		"2026-03-14T24:00:00Z", "2026-03-14T00:00:00X", "2026-03-14T00:00:00+1", "2026-03-14T00:00:00+24:00", "2026-03-14T00:00:00+01:60",
		"2026-03-14T00:00:00.Z", "2026-03-14T00:00:00.1.2", "2026-03-14_00:00:00", "2026/03/14", "14.03.2026", "3/4/2026 00:00:00", "14/03/2026 00:00",
		"14.03.026 00:00", "14.03/2026 00:00", "32.03.2026 00:00", "30.02.2026 00:00", "14.13.2026 00:00", "14.03.2026 24:00", "14.03.2026 00:60", "14.03.2026 0:0",
		"14.03.2026 13:00 PM", "14.03.2026 00:00 AM", "14.03.2026 1:00 XM", "14.03.2026 1:00.5", "14.03.2026  1:00", "14.03.2026T1:00", "4.63E-05", "2026-03-14 00:00:00 CET",
		"20x6-03-14T00:00:00Z", "2026-03-14T00:00:00++1:00",
	} {
		if got, ok := newClock(&Options{}).parse([]byte(text)); ok {
			t.Errorf("%q: got %+v, want it refused", text, got)
		}
	}
}

// Formats of times as patterns.
var (
	clockSyntax    = regexp.MustCompile(`^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])([.,][0-9]+)?$`)
	dateTimeSyntax = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}:[0-9]{2})([.,][0-9]+)?( ?Z|z| ?UTC| ?GMT| ?[+-][0-9]{2}(:?[0-9]{2})?)?$`)
	numberSyntax   = regexp.MustCompile(`^0*([0-9]{1,19})([.,][0-9]+)?$`)
	civilSyntax    = regexp.MustCompile(`^(?:([0-9]{1,2})([./])([0-9]{1,2})[./]([0-9]{2}|[0-9]{4})|([0-9]{4})([-./])([0-9]{1,2})[-./]([0-9]{1,2}))(,? |T)([0-9]{1,2}:[0-9]{2})(:[0-9]{2}([.,][0-9]+)?)?(?:(?:\x{202f}| |\x{202f} )?([AaPp][Mm]))?( ?Z|z| ?UTC| ?GMT| ?[+-][0-9]{2}(:?[0-9]{2})?)?$`)
)

// millis reads a fraction of a second.
func millis(fraction string) int64 {
	ms, _ := strconv.Atoi((strings.Trim(fraction, ".,") + "000")[:3])
	return int64(ms)
}

// civilTwin reads a date and a time as spreadsheets write them with the standard library.
func civilTwin(text string, zone *time.Location, order dateOrder) (instant, bool) {
	parts := civilSyntax.FindStringSubmatch(text)
	if parts == nil {
		return instant{}, false
	}
	date, _, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(text, "T", " "), ",", " "), " ")
	if strings.Count(date, parts[2]+parts[6]) != 2 || parts[9] == "T" && parts[6] != "-" { // one separator, and T only after dashes
		return instant{}, false
	}
	day, month, year := parts[1], parts[3], parts[4]
	switch {
	case parts[5] != "":
		year, month, day = parts[5], parts[7], parts[8]
	case parts[2] == "/" && order == orderOpen:
		return instant{}, false
	case parts[2] == "/" && order == monthFirst:
		day, month = month, day
	}
	if len(year) == 2 {
		year = "20" + year
	}
	seconds := ":00"
	if parts[11] != "" {
		seconds = parts[11][:3]
	}
	layout, at := "2006-1-2 15:04:05", year+"-"+month+"-"+day+" "+parts[10]+seconds
	if half := strings.ToUpper(parts[13]); half != "" {
		if hour, _ := strconv.Atoi(parts[10][:strings.Index(parts[10], ":")]); hour < 1 || hour > 12 {
			return instant{}, false // which time.Parse accepts in part
		}
		layout, at = "2006-1-2 3:04:05 PM", at+" "+half
	}
	offset := strings.NewReplacer(" ", "", "UTC", "Z", "GMT", "Z", ":", "", "z", "Z").Replace(parts[14])
	if len(offset) == 3 {
		offset += "00"
	}
	if offset != "" {
		layout += "Z0700"
	}
	t, err := time.ParseInLocation(layout, at+offset, zone)
	return instant{t.UnixMilli() + millis(parts[12]), true, parts[12] == ""}, err == nil
}

// twin reads a time with the standard library.
func twin(text string, zone *time.Location, order dateOrder) (instant, bool) {
	if parts := clockSyntax.FindStringSubmatch(text); parts != nil {
		at, _ := time.Parse("15:04:05", text[:8])
		return instant{at.Sub(at.Truncate(24*time.Hour)).Milliseconds() + millis(parts[4]), false, parts[4] == ""}, true
	}
	if parts := dateTimeSyntax.FindStringSubmatch(text); parts != nil {
		offset := strings.NewReplacer(" ", "", "UTC", "Z", "GMT", "Z", ":", "", "z", "Z").Replace(parts[4])
		if len(offset) == 3 {
			offset += "00"
		}
		layout := "2006-01-02 15:04:05"
		if offset != "" {
			layout += "Z0700"
		}
		at, err := time.ParseInLocation(layout, parts[1]+" "+parts[2]+offset, zone)
		return instant{at.UnixMilli() + millis(parts[3]), true, parts[3] == ""}, err == nil
	}
	parts := numberSyntax.FindStringSubmatch(text)
	if parts == nil {
		return civilTwin(text, zone, order)
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	switch {
	case err != nil:
		return instant{}, false
	case n < 86_400:
		return instant{n*1000 + millis(parts[2]), false, parts[2] == ""}, true
	case n > 1e18:
		return instant{n / 1e6, true, false}, true
	case n > 1e15:
		return instant{n / 1e3, true, false}, n/1e3 <= epochMillisMax
	case n > 1e12:
		return instant{n, true, false}, n <= epochMillisMax
	case n > 1e9:
		return instant{n*1000 + millis(parts[2]), true, parts[2] == ""}, n <= epochMillisMax/1000
	}
	return instant{}, false
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{
		"00:00:00", "23:59:59.999", "86400", "24:00:00", "3600.5", "12:00", "1:1:1", "2026-03-14T15:04:05Z", "2026-03-29 02:30:00.5",
		"2026-10-25 02:30:00", "2026-03-14 15:04:05,123 +0130", "1773446400", "1773446400123", "0000-01-01T00:00:00-23:59", "2026-03-14T15:04:05 GMT",
		"1773446400123456", "1773446400123456789", "14.03.2026 00:00:04", "3/4/26 12:00 AM", "14/03/2026 0:00:04,5", "3/14/2026, 12:00:04\u202fPM",
		"2026/3/29 02:30:00.5 +01", "29.3.26 2:30 am", "30.02.2026 1:00Z",
	} {
		f.Add(seed)
	}
	zones := []*time.Location{time.UTC, atlas.Zone("Europe/Berlin"), atlas.Zone("America/Havana")} // clocks change at midnight in Havana
	f.Fuzz(func(t *testing.T, text string) {
		for _, zone := range zones {
			for _, order := range []dateOrder{orderOpen, dayFirst, monthFirst} {
				c := newClock(&Options{Zone: zone})
				c.order = order
				got, ok := c.parse([]byte(text))
				want, accept := twin(text, zone, order)
				if ok != accept || ok && got != want {
					t.Fatalf("%q in %v with %v: got %+v, %v, want %+v, %v", text, zone, order, got, ok, want, accept)
				}
			}
		}
	})
}
