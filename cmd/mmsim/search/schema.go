package search

import (
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/schema"
	"mmsim/reports/judge"
)

// AnyMetric and anyRange refer to definitions in the schema, which are used in several places.
var (
	AnyMetric = schema.Schema{"$ref": "#/definitions/metric"}
	anyRange  = schema.Schema{"$ref": "#/definitions/range"}
	anyBest   = schema.Schema{"$ref": "#/definitions/best"}
)

// settingsSchema returns the schema of a mapping from configuration keys to lists of values or
// ranges. It leaves out the keys in excluded. choosesSets says that mmsim may choose sets of datacenters.
func settingsSchema(excluded []string, choosesSets bool) schema.Schema {
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
	if choosesSets {
		keys[judge.UseKey] = schema.Any(keys[judge.UseKey], anyBest)
	}
	for pattern, one := range patterns {
		patterns[pattern] = axis(one)
	}
	return schema.Object(keys).With("patternProperties", patterns).With("minProperties", 1)
}
