package roblox

import (
	"fmt"
	"slices"

	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
)

// charts are the service's charts about its own signals, in the order of its documentation.
// voice_chat_ratio is the share of players with voice chat on, even if the joining player has it
// off.
var charts = []struct {
	name, api string
	kind      vendor.MeasureKind
}{
	{"occupancy_ratio", "Occupancy", vendor.ShareMeasure},
	{"preferred_player", "PreferredPlayers", vendor.FriendMeasure},
	{"age_difference", "Age", vendor.DifferenceMeasure},
	{"common_language_ratio", "Language", vendor.ShareMeasure},
	{"ping_ms", "Latency", vendor.RTTMeasure},
	{"voice_chat_ratio", "VoiceChat", vendor.ShareMeasure},
	{"common_device_type_ratio", "DeviceType", vendor.ShareMeasure},
	{"play_history_difference", "PlayHistory", vendor.DifferenceMeasure},
	{"common_chat_group_ratio", "TextChat", vendor.ShareMeasure},
}

// Measured returns a scorer that also computes the measures of the service's analytics, and a list
// of these measures. There is one measure for each chart of the service. There is also one for each
// custom signal, under the name of the signal. If the configuration does not list the signal of a
// chart, the scorer has the signal with weight 0. A custom signal with the name of a chart is an
// error.
func (c *Config) Measured() (*scoring.Scorer, []vendor.Measure, error) {
	scorer := *c.Scoring
	scorer.Measured = true
	scorer.Signals = slices.Clone(scorer.Signals)
	var measures []vendor.Measure
	for _, chart := range charts {
		b := builtInNamed(chart.api)
		at := slices.IndexFunc(c.entries, func(e entry) bool { return e.builtIn == b })
		if at < 0 {
			at = len(scorer.Signals)
			factor := max(b.factor, 1) // 0 would be invalid; a signal with factor 0 does not use the factor
			scorer.Signals = append(scorer.Signals, b.signal(0, c.column(b.needs), 0, factor))
		}
		m := scoring.Measure{Name: chart.name, Signal: at}
		if b.needs == voiceChat {
			m.Fixed, m.Text = true, c.Schema.Intern("true")
		}
		measures = append(measures, vendor.Measure{Measure: m, Kind: chart.kind})
	}
	for i, e := range c.entries {
		if e.builtIn != nil {
			continue
		}
		kind := vendor.ShareMeasure
		switch scorer.Signals[i].(type) {
		case *scoring.PlayersNumber, *scoring.ServerNumber:
			kind = vendor.DifferenceMeasure
		}
		if slices.ContainsFunc(measures, func(m vendor.Measure) bool { return m.Name == e.name }) {
			return nil, nil, fmt.Errorf("%s: %s: got the name of a metric in the results, expected another name", e.at.Position(), e.label)
		}
		measures = append(measures, vendor.Measure{Measure: scoring.Measure{Name: e.name, Signal: i}, Kind: kind})
	}
	return &scorer, measures, nil
}
