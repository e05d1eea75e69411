package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher"
)

// MeasureKind is what a measure is about.
type MeasureKind uint8

// The kinds of measures.
const (
	ShareMeasure      MeasureKind = iota // from 0 to 1
	DifferenceMeasure                    // 0 or more
	RTTMeasure                           // ms
	FriendMeasure                        // whether a preferred player is there
)

// Measure is one chart of the service's analytics.
type Measure struct {
	matcher.Measure
	Kind MeasureKind
}

// charts are the service's charts about its own signals, in the order of its
// documents. Voice Chat is the share of players who have it on, whatever the joining
// player has.
var charts = []struct {
	name, api string
	kind      MeasureKind
}{
	{"occupancy_ratio", "Occupancy", ShareMeasure},
	{"preferred_player", "PreferredPlayers", FriendMeasure},
	{"age_difference", "Age", DifferenceMeasure},
	{"common_language_ratio", "Language", ShareMeasure},
	{"ping_ms", "Latency", RTTMeasure},
	{"voice_chat_ratio", "VoiceChat", ShareMeasure},
	{"common_device_type_ratio", "DeviceType", ShareMeasure},
	{"play_history_difference", "PlayHistory", DifferenceMeasure},
	{"common_chat_group_ratio", "TextChat", ShareMeasure},
}

// Measured returns the scoring in a form that can be measured, and the measures of
// the service's analytics: its own charts, whether their signals have a weight or
// not, and one for every custom signal under its name. Signals that the
// configuration does not list have no weight. A custom signal that is called as one
// of the charts is an error.
func (c *Config) Measured() (*matcher.Scoring, []Measure, error) {
	scoring := *c.Scoring
	scoring.Measured = true
	scoring.Signals = slices.Clone(scoring.Signals)
	var measures []Measure
	for _, chart := range charts {
		b := builtInNamed(chart.api)
		at := slices.IndexFunc(c.entries, func(e entry) bool { return e.builtIn == b })
		if at < 0 {
			at = len(scoring.Signals)
			factor := max(b.factor, 1) // of no signal it is used
			scoring.Signals = append(scoring.Signals, b.signal(0, &c.columns, 0, factor))
		}
		m := matcher.Measure{Name: chart.name, Signal: at}
		if b.needs == voiceChat {
			m.Fixed, m.Text = true, c.Schema.Intern("true")
		}
		measures = append(measures, Measure{m, chart.kind})
	}
	for i, e := range c.entries {
		if e.builtIn != nil {
			continue
		}
		kind := ShareMeasure
		switch scoring.Signals[i].(type) {
		case *matcher.PlayersNumber, *matcher.ServerNumber:
			kind = DifferenceMeasure
		}
		if slices.ContainsFunc(measures, func(m Measure) bool { return m.Name == e.name }) {
			return nil, nil, fmt.Errorf("%s: %s: got a name that a metric of the results has, expected another", e.at.Place(), e.what)
		}
		measures = append(measures, Measure{matcher.Measure{Name: e.name, Signal: i}, kind})
	}
	return &scoring, measures, nil
}
