package matchmaker

import "mmsim/cmd/mmsim/value"

// Schema returns the JSON Schema of the messages from both sides.
func Schema() value.Schema {
	text, number, truth := of("string"), of("number"), of("boolean")
	whole := of("integer")
	texts := value.ListSchema(text, 0)
	team := object(fields{"name": text, "min": whole, "max": whole}, "name", "min", "max")
	attributes := of("object")
	player := object(fields{"id": text, "attributes": attributes, "entity": attributes, "rtt_ms": value.MapSchema(number)}, "id", "attributes")
	ticket := object(fields{
		"id": text, "party": text, "created_s": number, "give_up_s": number, "attributes": attributes, "players": value.ListSchema(player, 1),
	}, "id", "created_s", "players")
	session := object(fields{
		"id": text, "datacenter": text, "created_s": number, "open": whole,
		"teams": value.ListSchema(object(fields{"name": text, "players": value.ListSchema(player, 0)}, "players"), 0),
	}, "id", "open", "teams")
	proposal := fields{"tickets": texts, "teams": value.ListSchema(texts, 0), "datacenter": text}
	backfill := fields{"session": text, "tickets": texts, "teams": value.ListSchema(texts, 0), "datacenter": text}
	version := value.Schema{"const": 1}
	messages := []struct {
		title string
		takes value.Schema
	}{
		{"mmsim opens the exchange", object(fields{
			"hello": version, "queue": text, "run": whole, "seed": whole, "datacenters": texts,
			"match": object(fields{"min": whole, "max": whole, "teams": value.ListSchema(team, 0), "min_teams": whole}, "min", "max"),
			"rules": of("object"), "tick_s": number, "give_up_s": number, "backfill": truth,
		}, "hello", "queue", "run", "seed", "datacenters", "match", "tick_s")},
		{"the matchmaker answers", object(fields{"hello": version, "name": text, "version": text, "full": truth}, "hello")},
		{"mmsim asks", object(fields{
			"pass": whole, "now_s": number, "datacenter": text, "add": value.ListSchema(ticket, 0),
			"remove":   value.ListSchema(object(fields{"id": text, "why": text}, "id", "why"), 0),
			"accepted": value.ListSchema(object(fields{"pass": whole, "proposal": whole, "match": text}, "proposal", "match"), 0),
			"dropped":  value.ListSchema(object(fields{"pass": whole, "proposal": whole, "why": text}, "proposal", "why"), 0),
			"sessions": object(fields{"add": value.ListSchema(session, 0), "remove": texts}),
		}, "pass", "now_s", "add", "remove", "accepted", "dropped")},
		{"the matchmaker proposes", object(fields{
			"matches": value.ListSchema(object(proposal, "tickets"), 0), "backfills": value.ListSchema(object(backfill, "session", "tickets"), 0), "why": value.MapSchema(text),
		})},
		{"mmsim ends the exchange", object(fields{"bye": text}, "bye")},
		{"either side ends the run", object(fields{"error": text}, "error")},
	}
	var any []value.Schema
	for _, m := range messages {
		any = append(any, m.takes.With("title", m.title))
	}
	return value.AnySchema(any...)
}

type fields map[string]value.Schema

func of(kind string) value.Schema { return value.Schema{"type": kind} }

// object returns the schema of an object with the given members. It allows other members,
// because both sides ignore them.
func object(members fields, required ...string) value.Schema {
	return value.ObjectSchema(members, required...).With("additionalProperties", true)
}
