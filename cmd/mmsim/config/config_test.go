package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/builtin"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/vendor"
	"mmsim/sim"
)

// load applies a configuration text as if it were in the file "mmsim.yaml".
func load(text string) (*Config, error) {
	l := newLoader()
	root, err := yamltree.ParseFile("mmsim.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	if err := l.apply(root); err != nil {
		return nil, err
	}
	return l.config, l.finish()
}

// unplaced returns a copy of c without the positions of its settings.
func unplaced(c *Config) *Config {
	bare := *c
	bare.written = nil
	return &bare
}

// set returns the overrides for values of --set.
func set(t *testing.T, texts ...string) []Override {
	t.Helper()
	var list []Override
	for _, text := range texts {
		o, err := ParseOverride("set", text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

// Each text has one mistake. The message must begin with its position, and name the value and
// what was expected.
var configErrors = []struct {
	name, text string
	want       string // the whole first line, or its beginning if want ends in "…"
}{
	{"unknown key", "sead: 2", `mmsim.yaml:1:1: unknown key "sead"; did you mean seed?`},
	{"unknown nested key", "match:\n  sise: 4", `mmsim.yaml:2:3: unknown key "match.sise"; did you mean match.size?`},
	{"unknown, far from all", "colour: red", `mmsim.yaml:1:1: unknown key "colour"; "mmsim help config" lists the keys`},
	{"queues without a list", "match: {size: 4}\nqueues: 4", `mmsim.yaml:2:9: queues: got "4", expected a list of up to 64 queues, …`},
	{"queue without a name", "queues:\n- {share: 1}", `mmsim.yaml:2:3: queues[0].name: got nothing, expected a name`},
	{"queue of words", "queues: [duel]", `mmsim.yaml:1:10: queues[0]: got "duel", expected a mapping with some of the keys name, share, when, placement, match, rules, dialect, external, matcher`},
	{"queues of one name", "queues:\n- {name: a, share: 0.5}\n- {name: a, share: 0.5}", `mmsim.yaml:3:3: queues[1].name: got "a" twice, expected it once`},
	{"queue with both", "queues: [{name: a, share: 0.5, when: {mode: duel}}]", `mmsim.yaml:1:10: queues[0]: got both share and when, expected one of them`},
	{"queue, wrong key", "queues: [{name: a, sise: 4}]", `mmsim.yaml:1:20: unknown key "queues[0].sise"…`},
	{"queue, wrong value", "queues:\n- name: a\n  match: {size: 1}", `mmsim.yaml:3:17: queues[0].match.size: got "1", expected a whole number from 2 to 200`},
	{"queue, when of two", "queues: [{name: a, when: {mode: duel, map: dust}}]", `mmsim.yaml:1:26: queues[0].when: got a mapping, expected one attribute and its value, such as {mode: ranked}`},
	{"queues, shares", "queues: [{name: a, share: 0.5}, {name: b, share: 0.4}]", `mmsim.yaml:1:10: queues: got shares that sum to 0.9, expected 1`},
	{"queues, two for the rest", "queues: [{name: a}, {name: b}]", `mmsim.yaml:1:21: queues[1]: got neither share nor when, expected one of them: queues[0] takes all other players already`},
	{"queues, share and rest", "queues: [{name: a, share: 1}, {name: b}]", `mmsim.yaml:1:31: queues[1]: got neither share nor when, expected one of them: other queues have a share`},
	{"give up at once", "players: {give_up_after: 0s}", `mmsim.yaml:1:26: players.give_up_after: got "0s", expected a duration from 1ms to 24h …`},
	{"servers without seats", "servers:\n  capacity: -1", `mmsim.yaml:2:13: servers.capacity: got "-1", expected a whole number from 0 to 1000000`},
	{"session of nothing", "servers: {session: 90m}", `mmsim.yaml:1:20: servers.session: got "90m", expected one of {weibull: …`},
	{"session misspelt", "servers: {session: {weibul: {shape: 1, scale: 1m}}}", `mmsim.yaml:1:21: servers.session: unknown key "weibul"; did you mean weibull?; expected weibull, constant, exponential, lognormal`},
	{"session of two", "servers: {session: {constant: 1m, exponential: 1m}}", `mmsim.yaml:1:20: servers.session: got both constant and exponential, expected one of …`},
	{"session, parameter missing", "servers: {session: {weibull: {shape: 1}}}", `mmsim.yaml:1:30: servers.session.weibull: scale is missing, expected a duration from 1ms to 24h …`},
	{"session, parameter", "servers: {session: {exponential: 0s}}", `mmsim.yaml:1:34: servers.session.exponential: got "0s", expected a duration from 1ms …`},
	{"server attribute of a list", "servers: {attributes: {Mode: [a]}}", `mmsim.yaml:1:30: servers.attributes.Mode: got a list, expected a value, or a mapping of datacenters and default to values`},
	{"server attribute of nothing somewhere", "servers: {attributes: {Mode: {tokyo: }}}", `mmsim.yaml:1:31: servers.attributes.Mode.tokyo: got nothing, expected a value`},
	{"matcher without steps", "matcher: {budget: 0}", `mmsim.yaml:1:19: matcher.budget: got "0", expected a whole number from 1 to 2147483647`},
	{"basis", "matcher: {expansion_basis: any}", `mmsim.yaml:1:28: matcher.expansion_basis: got "any", expected longest or shortest`},
	{"dialect", "dialect: playfap", `mmsim.yaml:1:10: dialect: got "playfap" (did you mean playfab?), expected ` + input.Either(dialect.Names()) + `, or nothing`},
	{"rules in a list", "rules: [a.json]", `mmsim.yaml:1:8: rules: got a list, expected the name of a file, or {file: …, set: {key in the file: value}}`},
	{"region of nothing", "regions: {EastUs: []}", `mmsim.yaml:1:19: regions.EastUs: got an empty list, expected a list of datacenters without repetition`},
	{"region with one twice", "regions:\n  EastUs: [a, b, a]", `mmsim.yaml:2:11: regions.EastUs: got "a" twice, expected a list of datacenters without repetition`},
	{"region of mappings", "regions: {EastUs: [{a: b}]}", `mmsim.yaml:1:19: regions.EastUs: got a mapping, expected a list of datacenters without repetition`},
	{"regions in a list", "regions: [EastUs]", `mmsim.yaml:1:10: regions: got a list, expected a mapping of regions to datacenters, such as {WestUs: [sanjose, seattle]}`},
	{"placement nowhere", "placement: pol", `mmsim.yaml:1:12: placement: got "pol" (did you mean pool?), expected datacenters, pool or servers, or nothing`},
	{"duplicate key", "seed: 1\nseed: 2", `mmsim.yaml:2:1: duplicate key "seed", which is already on line 1, expected it once`},
	{"size 1", "match:\n  size: 1", `mmsim.yaml:2:9: match.size: got "1", expected a whole number from 2 to 200`},
	{"size 201", "match: {size: 201}", `mmsim.yaml:1:15: match.size: got "201", expected a whole number from 2 to 200`},
	{"size text", "match: {size: four}", `mmsim.yaml:1:15: match.size: got "four", expected a whole number from 2 to 200`},
	{"size quoted", `match: {size: "4"}`, `mmsim.yaml:1:15: match.size: got the text "4", expected a whole number from 2 to 200`},
	{"size fraction", "match: {size: 4.5}", `mmsim.yaml:1:15: match.size: got "4.5", expected a whole number from 2 to 200`},
	{"size list", "match: {size: [4]}", `mmsim.yaml:1:15: match.size: got a list, expected a whole number from 2 to 200`},
	{"size mapping", "match: {size: {a: 4}}", `mmsim.yaml:1:15: match.size: got a mapping, expected a whole number from 2 to 200`},
	{"size nothing", "match:\n  size:", `mmsim.yaml:2:3: match.size: got nothing, …`},
	{"negative seed", "seed: -1", `mmsim.yaml:1:7: seed: got "-1", expected a whole number from 0 to 2^64-1`},
	{"seed too large", "seed: 18446744073709551616", `mmsim.yaml:1:7: seed: got "18446744073709551616", …`},
	{"section with a value", "match: 4", `mmsim.yaml:1:8: match: got "4", expected a mapping with some of the keys size, length, …`},
	{"not a mapping", "- 1", `mmsim.yaml:1:1: got a list, expected a mapping with some of the keys seed, …`},
	{"size without unit", "matcher: {memory: 1024}", `mmsim.yaml:1:19: matcher.memory: got "1024", expected a size from 1MiB to 4GiB in MiB or GiB, such as 512MiB`},
	{"size beyond the limit", "matcher: {memory: 5GiB}", `mmsim.yaml:1:19: matcher.memory: got "5GiB", expected a size from 1MiB to 4GiB …`},
	{"duration without unit", "clock: {tick: 5}", `mmsim.yaml:1:15: clock.tick: got "5" without a unit, expected a duration from 1ms to 1h …`},
	{"duration nonsense", "clock: {tick: soon}", `mmsim.yaml:1:15: clock.tick: got "soon", expected a duration …`},
	{"duration negative", "clock: {warmup: -1s}", `mmsim.yaml:1:17: clock.warmup: got "-1s", expected auto, or a duration from 0s to 24h …`},
	{"duration too fine", "clock: {tick: 1500us}", `mmsim.yaml:1:15: clock.tick: got "1500us", expected …`},
	{"tick zero", "clock: {tick: 0s}", `mmsim.yaml:1:15: clock.tick: got "0s", expected a duration from 1ms …`},
	{"tick plain zero", "clock: {tick: 0}", `mmsim.yaml:1:15: clock.tick: got "0", expected a duration from 1ms …`},
	{"duration zero", "clock: {duration: 0s}", `mmsim.yaml:1:19: clock.duration: got "0s", …`},
	{"duration beyond the clock", "clock: {duration: 367d}", `mmsim.yaml:1:19: clock.duration: got "367d", expected a duration from 1ms to 366d …`},
	{"warmup beyond a day", "clock: {warmup: 25h}", `mmsim.yaml:1:17: clock.warmup: got "25h", …`},
	{"tick above duration", "clock:\n  tick: 10s\n  duration: 5s", `mmsim.yaml:3:13: clock.tick is 10s, clock.duration is 5s, expected at least one tick in clock.duration`},
	{"thresholds out of order", "states:\n  ideal: {rtt: 100ms}\n  expand: {rtt: 50ms}", `mmsim.yaml:3:17: states.ideal.rtt is 100ms, states.expand.rtt is 50ms, expected states.expand.rtt at or above states.ideal.rtt`},
	{"thresholds, one written", "states:\n  ideal: {rtt: 150ms}", `mmsim.yaml:2:16: states.ideal.rtt is 150ms, states.expand.rtt is 100ms, …`},
	{"probability 1", "players: {play_again: 1}", `mmsim.yaml:1:23: players.play_again: got "1", expected a share of at least 0 and below 1, such as 0.25 or 25%`},
	{"probability negative", "players: {play_again: -0.1}", `mmsim.yaml:1:23: players.play_again: got "-0.1", …`},
	{"probability NaN", "players: {play_again: .nan}", `mmsim.yaml:1:23: players.play_again: got ".nan", …`},
	{"fudge too low", "latency: {fudge: 0.09}", `mmsim.yaml:1:18: latency.fudge: got "0.09", expected a number from 0.1 to 10`},
	{"fudge too high", "latency: {fudge: 11}", `mmsim.yaml:1:18: latency.fudge: got "11", …`},
	{"last mile too long", "latency: {last_mile: {median: 1001ms}}", `mmsim.yaml:1:31: latency.last_mile.median: got "1001ms", expected a duration from 0s to 1s …`},
	{"last mile too wide", "latency: {last_mile: {sigma: 3.1}}", `mmsim.yaml:1:30: latency.last_mile.sigma: got "3.1", expected a number from 0 to 3`},
	{"probability infinite", "players: {play_again: .inf}", `mmsim.yaml:1:23: players.play_again: got ".inf", …`},
	{"scale zero", "dataset: {scale: 0}", `mmsim.yaml:1:18: dataset.scale: got "0", expected a number above 0 and at most 10000`},
	{"days zero", "dataset: {days: 0}", `mmsim.yaml:1:17: dataset.days: got "0", …`},
	{"boolean", "dataset: {spread: yes}", `mmsim.yaml:1:19: dataset.spread: got "yes", expected true or false`},
	{"fallback", "latency: {fallback: modle}", `mmsim.yaml:1:21: latency.fallback: got "modle" (did you mean model?), expected model, line or fibre`},
	{"records", "output: {records: paquet}", `mmsim.yaml:1:19: output.records: got "paquet" (did you mean parquet?), expected none, csv or parquet`},
	{"then", "states: {warmbody: {then: bot}}", `mmsim.yaml:1:27: states.warmbody.then: got "bot" (did you mean bots?), expected failed or bots`},
	{"preset", "dataset: {builtin: {preset: wrold}}", `mmsim.yaml:1:29: dataset.builtin.preset: got "wrold" (did you mean world?), …`},
	{"date", "dataset: {builtin: {date: 2026-02-30}}", `mmsim.yaml:1:27: dataset.builtin.date: got "2026-02-30", expected a day …`},
	{"column kind", "dataset:\n  columns:\n    mmr: numbr", `mmsim.yaml:3:10: dataset.columns.mmr: got "numbr" (did you mean number?), expected text, list or number`},
	{"party size 0", "players: {parties: {0: 1}}", `mmsim.yaml:1:21: players.parties: got party size "0", expected a mapping of party sizes (1 to 200) …`},
	{"party share", "players: {parties: {1: 1.5}}", `mmsim.yaml:1:24: players.parties.1: got "1.5", expected a share from 0 to 1, such as 0.25 or 25%`},
	{"party sum", "players:\n  parties: {1: 0.5, 2: 0.4}", `mmsim.yaml:2:12: players.parties is {1: 0.5, 2: 0.4}, expected shares that sum to 1, not 0.9`},
	{"patience descends in waits", "players:\n  patience: {10s: 2%, 5s: 9%}", `mmsim.yaml:2:23: players.patience: got "5s" after "10s", expected waits in ascending order`},
	{"patience twice", "players: {patience: {60s: 2%, 1m: 9%}}", `mmsim.yaml:1:31: players.patience: got "1m" after "60s", expected waits in ascending order`},
	{"patience descends in shares", "players:\n  patience: {10s: 20%, 30s: 9%}", `mmsim.yaml:2:29: players.patience.30s: got "9%" after "20%", expected shares that do not decrease, because each includes the one before`},
	{"patience above 100 %", "players: {patience: {10s: 120%}}", `mmsim.yaml:1:27: players.patience.10s: got "120%", expected a share from 0 to 1, such as 0.25 or 25%`},
	{"patience at 0", "players: {patience: {0s: 1%}}", `mmsim.yaml:1:22: players.patience: got wait "0s", expected a mapping of waits …`},
	{"no parties", "players:\n  parties: {}", `mmsim.yaml:2:…`},
	{"length of nothing", "match: {length: {mean: 0s}}", `mmsim.yaml:1:24: match.length.mean: got "0s", …`},
	{"length, unknown part", "match: {length: {median: 1s}}", `mmsim.yaml:1:18: unknown key "match.length.median"…`},
	{"share of players above 1", "match: {acceptance: {accept: 1.1}}", `mmsim.yaml:1:30: match.acceptance.accept: got "1.1", expected a share from 0 to 1, such as 0.25 or 25%`},
	{"no time to answer", "match: {acceptance: {timeout: 0s}}", `mmsim.yaml:1:31: match.acceptance.timeout: got "0s", …`},
	{"no such part of acceptance", "match: {acceptance: {optional: true}}", `mmsim.yaml:1:22: unknown key "match.acceptance.optional"…`},
	{"broken YAML", "match: {size: 4", `mmsim.yaml:1:…`},
	{"tab indentation", "match:\n\tsize: 4", `mmsim.yaml:2:1: the text is not YAML: …`},
	{"alias", "seed: &a 1\nrun: *a", `mmsim.yaml:1:7: anchors, aliases and tags are not supported`},
	{"tag", "seed: !!int 1", `mmsim.yaml:1:7: anchors, aliases and tags are not supported`},
	{"two documents", "seed: 1\n---\nseed: 2", `mmsim.yaml:3:1: a second YAML document, expected one`},
	{"dotted key", "dataset.days: 3", `mmsim.yaml:1:1: unknown key "dataset.days": expected days inside the mapping dataset`},
	{"dotted key in a section", "match:\n  length.mean: 5m", `mmsim.yaml:2:3: unknown key "match.length.mean": expected mean inside the mapping length`},
	{"duplicate key in a section", "match: {size: 4, size: 5}", `mmsim.yaml:1:18: duplicate key "size", which is already on line 1, expected it once`},
	{"column of a fixed kind", "dataset:\n  columns: {mmr: number, latitude: text}", `mmsim.yaml:2:26: dataset.columns: got "latitude", whose kind is fixed, expected …`},
	{"column of measured RTTs", "dataset: {columns: {'rtt:paris': text}}", `mmsim.yaml:1:21: dataset.columns: got "rtt:paris", whose kind is fixed, …`},
	{"column that does not print", "dataset: {columns: {\"a\\tb\": text}}", `mmsim.yaml:1:21: dataset.columns: got "a\tb", which has characters that do not print, …`},
	{"attributes, no mapping", "players: {attributes: [mmr]}", `mmsim.yaml:1:23: players.attributes: got a list, expected a mapping of attribute names to generators, such as {mmr: {normal: {mean: 1500, sd: 300}}}`},
	{"attribute without a generator", "players: {attributes: {mmr: 5}}", `mmsim.yaml:1:29: players.attributes.mmr: got "5", expected one of the generators normal, lognormal, …`},
	{"attribute of two generators", "players: {attributes: {mmr: {constant: 5, choice: {a: 1}}}}", `mmsim.yaml:1:29: players.attributes.mmr: got both constant and choice, expected one of the generators …`},
	{"attribute of no generator", "players: {attributes: {mmr: {}}}", `mmsim.yaml:1:29: players.attributes.mmr: got an empty mapping, expected one of …`},
	{"attribute of nothing", "players: {attributes: {mmr: }}", `mmsim.yaml:1:24: players.attributes.mmr: got nothing, expected one of …`},
	{"attribute that is a place", "players: {attributes: {latitude: {constant: 5}}}", `mmsim.yaml:1:24: players.attributes: got "latitude", which says when, where or with whom a player joins, expected …`},
	{"attribute that does not print", "players: {attributes: {\"a\\tb\": {constant: 5}}}", `mmsim.yaml:1:24: players.attributes: got "a\tb", which is empty or has characters that do not print, …`},
	{"generator misspelt", "players:\n  attributes:\n    mmr: {nromal: {mean: 1}}", `mmsim.yaml:3:11: players.attributes.mmr: unknown key "nromal"; did you mean normal?; expected normal, lognormal, …`},
	{"generator without parameters", "players: {attributes: {mmr: {normal: 1500}}}", `mmsim.yaml:1:38: players.attributes.mmr.normal: got "1500", expected a mapping with some of the keys mean, sd, min, max, such as {mean: 1500, sd: 300, min: 0, max: 3000}`},
	{"generator, unknown parameter", "players: {attributes: {mmr: {normal: {maen: 1, sd: 1}}}}", `mmsim.yaml:1:39: players.attributes.mmr.normal: unknown key "maen"; did you mean mean?; expected mean, sd, min, max`},
	{"generator, parameter missing", "players: {attributes: {mmr: {normal: {mean: 1500}}}}", `mmsim.yaml:1:38: players.attributes.mmr.normal: sd is missing, expected a number above 0 and at most 1e+12`},
	{"generator, parameter", "players: {attributes: {mmr: {normal: {mean: 1500, sd: -3}}}}", `mmsim.yaml:1:55: players.attributes.mmr.normal.sd: got "-3", expected a number above 0 and at most 1e+12`},
	{"generator, ends crossed", "players: {attributes: {mmr: {normal: {mean: 1500, sd: 300, min: 5, max: 4}}}}", `mmsim.yaml:1:38: players.attributes.mmr.normal: min 5, max 4: expected min below max`},
	{"generator, nothing between", "players: {attributes: {mmr: {normal: {mean: 0, sd: 1, min: 3000}}}}", `mmsim.yaml:1:38: players.attributes.mmr.normal: min 3000, max +Inf: expected at least 1e-09 of the distribution …`},
	{"lognormal of halves", "players: {attributes: {age: {lognormal: {median: 20, sd: 5}}}}", `mmsim.yaml:1:41: players.attributes.age.lognormal: expected median and sigma, or mean and sd, all above 0`},
	{"constant of nothing", "players: {attributes: {age: {constant: }}}", `mmsim.yaml:1:30: players.attributes.age.constant: got nothing, expected a number from -1e+12 to 1e+12, a text or a list of texts, such as 5`},
	{"constant too large", "players: {attributes: {age: {constant: 1e999}}}", `mmsim.yaml:1:40: players.attributes.age.constant: got "1e999", expected a number from -1e+12 …`},
	{"constant of items", "players: {attributes: {maps: {constant: [a, {b: c}]}}}", `mmsim.yaml:1:45: players.attributes.maps.constant[1]: got a mapping, expected a text`},
	{"choice of a list", "players: {attributes: {build: {choice: [a]}}}", `mmsim.yaml:1:40: players.attributes.build.choice: got a list, expected a mapping of texts to weights, such as {"1.4": 0.9, "1.5": 0.1}`},
	{"choice, weight", "players: {attributes: {build: {choice: {a: -1}}}}", `mmsim.yaml:1:44: players.attributes.build.choice.a: got "-1", expected a number from 0 to 1000`},
	{"choice, no weight", "players: {attributes: {build: {choice: {a: 0}}}}", `mmsim.yaml:1:40: players.attributes.build.choice: all weights are 0: expected one above 0`},
	{"choice of numbers", "players: {attributes: {level: {choice: {a: 1}, kind: number}}}", `mmsim.yaml:1:40: players.attributes.level.choice: value "a": expected a number from -1e+100 to 1e+100 (MaxNumber)`},
	{"per misspelt", "players: {attributes: {level: {constant: 1, per: partys}}}", `mmsim.yaml:1:50: players.attributes.level.per: got "partys" (did you mean party?), expected player or party`},
	{"graph per party", "players: {attributes: {friends: {graph: {mean: 6, same_continent: 1}, per: party}}}", `mmsim.yaml:1:41: players.attributes.friends.graph: a graph per party: expected one per player`},
	{"kind misspelt", "players: {attributes: {level: {choice: {1: 1}, kind: numbr}}}", `mmsim.yaml:1:54: players.attributes.level.kind: got "numbr" (did you mean number?), expected text or number`},
	{"kind beside another", "players: {attributes: {level: {constant: 1, kind: number}}}", `mmsim.yaml:1:42: players.attributes.level.constant: got kind beside it, expected it only beside choice`},
	{"subset, sizes", "players: {attributes: {maps: {subset: {of: [a, b], min: 1, max: 3}}}}", `mmsim.yaml:1:39: players.attributes.maps.subset: min 1, max 3 of 2 items: expected 0 <= min <= max <= 2`},
	{"subset of a text", "players: {attributes: {maps: {subset: {of: a, min: 1, max: 3}}}}", `mmsim.yaml:1:44: players.attributes.maps.subset.of: got "a", expected a list of texts`},
	{"country", "players: {attributes: {language: {by_country: {FRA: fr}}}}", `mmsim.yaml:1:48: players.attributes.language.by_country: got "FRA", expected two letters of ISO 3166 such as FR, each country once, or default`},
	{"country twice", "players: {attributes: {language: {by_country: {FR: fr, fr: en}}}}", `mmsim.yaml:1:56: players.attributes.language.by_country: got "fr", …`},
	{"friends of another name", "players: {attributes: {pals: {graph: {mean: 6, same_continent: 0.9}}}}", `mmsim.yaml:1:38: players.attributes.pals.graph: a graph for "pals": only the attribute friends can have one`},
	{"friends without a graph", "players: {attributes: {friends: {constant: 5}}}", `mmsim.yaml:1:44: players.attributes.friends.constant: friends has no graph: expected one`},
	{"no output directory", "output: {dir: ''}", `mmsim.yaml:1:15: output.dir: got the text "", expected the name of a folder`},
	{"deep nesting", strings.Repeat("[", 100_000), `mmsim.yaml:1:33: more than 32 nested brackets, expected fewer`},
	{"deep mappings", strings.Repeat("{a: ", 50_000), `mmsim.yaml:1:129: more than 32 nested brackets, expected fewer`},
	{"too many words", strings.Repeat("- ", 100_000), `mmsim.yaml:1:20001: more than 10000 words and signs, expected a configuration`},
	{"too many anchors", strings.Repeat("&", 200_000), `mmsim.yaml:1:1: anchors, aliases and tags are not supported`},
	{"one limit of RTTs", "report: {limits: {rtt: {good: 30ms}}}", `mmsim.yaml:1:31: report.limits.rtt.good is 30ms, report.limits.rtt.fair is auto, expected durations for both of them, or auto`},
	{"limits of RTTs upside down", "report: {limits: {rtt: {good: 70ms, fair: 60ms}}}", `mmsim.yaml:1:43: report.limits.rtt.good is 70ms, report.limits.rtt.fair is 60ms, expected fair at or above good`},
	{"limit of no RTT", "report: {limits: {rtt: {good: 0ms, fair: 60ms}}}", `mmsim.yaml:1:31: report.limits.rtt.good: got "0ms", expected auto, or a duration from 1ms to 4s …`},
	{"limit without a unit", "report: {limits: {rtt: {good: 30, fair: 60}}}", `mmsim.yaml:1:31: report.limits.rtt.good: got "30" without a unit, expected auto, or a duration …`},
	{"limits as a list", "report: {limits: {rtt: [30ms, 60ms]}}", `mmsim.yaml:1:24: report.limits.rtt: got a list, expected a mapping with some of the keys good, fair`},
	{"limit beyond the usual one", "report: {limits: {wait: {good: 40s}}}", `mmsim.yaml:1:32: report.limits.wait.good is 40s, report.limits.wait.fair is auto, expected fair at or above good (auto: 30s)`},
	{"limit below the usual one", "report: {limits: {wait: {fair: 2s}}}", `mmsim.yaml:1:32: report.limits.wait.good is auto, report.limits.wait.fair is 2s, expected fair at or above good (auto: 10s)`},
	{"limit of nothing", "report: {limits: {wait: {good: null}}}", `mmsim.yaml:1:26: report.limits.wait.good: got nothing, expected auto, or …`},
	{"limit that is not a number", "report: {limits: {wait: {good: NaN}}}", `mmsim.yaml:1:32: report.limits.wait.good: got "NaN" without a unit, …`},
	{"share beyond the usual one", "report: {limits: {unmatched: {good: 5%}}}", `mmsim.yaml:1:37: report.limits.unmatched.good is 0.05, report.limits.unmatched.fair is auto, expected fair at or above good (auto: 1%)`},
	{"share too fine", "report: {limits: {unmatched: {good: 0.0000001}}}", `mmsim.yaml:1:37: report.limits.unmatched.good: got "0.0000001", expected auto, or a share from 0 to 1 in steps of 0.00001, such as 0.01 or 1%`},
	{"share above all", "report: {limits: {unmatched: {fair: 101%}}}", `mmsim.yaml:1:37: report.limits.unmatched.fair: got "101%", …`},
	{"share below none", "report: {limits: {unmatched: {good: -1%}}}", `mmsim.yaml:1:37: report.limits.unmatched.good: got "-1%", …`},
	{"share as a text", `report: {limits: {unmatched: {good: "0.001"}}}`, `mmsim.yaml:1:37: report.limits.unmatched.good: got the text "0.001", …`},
	{"share in hexadecimal", "report: {limits: {unmatched: {good: 0x1p-10}}}", `mmsim.yaml:1:37: report.limits.unmatched.good: got "0x1p-10", …`},
	{"share of a sign", `report: {limits: {unmatched: {good: "%"}}}`, `mmsim.yaml:1:37: report.limits.unmatched.good: got the text "%", …`},
	{"limits of a queue", "queues: [{name: a, share: 1, report: {limits: {wait: {good: 5s}}}}]", `mmsim.yaml:1:30: unknown key "queues[0].report"…`},
	{"not UTF-8", "seed: \xff", `mmsim.yaml:1:1: the file is not UTF-8 text`},
	{"binary", "seed: \x00", `mmsim.yaml:1:1: the file is binary, expected YAML text`},
}

func TestConfigErrors(t *testing.T) {
	for _, test := range configErrors {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(test.text)
			if err == nil {
				t.Fatal("got no error, want one")
			}
			if !input.IsBad(err) {
				t.Errorf("got error %v, want bad input", err)
			}
			got, _, _ := strings.Cut(err.Error(), "\n")
			if want, open := strings.CutSuffix(test.want, "…"); got != want && !(open && strings.HasPrefix(got, want)) {
				t.Errorf("got error %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestConfigErrorShowsTheLine(t *testing.T) {
	_, err := load("seed: 1\nmatch:\n  size: 1 # too few\n")
	want := `mmsim.yaml:3:9: match.size: got "1", expected a whole number from 2 to 200
  3 |   size: 1 # too few
    |         ^`
	if err == nil || err.Error() != want {
		t.Errorf("got error\n%v\nwant\n%s", err, want)
	}
}

func TestLongFlagsAreShortened(t *testing.T) {
	_, err := Load("", set(t, "match="+strings.Repeat("[", 100_000)))
	want := "--set match=" + strings.Repeat("[", 74) + "…: more than 32 nested brackets, expected fewer"
	if err == nil || err.Error() != want {
		t.Errorf("got  %.200v\nwant %s", err, want)
	}
}

// Messages about the command line begin with the flag.
func TestOverrideErrors(t *testing.T) {
	for _, test := range []struct {
		o    Override
		want string
	}{
		{Override{Flag: "--set match.size=1", Key: "match.size", Text: "1"},
			`--set match.size=1: got "1", expected a whole number from 2 to 200`},
		{Override{Flag: "--set match.sise=4", Key: "match.sise", Text: "4"},
			`--set match.sise=4: unknown key "match.sise"; did you mean match.size?`},
		{Override{Flag: "--set queues=q", Key: "queues", Text: "q"},
			`--set queues=q: got "q", expected a list of up to 64 queues`},
		{Override{Flag: "--scale x", Key: "dataset.scale", Text: "x"},
			`--scale x: dataset.scale: got "x", expected a number above 0 and at most 10000`},
		{Override{Flag: "--set match={size: 1", Key: "match", Text: "{size: 1"},
			`--set match={size: 1: the text is not YAML: `},
		{Override{Flag: "--set states.ideal.rtt=200ms", Key: "states.ideal.rtt", Text: "200ms"},
			`--set states.ideal.rtt=200ms: states.ideal.rtt is 200ms, states.expand.rtt is 100ms, expected `},
	} {
		_, err := Load("", []Override{test.o})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

func TestConfigValues(t *testing.T) {
	c, err := load(`
seed: 7
dataset:
  file: day.csv
  columns: {build: text, maps: list}
  builtin: {joins: 1e6, date: 2026-07-01, spike: {hour: 20, factor: 3}}
datacenters: {file: /abs/dc.csv}
latency:
  maps: maps/
  last_mile: {median: 12ms, sigma: 0.5}
clock: {tick: 250ms, warmup: 0}
states:
  ideal: {rtt: 62.5ms, for: 0s}
match:
  length: {mean: 4m, sd: 30s}
output:
players:
  parties: {1: 0.5, 3: 0.5}
  give_up_after: 90s
rules: queue.json
dialect: playfab
placement: pool
matcher: {expansion_basis: shortest, optional_basis: any, budget: 500, batch: 50, partition_above: 2000, strict: true}
regions: {EastUs: [ashburn, newyork], WestUs: seattle}
servers: {capacity: 12, start: 5s, session: {lognormal: {mean: 40m, sd: 30m}}, attributes: {Mode: ranked, Map: {tokyo: 5, default: "1"}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Seed = 7
	want.Dataset.File = filepath.Join(here, "day.csv")
	want.Dataset.Columns = map[string]string{"build": "text", "maps": "list"}
	want.Dataset.Builtin.Date = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	want.Dataset.Builtin.Spike = builtin.Spike{Hour: 20, Factor: 3}
	want.Datacenters.Sources = section.DatacenterFile("/abs/dc.csv")
	want.Latency.Maps = filepath.Join(here, "maps")
	want.Latency.LastMileMedian, want.Latency.LastMileSigma = 12*time.Millisecond, 0.5
	want.Clock.Tick, want.Clock.Warmup, want.Clock.WarmupAuto = 250*time.Millisecond, 0, false
	want.States.IdealRTT, want.States.IdealFor = 62500*time.Microsecond, 0
	want.Match.Length = sim.Length{Mean: 4 * sim.Minute, SD: 30 * sim.Second}
	want.Players.Parties = map[int]float64{1: 0.5, 3: 0.5}
	want.Players.GiveUpAfter = 90 * time.Second
	want.Rules, want.Dialect, want.Placement = filepath.Join(here, "queue.json"), "playfab", "pool"
	want.Matcher.CompileOptions = vendor.CompileOptions{
		Strict: true, ExpansionBasis: matcher.ShortestWait, OptionalBasis: matcher.AnyWaited, Budget: 500, Batch: 50, PartitionAbove: 2000,
	}
	want.Regions = map[string][]string{"EastUs": {"ashburn", "newyork"}, "WestUs": {"seattle"}}
	want.Servers = Servers{
		Capacity: 12, Start: 5 * time.Second,
		Session:    sim.SessionLength{Kind: sim.SessionLogNormal, Scale: 40 * sim.Minute, SD: 30 * sim.Minute},
		Attributes: []serverAttribute{{"Mode", section.BySite[string]{All: "ranked"}}, {"Map", section.BySite[string]{Own: []section.SiteValue[string]{{Datacenter: "tokyo", Value: "5"}, {Datacenter: "default", Value: "1"}}}}},
	}
	if !reflect.DeepEqual(unplaced(c), want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestEmptyConfigIsTheDefault(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "{}", "---\n", "match:\n# size: 5\n", "\ufeffseed: 1\r\n"} {
		c, err := load(text)
		if err != nil || !reflect.DeepEqual(unplaced(c), Default()) {
			t.Errorf("%q: got %+v (error %v), want the default configuration", text, c, err)
		}
	}
}

// The last value counts. A flag overrides the file, wherever --config is on the command line.
func TestConfigPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mmsim.yaml")
	text := "match: {size: 5, length: {mean: 1m, sd: 10s}}\ndataset: {file: day.csv, columns: {a: text}}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		set  []string
		ok   func(c *Config) bool
	}{
		{"file over default", nil, func(c *Config) bool {
			return c.Match.Size == 5 && c.Dataset.File == filepath.Join(filepath.Dir(file), "day.csv")
		}},
		{"flag over file", []string{"match.size=6"}, func(c *Config) bool { return c.Match.Size == 6 }},
		{"last flag", []string{"match.size=6", "match.size=7"}, func(c *Config) bool { return c.Match.Size == 7 }},
		{"mapping merges", []string{"match={order: oldest}"}, func(c *Config) bool {
			return c.Match.Size == 5 && c.Match.Order == sim.OrderOldest
		}},
		{"length alone has no spread", []string{"match.length=3m"}, func(c *Config) bool {
			return c.Match.Length == sim.Length{Mean: 3 * sim.Minute}
		}},
		{"part of the length", []string{"match.length.sd=20s"}, func(c *Config) bool {
			return c.Match.Length == sim.Length{Mean: sim.Minute, SD: 20 * sim.Second}
		}},
		{"acceptance", []string{"match.acceptance={timeout: 20s, accept: 0.9, delay: {mean: 4s, sd: 1s}}"}, func(c *Config) bool {
			return c.Match.Acceptance.Acceptance == sim.Acceptance{Timeout: 20 * sim.Second, Accept: 0.9, Refuse: 0.5, Delay: sim.Length{Mean: 4 * sim.Second, SD: sim.Second}}
		}},
		{"path of a flag", []string{"dataset.file=other.csv"}, func(c *Config) bool {
			return c.Dataset.File == filepath.Join(here, "other.csv")
		}},
		{"path removed", []string{"dataset.file="}, func(c *Config) bool { return c.Dataset.File == "" }},
		{"one entry more", []string{"dataset.columns.b=list"}, func(c *Config) bool {
			return reflect.DeepEqual(c.Dataset.Columns, map[string]string{"a": "text", "b": "list"})
		}},
		{"all entries", []string{"dataset.columns={b: list}"}, func(c *Config) bool {
			return reflect.DeepEqual(c.Dataset.Columns, map[string]string{"b": "list"})
		}},
		{"both thresholds in either order", []string{"states.ideal.rtt=150ms", "states.expand.rtt=200ms"}, func(c *Config) bool {
			return c.States.IdealRTT == 150*time.Millisecond
		}},
	} {
		c, err := Load(file, set(t, test.set...))
		if err != nil || !test.ok(c) {
			t.Errorf("%s: got %+v (error %v), want the settings of the case", test.name, c, err)
		}
	}
}

// The keys are in the intended order. The keys of every section are adjacent, because the
// writer relies on that.
func TestSettingsAreInOrder(t *testing.T) {
	seen := map[string]bool{}
	previous := ""
	for _, s := range Settings(Default()) {
		section, _, nested := strings.Cut(s.Path, ".")
		if section != previous && seen[section] {
			t.Errorf("%s: the keys of section %s are not in one block", s.Path, section)
		}
		if seen[s.Path] && nested {
			t.Errorf("key %s occurs twice", s.Path)
		}
		seen[section], seen[s.Path], previous = true, true, section
		if s.Meaning == "" || s.Expects == "" || s.Write == nil || s.Read == nil || s.Schema == nil {
			t.Errorf("key %s: want a meaning, an expectation, Write, Read and Schema", s.Path)
		}
	}
}
