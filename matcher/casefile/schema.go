package casefile

import (
	"maps"
	"math"

	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/vendor"
)

// keywords has the keywords of a JSON Schema with their values.
type keywords = map[string]any

// Schema returns the JSON Schema (draft 7) of case files. It accepts every file that Read accepts.
// It also accepts some files that Read refuses, because a schema cannot express that ids are unique
// and that references are valid.
func Schema() map[string]any {
	alternatives := orNull(atLeastOne(expectation()))
	text := orNull(keywords{"type": "string"})
	dialects := []any{nil, ""}
	for _, name := range dialect.Names() {
		dialects = append(dialects, name)
	}
	return object(keywords{
		"name":     text,
		"source":   text,
		"why":      text,
		"dialect":  keywords{"enum": dialects},
		"follow":   keywords{"enum": []any{nil, vendor.FollowService.String(), vendor.FollowPage.String()}},
		"rules":    keywords{"type": []string{"object", "array", "string"}, "description": "the vendor's ruleset, or the name of its file"},
		"at":       secondsSchema(),
		"tickets":  list(ticketSchema(), TicketsMax),
		"sessions": orNull(list(sessionSchema(), SessionsMax)),
		"expect":   orNull(expectSchema()),
		"any_of":   alternatives,
	}, "rules", "at", "tickets")
}

// expectSchema returns the schema of the value of "expect", which contains either one expectation
// or a list "any_of" of alternatives.
func expectSchema() keywords {
	plain := expectation()
	plain["properties"].(keywords)["any_of"] = keywords{"type": "null"}
	return keywords{"anyOf": []any{plain, object(keywords{"any_of": atLeastOne(expectation())}, "any_of")}}
}

func ticketSchema() keywords {
	return object(keywords{
		"id":            name(),
		"created_at":    secondsSchema(),
		"give_up_after": orNull(keywords{"type": "number", "exclusiveMinimum": 0, "maximum": secondsMax}),
		"attributes":    anyObject(),
		"players":       atLeastOne(playerSchema()),
	}, "id", "created_at", "players")
}

func playerSchema() keywords {
	rtt := orNull(keywords{"type": "number", "minimum": 0, "maximum": rttMSMax})
	return object(keywords{
		"id":         name(),
		"attributes": anyObject(),
		"entity":     anyObject(),
		"latencies":  orNull(keywords{"type": "object", "additionalProperties": rtt}),
	}, "id")
}

func sessionSchema() keywords {
	text := orNull(keywords{"type": "string"})
	return object(keywords{
		"id":         name(),
		"created_at": secondsSchema(),
		"region":     text,
		"capacity":   orNull(keywords{"type": "integer", "minimum": 0, "maximum": uint32(math.MaxUint32)}),
		"attributes": anyObject(),
		"teams": orNull(keywords{"type": "array", "items": object(keywords{
			"name":    text,
			"players": orNull(keywords{"type": "array", "items": playerSchema()}),
		})}),
	}, "id", "created_at")
}

func expectation() keywords {
	text := keywords{"type": "string"}
	names := keywords{"type": "array", "items": text}
	teams := orNull(keywords{"type": "array", "items": names})
	match := object(keywords{"tickets": names, "teams": teams, "region": orNull(text)}, "tickets")
	backfill := object(keywords{"tickets": names, "teams": teams, "session": text}, "tickets", "session")
	return object(keywords{
		"matches":   orNull(keywords{"type": "array", "items": match}),
		"backfills": orNull(keywords{"type": "array", "items": backfill}),
		"scores":    orNull(keywords{"type": "object", "additionalProperties": keywords{"type": "number"}}),
		"chosen":    orNull(text),
		"unmatched": orNull(names),
		"expired":   orNull(names),
		"error":     orNull(text),
	})
}

func object(members keywords, required ...string) keywords {
	s := keywords{"type": "object", "properties": members, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func list(of keywords, most int) keywords {
	return keywords{"type": "array", "items": of, "maxItems": most}
}

func atLeastOne(of keywords) keywords {
	return keywords{"type": "array", "items": of, "minItems": 1}
}

// orNull returns a schema that also accepts null, because Read treats null as absent.
func orNull(s keywords) keywords {
	s = maps.Clone(s)
	if kind, ok := s["type"].(string); ok {
		s["type"] = []string{kind, "null"}
		return s
	}
	return keywords{"anyOf": []any{s, keywords{"type": "null"}}}
}

func name() keywords { return keywords{"type": "string", "minLength": 1} }

func secondsSchema() keywords { return keywords{"type": "number", "minimum": 0, "maximum": secondsMax} }

func anyObject() keywords { return orNull(keywords{"type": "object"}) }
