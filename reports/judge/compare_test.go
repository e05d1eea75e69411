package judge

import (
	"slices"
	"testing"
)

// A warning about metrics that only one sample has names the largest block that the other sample
// lacks.
func TestAppendBlock(t *testing.T) {
	other := blocksOf(map[string]*metricSample{"servers.metrics.ping_ms.avg": nil, "by_continent.EU.rtt_mean_ms": nil})
	for name, want := range map[string]string{
		"external.passes":              "external",
		"by_continent.AF.rtt_mean_ms":  "by_continent.AF",
		"servers.metrics.age.avg":      "servers.metrics.age",
		"servers.metrics.ping_ms.p10":  "servers.metrics.ping_ms.p10",
		"servers.signals.Latency.mean": "servers.signals",
	} {
		blocks := appendBlock(nil, name, other)
		if blocks = appendBlock(blocks, name, other); !slices.Equal(blocks, []string{want}) {
			t.Errorf("%s: got %q, want %q once", name, blocks, want)
		}
	}
}
