package config

import (
	"regexp"

	"mmsim/cmd/mmsim/schema"
)

// Schema returns the JSON Schema of configurations.
func Schema() schema.Schema { return newLoader().schemaAt("") }

// SchemasOfKeys returns the JSON Schemas of all keys that --set accepts, including sections. In
// keys such as players.parties.2, the user chooses the last part. patterns has the schemas of
// such keys, by regular expression.
func SchemasOfKeys() (keys, patterns map[string]schema.Schema) {
	l := newLoader()
	keys, patterns = map[string]schema.Schema{}, map[string]schema.Schema{}
	for i := range l.settings {
		s := &l.settings[i]
		for j, letter := range s.Path {
			if section := s.Path[:j]; letter == '.' && l.find(section) == nil {
				keys[section] = schema.Schema{"type": []string{"object", "null"}}
			}
		}
		keys[s.Path] = l.schemaAt(s.Path)
		if s.Entry != nil {
			patterns["^"+regexp.QuoteMeta(s.Path+".")+"[^.]+$"] = s.Schema()["additionalProperties"].(schema.Schema)
		}
	}
	patterns[`^rules\.`] = schema.Schema{} // the ruleset's dialect checks these
	patterns[`^queues(\[|\.).`] = schema.Schema{}
	return keys, patterns
}
