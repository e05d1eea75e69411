package outcome

import (
	"strings"
	"sync"
)

// Metrics lists the declared metrics in the order of summary.json. The caller must not change it.
var Metrics = sync.OnceValue(func() []Metric { return (*Expected)(nil).Metrics() })

// Names returns the names of metrics.
func Names(metrics []Metric) []string {
	names := make([]string, len(metrics))
	for i, m := range metrics {
		names[i] = m.Name
	}
	return names
}

// Find returns the metric with this name. In its Name, Base and Whole, keys from name replace the
// stars.
func Find(name string) (Metric, bool) {
	for _, m := range Metrics() {
		if keys, is := starKeys(m.Name, name); is {
			return m.of(keys), true
		}
	}
	return Metric{}, false
}

// InWords returns the name of a metric in words, such as "mean RTT in Europe" for
// by_continent.EU.rtt_mean_ms. A star in the name stays a star. InWords returns the name itself if
// there is no such metric.
func InWords(name string) string {
	for _, m := range Metrics() {
		if keys, is := starKeys(m.Name, name); is {
			return inWords(m.phrase, keys)
		}
	}
	return name
}

// BetterOf returns the direction of the metric with this name, or BetterNot if there is none.
func BetterOf(name string) Better {
	m, _ := Find(name)
	return m.Better
}

// PlayersOf returns the name of the metric that counts the players whom the named metric
// describes. This is the metric's base, or the metric with the key players or count in the same
// block. A metric of the block players counts its own. PlayersOf returns "" if there is none.
func PlayersOf(name string) string {
	m, is := Find(name)
	if !is {
		return ""
	}
	block := name[:strings.LastIndexByte(name, '.')+1]
	candidates := []string{m.Base, block + "players", block + "count"}
	if strings.HasSuffix("."+block, ".players.") {
		candidates = append(candidates, name)
	}
	for _, candidate := range candidates {
		if of, is := Find(candidate); is && of.Unit == unitPlayers {
			return candidate
		}
	}
	return ""
}

// IsGroup reports whether a metric belongs to a group: a datacenter, continent, hour, party size
// or decile.
func IsGroup(name string) bool { return strings.HasPrefix(name, "by_") }
