package matchmaker

import "mmsim/cmd/mmsim/schema"

// Schema returns the JSON Schema of the messages from both sides.
func Schema() schema.Schema {
	text, number, truth := of("string"), of("number"), of("boolean")
	whole := of("integer")
	texts := schema.List(text, 0)
	team := object(fields{"name": text, "min": whole, "max": whole}, "name", "min", "max")
	attributes := of("object")
	player := object(fields{"id": text, "attributes": attributes, "entity": attributes, "rtt_ms": schema.Map(number)}, "id", "attributes")
	ticket := object(fields{
		"id": text, "party": text, "created_s": number, "give_up_s": number, "attributes": attributes, "players": schema.List(player, 1),
	}, "id", "created_s", "players")
	session := object(fields{
		"id": text, "datacenter": text, "created_s": number, "open": whole,
		"teams": schema.List(object(fields{"name": text, "players": schema.List(player, 0)}, "players"), 0),
	}, "id", "open", "teams")
	proposal := fields{"tickets": texts, "teams": schema.List(texts, 0), "datacenter": text}
	backfill := fields{"session": text, "tickets": texts, "teams": schema.List(texts, 0), "datacenter": text}
	version := schema.Schema{"const": 1}
	messages := []struct {
		title string
		takes schema.Schema
	}{
		{"mmsim opens the exchange", object(fields{
			"hello": version, "queue": text, "run": whole, "seed": whole, "datacenters": texts,
			"match": object(fields{"min": whole, "max": whole, "teams": schema.List(team, 0), "min_teams": whole}, "min", "max"),
			"rules": of("object"), "tick_s": number, "give_up_s": number, "backfill": truth,
		}, "hello", "queue", "run", "seed", "datacenters", "match", "tick_s")},
		{"the matchmaker answers", object(fields{"hello": version, "name": text, "version": text, "full": truth}, "hello")},
		{"mmsim asks", object(fields{
			"pass": whole, "now_s": number, "datacenter": text, "add": schema.List(ticket, 0),
			"remove":   schema.List(object(fields{"id": text, "why": text}, "id", "why"), 0),
			"accepted": schema.List(object(fields{"pass": whole, "proposal": whole, "match": text}, "proposal", "match"), 0),
			"dropped":  schema.List(object(fields{"pass": whole, "proposal": whole, "why": text}, "proposal", "why"), 0),
			"sessions": object(fields{"add": schema.List(session, 0), "remove": texts}),
		}, "pass", "now_s", "add", "remove", "accepted", "dropped")},
		{"the matchmaker proposes", object(fields{
			"matches": schema.List(object(proposal, "tickets"), 0), "backfills": schema.List(object(backfill, "session", "tickets"), 0), "why": schema.Map(text),
		})},
		{"mmsim ends the exchange", object(fields{"bye": text}, "bye")},
		{"either side ends the run", object(fields{"error": text}, "error")},
	}
	var any []schema.Schema
	for _, m := range messages {
		any = append(any, m.takes.With("title", m.title))
	}
	return schema.Any(any...)
}

type fields map[string]schema.Schema

func of(kind string) schema.Schema { return schema.Schema{"type": kind} }

// object returns the schema of an object with the given members. It allows other members,
// because both sides ignore them.
func object(members fields, required ...string) schema.Schema {
	return schema.Object(members, required...).With("additionalProperties", true)
}
