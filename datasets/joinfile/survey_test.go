package joinfile

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"mmsim/datasets"
	"mmsim/datasets/internal/tables"
)

// times returns a file without a header, with these times.
func times(cells ...string) string { return strings.Join(cells, ",1,2\n") + ",1,2\n" }

// The whole column decides what its numbers are, and which number of a date is the day.
func TestSurvey(t *testing.T) {
	const slashed = "time,latitude,longitude\n"
	for name, test := range map[string]struct {
		content string
		options Options
		want    string // Day.Times and the ms of all joins, or a part of the error
	}{
		"hours":                     {times("0", "9", "23"), Options{}, "seconds since midnight [0 9000 23000]"},
		"seconds":                   {times("0.5", "7.25", "86399.5"), Options{}, "seconds since midnight [500 7250 86399500]"},
		"whole numbers of a serial": {times("46095", "46095"), Options{}, "seconds since midnight [46095000 46095000]"},
		"zeros":                     {times("0", "0"), Options{}, "seconds since midnight [0 0]"},
		"fractions":                 {times("0", "0.5", "0.999988426"), Options{}, "Excel's fractions of a day [0 43200000 86399000]"},
		"late fraction":             {times("0", "0", "0", "0.25"), Options{}, "Excel's fractions of a day [0 0 0 21600000]"},
		"first second":              {times("0.5", "0.75"), Options{TimeFormat: TimesSeconds}, "seconds since midnight [500 750]"},
		"serials":                   {times("46095", "46095.25", "46095.0000462963"), Options{}, "Excel's serial dates [0 4000 21600000]"},
		"two days of serials":       {times("46095.5", "46096.5"), Options{}, "Excel's serial dates [43200000 43200000]"},
		"a month of serials":        {times("46082.5", "46112.5"), Options{}, `2:1: time "46112.5": more than 10 days (MaxDays) from line 1 ("46082.5"); --date picks one day, or --time-format seconds makes`},
		"an afternoon of seconds":   {times("43000.5", "46095.5"), Options{}, "seconds since midnight [43000500 46095500]"},
		"seconds like serials":      {times("46095.5", "46096.5"), Options{TimeFormat: TimesSeconds}, "seconds since midnight [46095500 46096500]"},
		"serials without fractions": {times("46095", "46096"), Options{TimeFormat: TimesExcel}, "Excel's serial dates [0 0]"},
		"milliseconds of Excel":     {times("0.5", "0.500000012"), Options{}, "Excel's fractions of a day [43200000 43200001]"},
		"serial, then a word":       {times("46095.5", "noon"), Options{}, `2:1: time "noon": expected a time of Excel, as in the rest of the file`},
		"a bad row":                 {times("0.25", "noon", "0.5"), Options{MaxBadRows: 1}, "Excel's fractions of a day [21600000 43200000]"},
		"fraction, then seconds":    {times("0.25", "12:00:00", "0.5"), Options{}, "seconds since midnight [250 500 43200000]"},
		"fraction, then a date":     {times("0.25", "2026-03-14 00:00:00"), Options{}, `2:1: time "2026-03-14 00:00:00" is a time with a date, but line 1 has a time of day ("0.25")`},
		"day in the last row":       {slashed + times("5/4/2026 00:00", "6/4/2026 00:00", "13/4/2026 00:00"), Options{}, `dates with the day first, as line 4 shows ("13/4/2026 00:00") [0 0 0]`},
		"month in the last row":     {slashed + times("3/4/2026 00:00", "3/5/2026 00:00", "3/13/2026 00:00"), Options{}, `dates with the month first, as line 4 shows ("3/13/2026 00:00") [0 0 0]`},
		"open":                      {slashed + times("3/4/2026 00:00", "4/4/2026 00:00"), Options{}, `2:1: time "3/4/2026 00:00" may have the day or the month first, and no date`},
		"open, but the day is first": {slashed + times("3/4/2026 00:00", "4/4/2026 00:00"), Options{TimeFormat: TimesDayFirst},
			"dates with the day first (dataset.time_format) [0 0]"},
		"open, but the month is first": {slashed + times("3/4/2026 00:00", "3/5/2026 00:00"), Options{TimeFormat: TimesMonthFirst},
			"dates with the month first (dataset.time_format) [0 0]"},
		"given, but wrong": {slashed + times("3/4/2026 00:00", "13/4/2026 00:00"), Options{TimeFormat: TimesMonthFirst},
			`3:1: time "13/4/2026 00:00" has the day first, but dataset.time_format puts the month first: expected one order`},
		"both":                  {slashed + times("13/4/2026 00:00", "4/13/2026 00:00"), Options{}, `3:1: time "4/13/2026 00:00" has the month first, but line 2 ("13/4/2026 00:00") has the day first`},
		"neither":               {slashed + times("13/13/2026 00:00"), Options{}, `2:1: time "13/13/2026 00:00": expected HH:MM:SS`},
		"dots and open":         {slashed + times("13.4.2026 00:00", "4/4/2026 00:00"), Options{}, `3:1: time "4/4/2026 00:00" may have the day or the month first: expected dataset.time_format`},
		"nameless first column": {",time,latitude,longitude\n0,0.5,1,2\n1,0.25,1,2\n", Options{}, "Excel's fractions of a day [21600000 43200000]"},
		"JSON array":            {`[{"time":0.5,"lat":1,"lon":2},{"time":0,"lat":1,"lon":2}]`, Options{}, "Excel's fractions of a day [0 43200000]"},
	} {
		for kind, r := range map[string]io.Reader{"whole": strings.NewReader(test.content), "byte by byte": iotest.OneByteReader(strings.NewReader(test.content))} {
			day, err := Read(r, "day.csv", test.options)
			text := fmt.Sprint(err)
			if err == nil {
				var all []uint32
				for j := range day.Joins() {
					all = append(all, j.MS())
				}
				text = fmt.Sprint(day.Times, " ", all)
			}
			if err == nil && text != test.want || !strings.Contains(text, test.want) {
				t.Errorf("%s, %s: got %s\nwant %s", name, kind, text, test.want)
			}
		}
	}
}

// The days of dates in slashes are those of the order that was found.
func TestSurveyedDates(t *testing.T) {
	content := "time,latitude,longitude\n" + times("3/4/2026 00:00", "3/5/2026 00:00")
	for format, want := range map[TimeFormat]string{TimesDayFirst: "32 days", TimesMonthFirst: "2026-03-04"} {
		day, err := Read(strings.NewReader(content), "day.csv", Options{TimeFormat: format})
		if got := fmt.Sprint(err); err != nil && !strings.Contains(got, "more than 10 days") || err == nil && day.Midnight.Format("2006-01-02") != want {
			t.Errorf("%s: got error %v, want %s", format, err, want)
		}
	}
}

// Few decimals cannot tell seconds apart, so there is a warning.
func TestCoarseTimes(t *testing.T) {
	day := read(t, times("46095.25", "46095.3125"), Options{})
	if want := "times are numbers of Excel with at most 4 decimals, so they are rounded to 8.64 s: export more decimals, or dates with times"; len(day.Warnings) != 1 || day.Warnings[0].Message != want {
		t.Errorf("got warnings %v, want %s", day.Warnings, want)
	}
}

// A survey remembers a limited part of the file.
func TestSurveyLimit(t *testing.T) {
	content := "time,latitude,longitude\n" + strings.Repeat("3/4/2026 00:00:00,1,2\n", 40_000)
	r := newRereader(strings.NewReader(content))
	r.most = 1 << 19
	_, err := surveyed("day.csv", &Options{}, func(d *dayReader) error { d.open(tables.NewCSV(r)); return nil })
	if err == nil || !strings.Contains(err.Error(), "(MaxSurveyBytes): expected dataset.time_format (--time-format)") || !strings.HasPrefix(err.Error(), "day.csv:") {
		t.Errorf("got error %v, want the limit and the cure", err)
	}
}

// A rereader gives the same bytes again, and then the rest.
func TestRereader(t *testing.T) {
	want := bytes.Repeat([]byte("0123456789"), 100)
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		r := newRereader(iotest.HalfReader(bytes.NewReader(want)))
		first, _ := io.ReadAll(io.LimitReader(r, random.Int64N(1500)))
		r.rewind()
		again, err := io.ReadAll(iotest.OneByteReader(r))
		if err != nil || !bytes.Equal(again, want) || !bytes.HasPrefix(want, first) {
			t.Fatalf("seed %d: got %d bytes and then %d, error %v, want all %d again", seed, len(first), len(again), err, len(want))
		}
	}
}

// excelTwin converts a number of Excel with exact fractions. It returns the milliseconds since
// midnight and the days since 1970.
func excelTwin(text string) (ms, days int64) {
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	decimals := len(text) - 1 - strings.IndexByte(text+".", '.')
	if decimals < 0 {
		decimals = 0
	}
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	value.Sub(value, new(big.Rat).SetInt(whole))
	value.Mul(value, big.NewRat(86_400, 1))
	half := big.NewRat(1, 2)
	round := func(x *big.Rat) *big.Int {
		x = new(big.Rat).Add(x, half)
		return new(big.Int).Quo(x.Num(), x.Denom())
	}
	second := round(value)
	off := new(big.Rat).Sub(value, new(big.Rat).SetInt(second))
	tolerance := new(big.Rat).SetFrac(big.NewInt(43_200), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
	if off.Abs(off).Cmp(tolerance) <= 0 {
		return second.Int64() * 1000, whole.Int64() - 25_569
	}
	return round(value.Mul(value, big.NewRat(1000, 1))).Int64(), whole.Int64() - 25_569
}

func TestExcelTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 0))
	for range 20_000 {
		second := random.IntN(86_400)
		ms := int64(second) * 1000
		if random.IntN(2) == 0 {
			ms += random.Int64N(1000)
		}
		decimals := 1 + random.IntN(excelDecimals)
		whole := int64(0)
		if random.IntN(2) == 0 {
			whole = excelFirst + random.Int64N(excelAfter-excelFirst)
		}
		text := strconv.FormatFloat(float64(whole)+float64(ms)/86_400_000, 'f', decimals, 64)
		if number, _ := strconv.ParseFloat(text, 64); number >= 1 && number < excelFirst || number >= excelAfter {
			continue // rounded up to a whole day
		}
		c := newClock(&Options{TimeFormat: TimesExcel})
		c.excel = true
		got, ok := c.parse([]byte(text))
		wantMS, wantDays := excelTwin(text)
		if got.dated {
			wantMS += wantDays * datasets.MillisPerDay
		} else {
			wantMS = min(wantMS, datasets.MillisPerDay-1)
		}
		if !ok || got.ms != wantMS || got.dated != !strings.HasPrefix(text, "0.") {
			t.Fatalf("%s: got %+v, %v, want %d ms", text, got, ok, wantMS)
		}
		// From 5 decimals on, a whole second survives.
		if decimals >= 5 && ms%1000 == 0 && got.ms%datasets.MillisPerDay != ms {
			t.Fatalf("%s: got %d ms of the day, want %d", text, got.ms%datasets.MillisPerDay, ms)
		}
	}
}

func FuzzExcel(f *testing.F) {
	for _, seed := range []string{"0", "0.5", "46095.0000462963", "4.63E-05", "46095,25", "36525.99", "73051", "1e-400", ".5", "5.", "86400", "0.99999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := newClock(&Options{})
		c.excel = true
		got, is, ok := c.parseExcel([]byte(text))
		plain, isNumber := plainNumber([]byte(text))
		if is != (isNumber && numberBelow(string(plain), 86_400)) {
			t.Fatalf("%q: got a number %v, want %v", text, is, !is)
		}
		if !is || len(plain) > excelDecimals {
			return
		}
		ms, days := excelTwin(strings.Replace(string(plain), ",", ".", 1))
		inRange := days+25_569 == 0 || days+25_569 >= excelFirst && days+25_569 < excelAfter
		if days+25_569 != 0 {
			ms += days * datasets.MillisPerDay
		} else {
			ms = min(ms, datasets.MillisPerDay-1)
		}
		if ok != inRange || ok && got.ms != ms {
			t.Fatalf("%q: got %+v, %v, want %d ms, %v", text, got, ok, ms, inRange)
		}
	})
}

// numberBelow reports whether the whole part of a decimal number is below a limit.
func numberBelow(text string, limit int64) bool {
	whole, _, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	n, ok := new(big.Int).SetString(whole, 10)
	return ok && n.Cmp(big.NewInt(limit)) < 0
}
