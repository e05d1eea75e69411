// Package resulttest generates results for tests: days that resemble real ones, and special cases
// that pictures and pages must be able to show. It also generates the events of runs that observers
// receive, and checks the positions of text in pictures.
package resulttest

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Cases returns results that every picture must be able to show, by name.
func Cases() map[string]*result.Result {
	longNames := Synthetic(24, 6, 1000)
	for i := range longNames.Summary.ByDatacenter {
		longNames.Summary.ByDatacenter[i].Name = strings.Repeat("Ländliche Gegend <&> ", 10)
	}
	interrupted := Synthetic(24, 6, 100000)
	interrupted.Summary.Complete = false
	interrupted.Series, interrupted.Windows = interrupted.Series[:601], interrupted.Windows[:41]
	narrow := Synthetic(24, 6, 100000)
	narrow.Summary.Thresholds = outcome.Thresholds{Ideal: 50, Expand: 50}
	gaps := Synthetic(24, 6, 100000)
	for i := range gaps.Windows {
		if i%3 == 0 {
			gaps.Windows[i] = window(gaps.Windows[i].T)
		}
	}
	return map[string]*result.Result{
		"day": Synthetic(24, 29, 5_400_000), "hour": Synthetic(1, 1, 40_000), "one match": Synthetic(1, 1, 4),
		"three days": Synthetic(72, 64, 16_000_000), "month": Synthetic(720, 3, 1_000_000), "no match": Synthetic(24, 3, 0),
		"zero": {}, "long names": longNames, "interrupted": interrupted, "equal thresholds": narrow, "gaps": gaps,
		"servers": Servers(), "rules": Rules(), "queues": Queues(), "fleet": Fleet(), "events": Events(), "servers with events": withEvents(Servers()), "queues with events": withEvents(Queues()), "season": Season(), "season of two": seasonOfTwo(),
		"servers without players": unmeasured(Servers()), "rules without players": unmeasured(Rules()), "queues without players": unmeasured(Queues()), "season without players": unmeasured(Season()),
	}
}

// unmeasured returns r without players: every count is 0, and no statistic was measured.
func unmeasured(r *result.Result) *result.Result {
	s := &r.Summary
	run := s.Run
	zero(reflect.ValueOf(s).Elem())
	s.Run, s.Schema, s.Complete = run, outcome.Schema, true
	s.MarkUnmeasured()
	for i := range r.Windows {
		r.Windows[i] = window(r.Windows[i].T)
	}
	for i := range r.Series {
		r.Series[i] = result.Minute{T: r.Series[i].T, WaitMean: outcome.Seconds(math.NaN()), RTTMean: outcome.Millis(math.NaN()), RTTP90: outcome.Millis(math.NaN())}
	}
	r.Distributions, r.Map, r.QueueMaps, r.Timelapse = nil, nil, nil, nil
	return r
}

// zero sets all numbers of a value to 0.
func zero(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			zero(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			zero(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			zero(v.Elem())
		}
	case reflect.Float64, reflect.Int, reflect.Uint64:
		v.SetZero()
	}
}

// Square is a coast with two islands, one of which crosses the antimeridian.
var Square = [][][2]float64{
	{{-10, -10}, {30, -10}, {30, 40}, {-10, 40}, {-10, -10}},
	{{170, 50}, {-170, 50}, {-170, 60}, {170, 60}, {170, 50}},
}

// Events returns a day with a time-lapse and several events: two outages, of which the second is longer
// than the picture of a day can show exactly, and many bursts.
func Events() *result.Result { return withEvents(Moving()) }

// withEvents adds events to a result.
func withEvents(r *result.Result) *result.Result {
	s := &r.Summary
	add := func(at, length outcome.Seconds, action string, down ...string) {
		s.Events = append(s.Events, outcome.Event{
			Name: strconv.Itoa(len(s.Events) + 1), At: at, For: length, Action: action, Down: down,
			MatchedBefore: 4000, MatchedDuring: 2000, MatchedAfter: 4000, EndedBefore: 4000, EndedDuring: 2100,
			WaitBefore: 8.1, WaitDuring: 31, WaitAfter: 9, RTTBefore: 31, RTTDuring: 52, UnmatchedDuring: 0.048,
			Interrupted: 4102, SearchingPeak: 812, Recovery: 360,
		})
	}
	add(20*3600, 1800, "frankfurt down 30 min (kill)", "frankfurt")
	add(3*3600, 6*3600, "london, newyork down 6h (drain)", "london", "newyork")
	for i := range 8 {
		add(outcome.Seconds(72_720+240*i), 120, "20,000 join in 2m")
	}
	for i := range r.Series {
		r.Series[i].WaitP95 = 3 * r.Series[i].WaitMean
	}
	return r
}

// Moving returns a day with a time-lapse.
func Moving() *result.Result {
	r := Synthetic(24, 29, 5_400_000)
	r.Timelapse = Frames(24, 29, 20_000)
	return r
}

// Hostile is a name with markup and scripts, as a malicious data file might contain.
const Hostile = `</svg></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>`

// HostileResult returns a result in which every name is Hostile.
func HostileResult() *result.Result {
	r := Synthetic(24, 6, 100_000)
	r.Timelapse = Frames(24, 6, 20_000)
	s := &r.Summary
	s.Warnings = []string{Hostile}
	s.Run.Version, s.Run.ConfigSHA256 = Hostile, Hostile
	for i := range s.ByDatacenter {
		s.ByDatacenter[i].Name = Hostile
	}
	for i := range s.ByContinent {
		s.ByContinent[i].Name = Hostile
	}
	s.Attributes = outcome.Attributes{{Name: Hostile}}
	s.ByAttributeDecile = outcome.Deciles{{Name: Hostile, Deciles: []outcome.Decile{{From: 1, To: 2}}}}
	s.ByPartySize = outcome.Groups{{Name: Hostile}, {Name: "2"}}
	return r
}
