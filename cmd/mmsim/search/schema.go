package search

import (
	"maps"
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment"
	"mmsim/cmd/mmsim/gate"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
)

// SweepSchema returns the JSON Schema of sweep files.
func SweepSchema() schema.Schema {
	r := rangeSchema().With("oneOf", schema.Needs("step", "steps"))
	return schema.Object(map[string]schema.Schema{
		"config":   schema.Filled().With("description", "the configuration to start from"),
		"runs":     value.Whole(new(int), 1, experiment.ReplicationsMax).Schema().With("description", "number of replications of each combination"),
		"settings": settingsSchema([]string{judging}).With("description", "keys of the configuration, each with its values"),
		"metrics":  schema.List(anyMetric, 1).With("description", "metrics to show; \"mmsim help metrics\" lists them"),
		"guard":    gate.GuardSchema().With("description", "how much worse than the best combination another may be and still be good, by metric; none to disable it"),
	}, "settings").With("definitions", map[string]any{"range": r, "metric": gate.MetricSchema()})
}

// anyMetric and anyRange refer to definitions in the schema, which are used in several places.
var (
	anyMetric = schema.Schema{"$ref": "#/definitions/metric"}
	anyRange  = schema.Schema{"$ref": "#/definitions/range"}
)

// TuneSchema returns the JSON Schema of tuning files.
func TuneSchema() schema.Schema {
	r := rangeSchema().With("not", schema.Schema{"required": []string{"step", "steps"}})
	metrics := schema.Any(anyMetric, schema.List(anyMetric, 1).With("maxItems", goalsMax))
	constraints := gate.ConstraintsSchema()
	definitions := map[string]any{"range": r, "metric": gate.MetricSchema()}
	maps.Copy(definitions, constraints["definitions"].(map[string]any))
	delete(constraints, "definitions")
	return schema.Object(map[string]schema.Schema{
		"config":      schema.Filled().With("description", "the initial configuration"),
		"runs":        value.Whole(new(int), 1, experiment.ReplicationsMax).Schema().With("description", "number of replications of each trial"),
		"settings":    settingsSchema(slices.Concat(notTunable, []string{judging})).With("description", "keys of the configuration to search, each with its range or its values"),
		"minimise":    metrics.With("description", "a metric to minimise, or a list; at most three metrics in minimise and maximise together"),
		"maximise":    metrics.With("description", "a metric to maximise, or a list; at most three metrics in minimise and maximise together"),
		"constraints": constraints.With("description", "metrics and their limits, as in a gate file"),
		"guard":       gate.GuardSchema().With("description", "how much worse than the initial configuration the best may be, by metric; none to disable it"),
		"budget": schema.One(map[string]schema.Schema{
			"runs":    value.Whole(new(int), 1, sweepJobsMax).Schema(),
			"minutes": minutesLimits.Schema(),
		}).With("description", "how much to simulate: runs of the whole day, of which a trial with half of the day counts as one half; or minutes"),
		"start": value.Whole(new(int), startMin, sweepPointsMax).Schema().With("description", "number of first trials, which are spread over all ranges"),
		"halve": schema.Words(halves).With("description", "how the first trials are shortened: fewer hours, fewer joins, or not at all"),
	}, "settings").
		With("anyOf", schema.Needs("minimise", "maximise")).
		With("definitions", definitions)
}

// rangeSchema returns the schema of a range of values.
func rangeSchema() schema.Schema {
	amount := schema.Any(schema.Schema{"type": "number"}, schema.Pattern(value.DurationPattern))
	return schema.Object(map[string]schema.Schema{
		"from": amount, "to": amount, "step": amount,
		"steps": value.Whole(new(int), 2, sweepPointsMax).Schema(),
		"scale": schema.Words(scales),
	}, "from", "to")
}

// settingsSchema returns the schema of a mapping from configuration keys to lists of values or
// ranges. It leaves out the keys in excluded.
func settingsSchema(excluded []string) schema.Schema {
	axis := func(one schema.Schema) schema.Schema {
		s := schema.Any(schema.List(one, 1), anyRange)
		if about, ok := one["description"]; ok {
			s["description"] = about
			delete(one, "description")
		}
		return s
	}
	keys, patterns := config.SchemasOfKeys()
	for key, one := range keys {
		if slices.ContainsFunc(excluded, func(not string) bool { return key == not || strings.HasPrefix(key, not+".") }) {
			delete(keys, key)
			continue
		}
		keys[key] = axis(one)
	}
	for pattern, one := range patterns {
		patterns[pattern] = axis(one)
	}
	return schema.Object(keys).With("patternProperties", patterns).With("minProperties", 1)
}
