package gate

import (
	"mmsim/cmd/mmsim/value"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
)

// Schema returns the JSON Schema of gate files.
func Schema() value.Schema {
	limits, metrics := Definition(true)
	return metrics.With("minProperties", 1).With("definitions", limits)
}

// Constraints returns the Value of the constraints of a tuning. Its schema needs the first result of
// Definition.
func Constraints(g *File) value.Value {
	v := lines(&g.Lines, false)
	v.Schema = func() value.Schema {
		_, metrics := Definition(false)
		return metrics
	}
	return v
}

// Definition returns the schema of a mapping from metrics to limits, and the definition that it refers
// to. Editors propose the keys that it lists. It also accepts other keys, such as the metrics of one
// continent or one rule.
func Definition(isGate bool) (definition map[string]any, metrics value.Schema) {
	one := value.Schema{"$ref": "#/definitions/limits"}
	keys := map[string]value.Schema{}
	for _, m := range outcome.Metrics() {
		keys[m.Name] = one.With("description", m.Meaning)
	}
	for measure := range result.Measures {
		if isGate {
			keys[measure.String()] = one.With("description", "distribution of the "+measure.Words()+"; only with max_distance")
			if measure.IsPerQueue() {
				keys["queues.*."+measure.String()] = one.With("description", "distribution of the "+measure.Words()+" in each of several queues; only with max_distance")
			}
		}
	}
	return map[string]any{"limits": limits(new(Line), isGate).Schema()},
		value.MapSchema(one).With("properties", keys)
}

// MetricSchema returns the JSON Schema for the name of a metric.
func MetricSchema() value.Schema {
	return value.AnySchema(value.WordsSchema(outcome.Names(outcome.Metrics())), value.Schema{"type": "string"})
}
