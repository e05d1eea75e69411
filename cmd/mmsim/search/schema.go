package search

import (
	"slices"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/value"
	"mmsim/reports/judge"
)

// AnyMetric and anyRange refer to definitions in the schema, which are used in several places.
var (
	AnyMetric = value.Schema{"$ref": "#/definitions/metric"}
	anyRange  = value.Schema{"$ref": "#/definitions/range"}
	anyBest   = value.Schema{"$ref": "#/definitions/best"}
)

// settingsSchema returns the schema of a mapping from configuration keys to lists of values or
// ranges. It leaves out the keys in excluded. choosesSets says that mmsim may choose sets of datacenters.
func settingsSchema(excluded []string, choosesSets bool) value.Schema {
	axis := func(one value.Schema) value.Schema {
		s := value.AnySchema(value.ListSchema(one, 1), anyRange)
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
		keys[judge.UseKey] = value.AnySchema(keys[judge.UseKey], anyBest)
	}
	for pattern, one := range patterns {
		patterns[pattern] = axis(one)
	}
	return value.ObjectSchema(keys).With("patternProperties", patterns).With("minProperties", 1)
}
