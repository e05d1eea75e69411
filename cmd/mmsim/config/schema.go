package config

import (
	"regexp"

	"mmsim/cmd/mmsim/schema"
)

// Schema returns the JSON Schema of configurations.
func Schema() schema.Schema {
	return described().keys.Schema().With("type", []string{"object", "null"})
}

// TopKeys lists the keys at the top of a configuration, most of which are sections.
func TopKeys() []string { return described().keys.Names() }

// SchemasOfKeys returns the JSON Schemas of all keys that --set accepts, including sections. In
// keys such as players.parties.2, the user chooses the last part. patterns has the schemas of
// such keys, by regular expression.
func SchemasOfKeys() (keys, patterns map[string]schema.Schema) {
	all := described().keys
	keys, patterns = map[string]schema.Schema{}, map[string]schema.Schema{}
	for _, s := range all.Keys {
		for j, letter := range s.Path {
			if section := s.Path[:j]; letter == '.' && all.Find(section) == nil {
				keys[section] = schema.Schema{"type": []string{"object", "null"}}
			}
		}
		keys[s.Path] = all.SchemaAt(s.Path)
		if s.Entry != nil {
			patterns["^"+regexp.QuoteMeta(s.Path+".")+"[^.]+$"] = s.Schema()["additionalProperties"].(schema.Schema)
		}
	}
	patterns[`^rules\.`] = schema.Schema{} // the ruleset's dialect checks these
	patterns[`^queues(\[|\.).`] = schema.Schema{}
	return keys, patterns
}
