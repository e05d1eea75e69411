package config

import (
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/cmd/mmsim/config/attributes"
	"mmsim/cmd/mmsim/config/stationary"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/atlas"
	"mmsim/datasets/builtin"
	"mmsim/latencymap"
	"mmsim/matcher/dialect"
)

// Setting is one key of the configuration. The functions below list every key in exactly one
// place. The reader, --set, the resolved config.yaml, shell completion and `mmsim help config`
// all use that list.
type Setting struct {
	Path    string // dotted, such as "match.size"
	Meaning string // one line for the help text
	value.Value
}

// Settings binds every key to its field of c, in the order of config.yaml. The keys of a
// section are adjacent.
func Settings(c *Config) []Setting {
	return slices.Concat(inputSettings(c), populationSettings(c), matchSettings(&c.Match), playSettings(c), rulesetSettings(&c.Queue), ruleSettings(c), serverSettings(c), limitSettings(&c.Limits), outputSettings(c))
}

func inputSettings(c *Config) []Setting {
	d, b, l := &c.Dataset, &c.Dataset.Builtin, &c.Latency
	factor := value.Limits{High: atlas.MaxWeight, LowOpen: true}
	return []Setting{
		{"seed", "seed of the random numbers; the same inputs and seed give the same results", value.Whole(&c.Seed, 0, math.MaxUint64)},
		{"run", "number of the replication; each number gives different random numbers from the same seed", value.Whole(&c.Run, 0, math.MaxUint32)},
		{"dataset.file", "file of player joins: CSV or JSON lines (plain, .gz or .zst), or Parquet; if unset, the built-in day", value.Path(&d.File, "the name of a file")},
		{"dataset.days", "N if the file piles up the joins of N days in one day; a random share of 1/N of the joins is kept", value.Whole(&d.Days, 1, daysMergedMax)},
		{"dataset.scale", "multiplier for the number of joins, such as 0.1 for a tenth of them", value.Number(&d.Scale, value.Limits{High: ScaleMax, LowOpen: true})},
		{"dataset.spread", "spread joins at random within their second, if their times are in whole seconds", value.Toggle(&d.Spread)},
		{"dataset.columns", "types of attribute columns; only needed if the first value of a column suggests the wrong type", kinds(&d.Columns)},
		{"dataset.map", "the file's column for each mmsim name that differs, such as {time: joined_at}", columnNames(&d.Map)},
		{"dataset.time_zone", "time zone of times without an offset; also determines when each day begins", timeZone(&d.TimeZone)},
		{"dataset.date", "use only this day of a file with dates, such as 2026-03-14; if unset, all days, one after another", optionalDay(&d.Date)},
		{"dataset.max_bad_rows", "skip up to this number of malformed rows with a warning; fail if there are more", value.Whole(&d.MaxBadRows, 0, math.MaxInt32)},
		{"dataset.builtin.preset", "where the players of the built-in day live", value.Choice(&b.Preset, builtin.PresetNames())},
		{"dataset.builtin.joins", "expected number of joins in the built-in day, before dataset.scale is applied", value.Whole(&b.Joins, 1, builtin.MaxJoins)},
		{"dataset.builtin.date", "date of the built-in day, which determines daylight saving time and whether it is a weekend", value.Day(&b.Date)},
		{"dataset.builtin.weekend", "multiplier for the joins of Saturdays and Sundays", value.Number(&b.Weekend, factor)},
		{"dataset.builtin.spike.hour", "hour of a launch spike, in UTC", value.Whole(&b.SpikeHour, 0, 23)},
		{"dataset.builtin.spike.factor", "multiplier for the joins in the hour of the launch spike", value.Number(&b.SpikeFactor, factor)},
		{"dataset.builtin.countries", "file of multipliers for the number of players by country (CSV: country,weight)", value.Path(&b.Countries, "the name of a file")},
		{"datacenters.file", "list of datacenters (CSV: id,name,latitude,longitude); if unset, the built-in list", value.Path(&c.Datacenters, "the name of a file")},
		{"latency.maps", "folder of latency maps (latency_<datacenter>.bin or .png); if unset, RTTs are estimated (see the key latency.fallback)", value.Path(&l.Maps, "the name of a folder")},
		{"latency.clean", "drop the maps' samples at latitude 0, longitude 0, and samples that are faster than light", value.Toggle(&l.Clean)},
		{"latency.fallback", "how to estimate an RTT that no map has: from cable routes (model), as a linear function of the distance (line), or from the speed of light in fibre (fibre)", value.Choice(&l.Fallback, []string{"model", "line", "fibre"})},
		{"latency.fudge", "multiplier for the estimates of the fallback fibre", value.Number(&l.Fudge, value.Limits{Low: latencymap.FudgeMin, High: latencymap.FudgeMax})},
		{"latency.last_mile.median", "median of the players' access delays; a player's delay is added to each RTT, up to a sum of less than 4.096s", value.Duration(&l.LastMileMedian, 0, time.Second, time.Microsecond)},
		{"latency.last_mile.sigma", "standard deviation of the natural logarithm of the access delay", value.Number(&l.LastMileSigma, value.Limits{High: 3})},
		{"latency.jitter.sd", "standard deviation of a player's RTT in a match around its estimate", rtt(&l.JitterSD)},
	}
}

func populationSettings(c *Config) []Setting {
	s := &c.States
	placements := []string{PlacementDatacenters, PlacementPool, PlacementServers}
	return []Setting{
		{"clock.tick", "time between matching passes; a pass makes matches from the waiting tickets", value.Span(&c.Clock.Tick, time.Millisecond, time.Hour)},
		{"clock.duration", "simulated time that the results cover; if unset and the data has several days, all of them; if the data is shorter, it repeats", value.Span(&c.Clock.Duration, time.Millisecond, durationMax)},
		{"clock.warmup", "time simulated before the results begin, so that players are already online; auto: long enough that less than 1 % of them are missing", orAuto(value.Span(&c.Clock.Warmup, 0, spanMax), &c.Clock.Warmup, &c.Clock.WarmupAuto, stationary.Min)},
		{"placement", "where tickets (searching players and parties) wait: datacenters (a queue for each datacenter), pool (one pool for all datacenters) or servers (players join running servers); if unset: pool if you use your own matchmaker, datacenters if there are no rules, otherwise as the ruleset requires", value.Optional(&c.Placement, value.Choice(&c.Placement, placements))},
		{"states.ideal.rtt", "maximum RTT in the state IDEAL, inclusive", rtt(&s.IdealRTT)},
		{"states.ideal.for", "maximum time in IDEAL", value.Span(&s.IdealFor, 0, spanMax)},
		{"states.expand.rtt", "maximum RTT in the state EXPAND, inclusive", rtt(&s.ExpandRTT)},
		{"states.expand.for", "maximum time in EXPAND", value.Span(&s.ExpandFor, 0, spanMax)},
		{"states.warmbody.for", "maximum time in WARMBODY", value.Span(&s.WarmbodyFor, 0, spanMax)},
		{"states.warmbody.then", "what happens to a ticket that leaves WARMBODY without a match: its search fails, or it plays with bots", value.Choice(&s.WarmbodyThen, []string{"failed", "bots"})},
	}
}

// matchSettings returns the keys of a queue's matches.
func matchSettings(m *Match) []Setting {
	a := &m.Acceptance
	share := value.Limits{High: 1}
	return slices.Concat([]Setting{{"match.size", "number of players in a match", value.Whole(&m.Size, 2, PlayersPerMatchMax)}},
		distribution("match.length", "length of each match", "length of a match", &m.Length, &m.LengthSD), []Setting{
			{"match.order", "order in which a datacenter's queue is searched: at random (shuffle) or the longest wait first (oldest)", value.Choice(&m.Order, []string{"shuffle", "oldest"})},
			{"match.prefer", "which tickets of a datacenter's queue are taken first: any, or those with the lowest RTT to it (best)", value.Choice(&m.Prefer, []string{"any", "best"})},
			{"match.partner_cooldown", "minimum time before a player meets a partner of the last match again", value.Span(&m.PartnerCooldown, 0, spanMax)},
			{"match.keep_together", "let the players of a finished match search again as one party", value.Toggle(&m.KeepTogether)},
			{"match.backfill", "let running matches take more players while they have free seats; FlexMatch only, other rulesets decide this themselves", value.Toggle(&m.Backfill)},
			{"match.acceptance.required", "ask the players of each proposed match to accept it; placement pool only", value.Toggle(&a.Required)},
			{"match.acceptance.timeout", "time that players have to accept a proposed match", value.Span(&a.Timeout, time.Millisecond, spanMax)},
			{"match.acceptance.accept", "probability that a player accepts a proposed match", value.Number(&a.Accept, share)},
			{"match.acceptance.refuse", "probability that a player who does not accept refuses; otherwise the player does not answer", value.Number(&a.Refuse, share)},
		}, distribution("match.acceptance.delay", "time until each player answers", "time until a player answers", &a.Delay, &a.DelaySD))
}

// distribution returns the keys of a duration that is either constant or log-normal. A
// log-normal duration has a mean and an sd (standard deviation).
func distribution(path, every, one string, mean, sd *time.Duration) []Setting {
	value, deviation := value.Span(mean, time.Millisecond, spanMax), value.Span(sd, 0, spanMax)
	always := value
	always.Expects += ", or {mean: …, sd: …}"
	always.Read = func(n yamltree.Node) error {
		*sd = 0
		return value.Read(n)
	}
	return []Setting{
		{path, every + "; with mean and sd, log-normally distributed", always},
		{path + ".mean", "mean " + one, value},
		{path + ".sd", "standard deviation of the " + one, deviation},
	}
}

func playSettings(c *Config) []Setting {
	p := &c.Players
	return []Setting{
		{"players.play_again", "probability that a player searches again after a match", value.Number(&p.PlayAgain, value.Limits{High: 1, HighOpen: true})},
		{"players.between_matches", "pause after a match, before a player searches again or leaves", value.Span(&p.BetweenMatches, 0, spanMax)},
		{"players.give_up_after", "wait after which a ticket gives up its search; placement pool only", value.Span(&p.GiveUpAfter, time.Millisecond, spanMax)},
		{"players.parties", "shares of party sizes, such as {1: 0.8, 2: 0.2}", shares(&p.Parties, PlayersPerMatchMax)},
		{"players.attributes", "generators of player attributes, by attribute; a column of the data takes precedence", attributes.Setting(&p.Attributes)},
	}
}

// rulesetSettings returns the keys of a queue's ruleset and external matchmaker.
func rulesetSettings(c *Queue) []Setting {
	return []Setting{
		{"rules", "ruleset of a vendor (JSON): " + dialect.Titles() + "; if unset, players are matched by RTT alone", rules(&c.Rules, &c.RuleKeys)},
		{"dialect", "vendor of the ruleset; if unset, recognised from the ruleset", value.Optional(&c.Dialect, value.Choice(&c.Dialect, dialect.Names()))},
		{"external.backfill", "let your own matchmaker add tickets to running matches", value.Toggle(&c.External.Backfill)},
		{"matcher.follow", "what to follow where a vendor's service differs from its documentation: the service, or the documentation (page)", value.Choice(&c.Follow, Follows)},
		{"matcher.external", "your own matchmaker, which makes the matches (see \"mmsim help matcher\"); if unset, mmsim makes them", c.External.MatcherValue()},
		{"matcher.profiles", "Open Match profiles (YAML), for a matchmaker openmatch2:HOST:PORT", value.Path(&c.External.Profiles, "the name of a file")},
		{"matcher.folder", "working directory of your own matchmaker's program; if unset, the folder of the file that names the program", c.External.FolderValue()},
	}
}

func ruleSettings(c *Config) []Setting {
	m := &c.Matcher
	return []Setting{
		{"matcher.timeout", "maximum real time to wait for an answer of your own matchmaker", value.Span(&m.Timeout, timeoutMin, timeoutMax)},
		{"matcher.memory", "memory limit of a WebAssembly matchmaker", value.Size(&m.Memory, memoryMin, memoryMax)},
		{"matcher.on_invalid", "what happens to an invalid proposal of your own matchmaker: it is dropped and counted (drop), or it ends the run (error)", value.Choice(&m.OnInvalid, []string{InvalidDrop, InvalidError})},
		{"matcher.expansion_basis", "PlayFab: when a rule compares tickets, relax it by the longest or the shortest of their waits", value.Choice(&m.ExpansionBasis, ExpansionBases)},
		{"matcher.optional_basis", "PlayFab: when a rule compares tickets, make it optional after all or any of them have waited long enough", value.Choice(&m.OptionalBasis, OptionalBases)},
		{"matcher.budget", "maximum number of steps in the search for one ticket's match", value.Whole(&m.Budget, 1, math.MaxInt32)},
		{"matcher.batch", "number of tickets in a batch of FlexMatch, which makes matches batch by batch, or 0 for all waiting tickets", value.Whole(&m.Batch, 0, math.MaxInt32)},
		{"matcher.partition_above", "number of waiting tickets above which a PlayFab queue is split, as the service does under load, or 0 for never", value.Whole(&m.PartitionAbove, 0, math.MaxInt32)},
		{"matcher.strict", "treat unknown keys in the ruleset as errors instead of warnings", value.Toggle(&m.Strict)},
		{"regions", "datacenters of each region of the vendor; any other datacenter is a region with its own name", regions(&c.Regions)},
		{"queues", "several queues; each has a name, its share of the players (share: 0.3, or when: {mode: ranked}), and its own values of placement, match, rules, dialect and matcher", queues(c)},
	}
}

func outputSettings(c *Config) []Setting {
	o := &c.Output
	return []Setting{
		{"output.dir", "result directory", value.Required(value.Path(&o.Dir, "the name of a folder"))},
		{"output.records", "file with one row per player per search; see \"mmsim help records\"", value.Choice(&o.Records, []string{"none", "csv", "parquet"})},
		{"output.plots", "draw plots", value.Toggle(&o.Plots)},
		{"output.html", "write report.html", value.Toggle(&o.HTML)},
	}
}

// limitsSection is the section of the keys of Limits.
const limitsSection = "report.limits"

func limitSettings(l *Limits) []Setting {
	byDefault := defaultLimits()
	wait := func(p *limit[time.Duration], byDefault limit[time.Duration]) value.Value {
		return orAuto(value.Span(&p.n, 0, spanMax), &p.n, &p.isAuto, byDefault.n)
	}
	rtt := func(p *limit[time.Duration]) value.Value {
		return orAuto(value.Duration(&p.n, time.Millisecond, rttMax, time.Microsecond), &p.n, &p.isAuto, 0)
	}
	unmatched := func(p *limit[float64], byDefault limit[float64]) value.Value {
		return orAuto(share(&p.n), &p.n, &p.isAuto, byDefault.n)
	}
	return []Setting{
		{"report.limits.wait.good", "waits are rated good if 90 % of first searches take at most this; auto: 10s", wait(&l.Wait.good, byDefault.Wait.good)},
		{"report.limits.wait.fair", "waits that are not good are rated fair if 90 % of first searches take at most this, otherwise poor; auto: 30s", wait(&l.Wait.fair, byDefault.Wait.fair)},
		{"report.limits.rtt.good", "RTTs are rated good if 90 % of players get at most this; maps use the same limit for their colours; auto: states.ideal.rtt", rtt(&l.RTT.good)},
		{"report.limits.rtt.fair", "RTTs that are not good are rated fair if 90 % of players get at most this, otherwise poor; auto: states.expand.rtt", rtt(&l.RTT.fair)},
		{"report.limits.unmatched.good", "a result is rated good if at most this share of searches ends without a match; auto: 0.1%", unmatched(&l.Unmatched.good, byDefault.Unmatched.good)},
		{"report.limits.unmatched.fair", "a result that is not good is rated fair if at most this share of searches ends without a match, otherwise poor; auto: 1%", unmatched(&l.Unmatched.fair, byDefault.Unmatched.fair)},
	}
}

// rtt returns the setting for a round-trip time in steps of 1 µs. RTTs are stored in units of
// 1/16 ms, so comparisons round it.
func rtt(p *time.Duration) value.Value { return value.Duration(p, 0, rttMax, time.Microsecond) }

// described adds the description that editors show to the setting's schema.
func (s *Setting) described(takes schema.Schema) schema.Schema {
	return takes.With("description", fmt.Sprintf("%s\n\nExpected: %s.", s.Meaning, s.Expects))
}
