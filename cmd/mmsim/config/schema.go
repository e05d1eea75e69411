package config

import (
	"regexp"

	"mmsim/cmd/mmsim/value"
)

// Schema returns the JSON Schema of configurations.
func Schema() value.Schema {
	return described().keys.Schema().With("type", []string{"object", "null"})
}

// TopKeys lists the keys at the top of a configuration, most of which are sections.
func TopKeys() []string { return described().keys.Names() }

// SchemasOfKeys returns the JSON Schemas of all keys that --set accepts, including sections. In
// keys such as players.parties.2, the user chooses the last part. patterns has the schemas of
// such keys, by regular expression.
func SchemasOfKeys() (keys, patterns map[string]value.Schema) {
	all := described().keys
	keys, patterns = map[string]value.Schema{}, map[string]value.Schema{}
	for _, s := range all.Keys {
		for j, letter := range s.Path {
			if section := s.Path[:j]; letter == '.' && all.Find(section) == nil {
				keys[section] = value.Schema{"type": []string{"object", "null"}}
			}
		}
		keys[s.Path] = all.SchemaAt(s.Path)
		if s.Entry != nil {
			patterns["^"+regexp.QuoteMeta(s.Path+".")+"[^.]+$"] = s.Schema()["additionalProperties"].(value.Schema)
		}
	}
	patterns[`^rules\.`] = value.Schema{} // the ruleset's dialect checks these
	patterns[`^queues(\[|\.).`] = value.Schema{}
	return keys, patterns
}
