package gate

import (
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/reports/judge"
	"mmsim/reports/outcome"
)

// Schema returns the JSON Schema of gate files.
func Schema() schema.Schema {
	limits := limitKeys()
	limits[MinPlayersKey] = minPlayers.Schema().With("description", "Skip a metric that describes fewer players.")
	return metricsSchema(limits).With("minProperties", 1)
}

// ConstraintsSchema returns the JSON Schema of the constraints in a tuning file.
func ConstraintsSchema() schema.Schema { return metricsSchema(limitKeys()) }

// MetricSchema returns the JSON Schema for the name of a metric.
func MetricSchema() schema.Schema {
	return schema.Any(schema.Words(outcome.Names(outcome.Metrics())), schema.Schema{"type": "string"})
}

// metricsSchema returns the schema of a mapping from metrics to limits. Editors propose the
// keys that it lists. It also accepts other keys, such as the metrics of one continent or one
// rule.
func metricsSchema(limits map[string]schema.Schema) schema.Schema {
	var kinds []string
	for _, kind := range judge.LimitKinds {
		kinds = append(kinds, string(kind))
	}
	line := schema.Object(limits).With("anyOf", schema.Needs(kinds...))
	metrics := map[string]schema.Schema{}
	for _, m := range outcome.Metrics() {
		metrics[m.Name] = schema.Schema{"$ref": "#/definitions/limits", "description": m.Meaning}
	}
	return schema.Map(schema.Schema{"$ref": "#/definitions/limits"}).
		With("properties", metrics).
		With("definitions", map[string]any{"limits": line})
}

func limitKeys() map[string]schema.Schema {
	keys := map[string]schema.Schema{}
	for _, kind := range judge.LimitKinds {
		keys[string(kind)] = value.AmountSchema()
	}
	return keys
}
