package config

import (
	"regexp"

	"mmsim/cmd/mmsim/schema"
)

// Schema returns the schema of configurations.
func Schema() schema.Schema { return newLoader().schemaAt("") }

// SchemasOfKeys returns the schema of the value of every key that --set accepts and of every
// section. patterns has, by regular expression, those of keys whose last part is data, such
// as players.parties.2.
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
	patterns[`^rules\.`] = schema.Schema{}        // keys inside a vendor's file, which its dialect checks
	patterns[`^queues(\[|\.).`] = schema.Schema{} // keys of one queue
	return keys, patterns
}
