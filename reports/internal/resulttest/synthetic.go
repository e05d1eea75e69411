package resulttest

import (
	"fmt"
	"math"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Synthetic returns a result that resembles a real one, with players in cities, some of them far
// from any datacenter, and with any number of datacenters. The numbers have no meaning; they fill
// pictures and tables.
func Synthetic(hours, datacenters, players int) *result.Result {
	r := &result.Result{}
	s := &r.Summary
	s.Schema, s.Complete = outcome.Schema, true
	s.Run = outcome.Run{Seed: 1, Version: "test", ConfigSHA256: "c0ffee", DatasetSHA256: "da7a", Duration: outcome.Seconds(hours * 3600), Reached: outcome.Seconds(hours * 3600), Warmup: 7200}
	s.Thresholds = outcome.Thresholds{Ideal: 50, Expand: 100}
	load := func(t float64) float64 { return 1 + float64(0.45*math.Sin((t/3600-15)/24*2*math.Pi)) }
	for t := 0; t < hours*3600; t += 60 {
		n := float64(players) / float64(hours*60) * load(float64(t))
		r.Series = append(r.Series, result.Minute{
			T: t, Playing: int(5 * n), Between: int(n / 2), Ideal: int(n / 200), Expand: int(n / 90), WarmBody: int(n / 150),
			Joins: int(n / 4), Returns: int(3 * n / 4), Matches: int(n / 4), WaitMean: 0.2, RTTMean: 48, RTTP90: 92,
		})
	}
	for t := 0; t < hours*3600; t += result.WindowLength {
		n, l := int(float64(players)/float64(hours*4)*load(float64(t))), load(float64(t))
		w := window(t)
		w.Ideal, w.Expand, w.WarmBody, w.Matched = n*82/100, n/10, n-n*82/100-n/10, n
		if n > 0 {
			w.WaitP50 = 0
			w.WaitP90, w.WaitP99 = outcome.RoundSeconds(0.85/l), outcome.RoundSeconds(2.4/l)
			w.First = max(1, n/4)
			w.WaitFirstP50, w.WaitFirstP90, w.WaitFirstP99 = outcome.RoundSeconds(0.56/l), outcome.RoundSeconds(1.2/l), outcome.RoundSeconds(3.1/l)
			w.RTTP50, w.RTTP90, w.RTTP99 = outcome.RoundMillis(37*l), outcome.RoundMillis(92*math.Sqrt(l)), outcome.RoundMillis(248*math.Sqrt(l))
		}
		r.Windows = append(r.Windows, w)
	}
	if players == 0 {
		for i := range datacenters {
			s.ByDatacenter = append(s.ByDatacenter, outcome.Datacenter{Name: fmt.Sprint("dc", i)})
		}
		return withEnds(r)
	}
	fillSummary(s, players)
	fillPlaces(r, datacenters, players)
	fillDistributions(r, players)
	return withEnds(r)
}

// window returns a window without matches.
func window(t int) result.Window {
	s, ms := outcome.Seconds(math.NaN()), outcome.Millis(math.NaN())
	return result.Window{T: t, WaitP50: s, WaitP90: s, WaitP99: s, WaitFirstP50: s, WaitFirstP90: s, WaitFirstP99: s, RTTP50: ms, RTTP90: ms, RTTP99: ms}
}

func fillSummary(s *outcome.Summary, n int) {
	players := outcome.Count(n)
	part := func(divisor int) outcome.Count { return outcome.Count(n / divisor) }
	s.Players = outcome.Players{Joins: part(4), Returns: players - part(4), Entries: players, Matched: players}
	s.WaitFirst = outcome.WaitStats{Count: part(4), Mean: 0.62, P50: 0.56, P90: 1.2, P95: 1.6, P99: 3.1, Max: 20}
	s.WaitRepeat = outcome.WaitStats{Count: players - part(4), Mean: 0.095, P90: 0.4, P95: 0.8, P99: 1.9, Max: 18, ShareZero: 0.81}
	s.Wait = outcome.WaitStats{Count: players, Mean: 0.227, P90: 0.85, P95: 1.1, P99: 2.4, Max: 20, ShareZero: 0.6}
	s.RTT = outcome.RTTStats{Count: players, Mean: 48.8, SD: 51, P50: 37.3, P90: 91.7, P95: 160, P99: 248, Max: 400,
		ShareLE50: 0.828, ShareLE100: 0.924, ShareLEIdeal: 0.828, ShareLEExpand: 0.924}
	s.Matches = outcome.Matches{Count: part(4), Players: players, Fill: 1, WithWarmBody: part(24), RepeatShare: 0.337}
	s.CCU = outcome.CCU{Peak: 26612, PeakAt: 75600, Mean: 20612.5, PlayingMean: 18500, BetweenMean: 1900, SearchingMean: 212.5}
	s.States = outcome.States{
		Ideal:    outcome.StateStats{Matched: players - part(10) - part(12), Share: 0.828, WaitMean: 0.1, RTTMean: 32},
		Expand:   outcome.StateStats{Matched: part(10), Share: 0.096, WaitMean: 0.4, RTTMean: 77},
		WarmBody: outcome.StateStats{Matched: part(12), Share: 0.076, WaitMean: 1.2, RTTMean: 193},
	}
	for range 24 {
		s.ByHour = append(s.ByHour, outcome.Group{Entries: part(24),
			Served: outcome.Served{Players: part(24), Matches: part(96), WaitMean: 0.2, WaitP95: 0.9, RTTMean: 48, RTTP95: 160}})
	}
}

var syntheticCities = []struct {
	name      string
	lat, lon  float64
	weight    float64
	rtt       float64
	continent string
}{
	{"newyork", 40.7, -73.9, 9, 18, "NA"}, {"losangeles", 34, -118.2, 7, 16, "NA"}, {"chicago", 41.9, -87.6, 6, 15, "NA"},
	{"dallas", 32.8, -96.8, 5, 17, "NA"}, {"miami", 25.8, -80.2, 4, 21, "NA"}, {"seattle", 47.6, -122.3, 3, 15, "NA"},
	{"toronto", 43.7, -79.4, 3, 17, "NA"}, {"mexico", 19.4, -99.1, 2, 61, "NA"}, {"saopaulo", -23.5, -46.6, 5, 24, "SA"},
	{"santiago", -33.4, -70.7, 2, 22, "SA"}, {"bogota", 4.7, -74.1, 1.5, 84, "SA"}, {"london", 51.5, -0.1, 6, 14, "EU"},
	{"frankfurt", 50.1, 8.7, 7, 13, "EU"}, {"madrid", 40.4, -3.7, 3, 22, "EU"}, {"stockholm", 59.3, 18, 1.5, 41, "EU"},
	{"warsaw", 52.2, 21, 2, 38, "EU"}, {"istanbul", 41, 29, 2, 62, "EU"}, {"cairo", 30, 31.2, 1, 83, "AF"},
	{"lagos", 6.5, 3.4, 1, 131, "AF"}, {"johannesburg", -26.2, 28, 1, 182, "AF"}, {"mumbai", 19, 72.9, 1.5, 143, "AS"},
	{"singapore", 1.3, 103.8, 1.5, 166, "AS"}, {"tokyo", 35.7, 139.7, 2, 131, "AS"}, {"seoul", 37.6, 127, 1, 141, "AS"},
	{"manila", 14.6, 121, 1, 201, "AS"}, {"sydney", -33.9, 151.2, 2, 14, "OC"}, {"auckland", -36.8, 174.8, 0.5, 44, "OC"},
}

func fillPlaces(r *result.Result, datacenters, players int) {
	s, total := &r.Summary, 0.0
	for _, c := range syntheticCities {
		total += c.weight
	}
	continents := map[string]*outcome.Group{}
	for i, c := range syntheticCities {
		for k := range 9 {
			n := int(c.weight / total * float64(players) / float64(2+k*k))
			r.Map = append(r.Map, result.Cell{Latitude: int(math.Floor(c.lat)) + k%3 - 1, Longitude: min(int(math.Floor(c.lon))+k/3-1, 179), Players: n, RTTMean: outcome.RoundMillis(c.rtt * (1 + float64(0.05*float64(k)))), WaitMean: 0.2})
		}
		g := continents[c.continent]
		if g == nil {
			g = &outcome.Group{Name: c.continent}
			continents[c.continent] = g
		}
		n := int(c.weight / total * float64(players))
		g.RTTMean = outcome.RoundMillis(outcome.Ratio(float64(float64(g.RTTMean)*float64(g.Players))+float64(c.rtt*float64(n)), float64(g.Players)+float64(n)))
		g.Players, g.Entries, g.Matches = g.Players+outcome.Count(n), g.Entries+outcome.Count(n), g.Matches+outcome.Count(n/4)
		g.WaitMean, g.WaitP95, g.RTTP95 = 0.2, 0.9, 2*g.RTTMean
		if i < datacenters {
			s.ByDatacenter = append(s.ByDatacenter, outcome.Datacenter{Name: c.name, Latitude: outcome.RoundDegrees(c.lat), Longitude: outcome.RoundDegrees(c.lon), Served: outcome.Served{Players: outcome.Count(n), Matches: outcome.Count(n / 4), WaitMean: outcome.RoundSeconds(0.6 / c.weight), WaitP95: outcome.RoundSeconds(2 / c.weight), RTTMean: outcome.RoundMillis(c.rtt + 20), RTTP95: outcome.RoundMillis(2*c.rtt + 20)}})
		}
	}
	for _, code := range []string{"AF", "AS", "EU", "NA", "OC", "SA"} {
		s.ByContinent = append(s.ByContinent, *continents[code])
	}
	for i := len(s.ByDatacenter); i < datacenters; i++ {
		s.ByDatacenter = append(s.ByDatacenter, outcome.Datacenter{Name: fmt.Sprint("a datacenter with a long name ", i), Latitude: outcome.Degrees(i), Longitude: outcome.Degrees(2 * i)})
	}
}

func fillDistributions(r *result.Result, players int) {
	waits := func(measure result.Measure, zero, mean float64, n int) {
		d := result.Distribution{Measure: measure, Bins: []result.Bin{{From: 0, To: 0, Players: int(zero * float64(n))}}}
		for from := 0.0; from < 20; from = math.Round((from+0.1)*1e3) / 1e3 {
			d.Bins = append(d.Bins, result.Bin{From: from, To: math.Round((from+0.1)*1e3) / 1e3, Players: int((1 - zero) * float64(n) * 0.1 / mean * math.Exp(-from/mean))})
		}
		r.Distributions = append(r.Distributions, d)
	}
	waits(result.MeasureWaitFirst, 0, 0.62, players/4)
	waits(result.MeasureWaitRepeat, 0.81, 0.5, players*3/4)
	waits(result.MeasureWait, 0.6, 0.55, players)
	d := result.Distribution{Measure: result.MeasureRTT}
	for from := 0.0; from < 400; from++ {
		density := float64(0.84*from/25/25*math.Exp(-from/25)) + 0.16*math.Exp(-from/110)/110
		d.Bins = append(d.Bins, result.Bin{From: from, To: from + 1, Players: int(float64(players) * density)})
	}
	r.Distributions = append(r.Distributions, d)
}

// Frames returns a time-lapse in which most players in match are where it is evening.
func Frames(hours, datacenters, players int) (frames []result.Frame) {
	step := max(60, hours*3600/144)
	total := 0.0
	for _, c := range syntheticCities {
		total += c.weight
	}
	for at := step; at < hours*3600; at += step {
		f := result.Frame{T: at, Load: make([]int, datacenters)}
		cells := map[string]bool{}
		for i, c := range syntheticCities {
			evening := 1 + float64(0.8*math.Cos((float64(at)/3600+c.lon/15-20)/24*2*math.Pi))
			for k := range 81 {
				n := int(c.weight / total * evening * float64(players) / float64(2+k*k/9) / 4)
				cell := result.FrameCell{Latitude: int16(c.lat) + int16(k%9) - 4, Longitude: int16(c.lon) + int16(k/9) - 4, Players: int32(n), RTTMean: int32(c.rtt) + int32(k+at/step%7)}
				name := fmt.Sprint(cell.Latitude, cell.Longitude)
				if n > 0 && !cells[name] && cell.Latitude < 90 && cell.Longitude < 180 {
					cells[name] = true
					f.Cells = append(f.Cells, cell)
					f.Load[i%max(1, datacenters)] += n
				}
			}
		}
		frames = append(frames, f)
	}
	return frames
}
