package config

import (
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/cmd/mmsim/config/stationary"
	"mmsim/cmd/mmsim/schema"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/atlas"
	"mmsim/datasets/builtin"
	"mmsim/latencymap"
	"mmsim/matcher/dialect"
)

// Setting is one key of the configuration. The table below is the only list of keys: the
// reader, --set, the resolved config.yaml, shell completion and `mmsim help config` all use
// it.
type Setting struct {
	Path    string // dotted: "match.size"
	Meaning string // one line, for help
	value.Value
}

// Settings binds every key to its field of c, in the order of config.yaml. The keys of a
// section are adjacent.
func Settings(c *Config) []Setting {
	return slices.Concat(inputSettings(c), worldSettings(c), matchSettings(&c.Match), playSettings(c), rulesetSettings(&c.Queue), ruleSettings(c), serverSettings(c), limitSettings(&c.Limits), outputSettings(c))
}

func inputSettings(c *Config) []Setting {
	d, b, l := &c.Dataset, &c.Dataset.Builtin, &c.Latency
	factor := value.Limits{High: atlas.MaxWeight, LowOpen: true}
	return []Setting{
		{"seed", "seed of the random numbers: the same seed and replication give the same results", value.Whole(&c.Seed, 0, math.MaxUint64)},
		{"run", "number of the replication of the experiment", value.Whole(&c.Run, 0, math.MaxUint32)},
		{"dataset.file", "joins: CSV or JSON lines (plain, .gz or .zst) or Parquet; if unset, the built-in day", value.Path(&d.File, "the name of a file")},
		{"dataset.days", "the file holds the joins of this many days as if they were one; each row is kept with probability 1/days", value.Whole(&d.Days, 1, daysMergedMax)},
		{"dataset.scale", "factor on the number of joins", value.Number(&d.Scale, value.Limits{High: ScaleMax, LowOpen: true})},
		{"dataset.spread", "spread joins with times in whole seconds at random within the second", value.Toggle(&d.Spread)},
		{"dataset.columns", "kinds of further columns (attributes of players), if the first value is misleading", kinds(&d.Columns)},
		{"dataset.map", "columns of the file whose names mmsim does not know, such as time: joined_at", columnNames(&d.Map)},
		{"dataset.time_zone", "time zone of times without an offset, and of the midnights between days", timeZone(&d.TimeZone)},
		{"dataset.date", "day to replay from a file with dates; if unset, all its days, one after another", optionalDay(&d.Date)},
		{"dataset.max_bad_rows", "number of malformed rows to skip with a warning", value.Whole(&d.MaxBadRows, 0, math.MaxInt32)},
		{"dataset.builtin.preset", "where the players of the built-in day live", value.Choice(&b.Preset, builtin.PresetNames())},
		{"dataset.builtin.joins", "expected number of joins of the built-in day, before dataset.scale", value.Whole(&b.Joins, 1, builtin.MaxJoins)},
		{"dataset.builtin.date", "day of the year, for daylight saving time and weekends", value.Day(&b.Date)},
		{"dataset.builtin.weekend", "factor on the joins of a Saturday or Sunday", value.Number(&b.Weekend, factor)},
		{"dataset.builtin.spike.hour", "UTC hour of a launch spike", value.Whole(&b.SpikeHour, 0, 23)},
		{"dataset.builtin.spike.factor", "factor on the joins of that hour", value.Number(&b.SpikeFactor, factor)},
		{"dataset.builtin.countries", "file of factors on the players of countries (CSV: country,weight)", value.Path(&b.Countries, "the name of a file")},
		{"datacenters.file", "list of datacenters (CSV: id,name,latitude,longitude); if unset, the built-in list", value.Path(&c.Datacenters, "the name of a file")},
		{"latency.maps", "folder of latency_<datacenter>.bin or .png; if unset, all RTTs come from the model", value.Path(&l.Maps, "the name of a folder")},
		{"latency.clean", "drop samples at latitude 0, longitude 0 and samples that are faster than light", value.Toggle(&l.Clean)},
		{"latency.fallback", "how RTTs are estimated where a map has no sample", value.Choice(&l.Fallback, []string{"model", "line", "fibre"})},
		{"latency.fudge", "factor on the fallback fibre", value.Number(&l.Fudge, value.Limits{Low: latencymap.FudgeMin, High: latencymap.FudgeMax})},
		{"latency.last_mile.median", "median access delay of a player, added to every RTT; the sum stays below 4.096s", value.Duration(&l.LastMileMedian, 0, time.Second, time.Microsecond)},
		{"latency.last_mile.sigma", "standard deviation of the logarithm of the access delay", value.Number(&l.LastMileSigma, value.Limits{High: 3})},
		{"latency.jitter.sd", "standard deviation of the RTT in a match around the estimate", rtt(&l.JitterSD)},
	}
}

func worldSettings(c *Config) []Setting {
	s := &c.States
	placements := []string{PlacementDatacenters, PlacementPool, PlacementServers}
	return []Setting{
		{"clock.tick", "time between matching passes", value.Span(&c.Clock.Tick, time.Millisecond, time.Hour)},
		{"clock.duration", "time that the results cover; beyond 24h the day repeats", value.Span(&c.Clock.Duration, time.Millisecond, durationMax)},
		{"clock.warmup", "time simulated before the results begin, so that players are already online; auto: long enough that less than 1 % of a stationary population has been online longer", orAuto(value.Span(&c.Clock.Warmup, 0, spanMax), &c.Clock.Warmup, &c.Clock.WarmupAuto, stationary.Min)},
		{"placement", "where tickets wait; if unset, chosen by the kind of ruleset", value.Optional(&c.Placement, value.Choice(&c.Placement, placements))},
		{"states.ideal.rtt", "RTT limit of the state IDEAL, inclusive", rtt(&s.IdealRTT)},
		{"states.ideal.for", "longest time in IDEAL", value.Span(&s.IdealFor, 0, spanMax)},
		{"states.expand.rtt", "RTT limit of the state EXPAND, inclusive", rtt(&s.ExpandRTT)},
		{"states.expand.for", "longest time in EXPAND", value.Span(&s.ExpandFor, 0, spanMax)},
		{"states.warmbody.for", "longest time in WARMBODY", value.Span(&s.WarmbodyFor, 0, spanMax)},
		{"states.warmbody.then", "what happens to a player who leaves WARMBODY without a match", value.Choice(&s.WarmbodyThen, []string{"failed", "bots"})},
	}
}

// matchSettings are the keys of a queue's matches.
func matchSettings(m *Match) []Setting {
	a := &m.Acceptance
	share := value.Limits{High: 1}
	return slices.Concat([]Setting{{"match.size", "players in a match", value.Whole(&m.Size, 2, PlayersPerMatchMax)}},
		distribution("match.length", "length of each match", "length of a match", &m.Length, &m.LengthSD), []Setting{
			{"match.order", "order in which a datacenter's queue is searched", value.Choice(&m.Order, []string{"shuffle", "oldest"})},
			{"match.prefer", "which players of a queue are taken first: any, or those with the lowest RTT (best)", value.Choice(&m.Prefer, []string{"any", "best"})},
			{"match.partner_cooldown", "time before a player can meet a partner of the last match again", value.Span(&m.PartnerCooldown, 0, spanMax)},
			{"match.keep_together", "the players of a finished match search again as one party", value.Toggle(&m.KeepTogether)},
			{"match.backfill", "running matches take more players while they have free seats; for FlexMatch only, other rulesets set this themselves", value.Toggle(&m.Backfill)},
			{"match.acceptance.required", "players must accept a match that the rules propose; placement pool only", value.Toggle(&a.Required)},
			{"match.acceptance.timeout", "time that players have to accept", value.Span(&a.Timeout, time.Millisecond, spanMax)},
			{"match.acceptance.accept", "share of players who accept, drawn for each player and proposed match", value.Number(&a.Accept, share)},
			{"match.acceptance.refuse", "share of the other players who refuse; the rest do not answer", value.Number(&a.Refuse, share)},
		}, distribution("match.acceptance.delay", "time until each player answers", "time until a player answers", &a.Delay, &a.DelaySD))
}

// distribution returns the keys of a duration that is constant, or log-normal with a mean and
// an sd.
func distribution(path, every, one string, mean, sd *time.Duration) []Setting {
	value, deviation := value.Span(mean, time.Millisecond, spanMax), value.Span(sd, 0, spanMax)
	always := value
	always.Expects += ", or {mean: …, sd: …}"
	always.Read = func(n yamltree.Node) error {
		*sd = 0
		return value.Read(n)
	}
	return []Setting{
		{path, every + "; with mean and sd, it has a log-normal distribution", always},
		{path + ".mean", "mean " + one, value},
		{path + ".sd", "standard deviation of the " + one, deviation},
	}
}

func playSettings(c *Config) []Setting {
	p := &c.Players
	return []Setting{
		{"players.play_again", "probability of returning after a match", value.Number(&p.PlayAgain, value.Limits{High: 1, HighOpen: true})},
		{"players.between_matches", "pause after a match, before a player returns or leaves", value.Span(&p.BetweenMatches, 0, spanMax)},
		{"players.give_up_after", "wait after which a ticket leaves without a match; placement pool only", value.Span(&p.GiveUpAfter, time.Millisecond, spanMax)},
		{"players.parties", "share of parties by size", shares(&p.Parties, PlayersPerMatchMax)},
		{"players.attributes", "distributions of attributes by name, drawn for each player; a column of the data takes precedence", attributes(&p.Attributes)},
	}
}

// rulesetSettings are the keys of a queue's ruleset.
func rulesetSettings(c *Queue) []Setting {
	return []Setting{
		{"rules", "rules of a vendor (JSON): " + dialect.Titles() + "; if unset, the article's matchmaker without rules", rules(&c.Rules, &c.RuleKeys)},
		{"dialect", "vendor of the ruleset; if unset, recognised from its content", value.Optional(&c.Dialect, value.Choice(&c.Dialect, dialect.Names()))},
		{"external.backfill", "your own matchmaker may add tickets to running matches until they end", value.Toggle(&c.External.Backfill)},
		{"matcher.follow", "which one to follow where a vendor's service differs from its documentation", value.Choice(&c.Follow, Follows)},
		{"matcher.external", "your own matchmaker, which makes the matches (see \"mmsim help matcher\"); if unset, mmsim makes them", c.External.MatcherValue()},
		{"matcher.profiles", "Open Match profiles (YAML) for the match function", value.Path(&c.External.Profiles, "the name of a file")},
		{"matcher.folder", "working directory of the program; if unset, the folder of the file that names it", c.External.FolderValue()},
	}
}

func ruleSettings(c *Config) []Setting {
	m := &c.Matcher
	return []Setting{
		{"matcher.timeout", "longest real time to wait for an answer of your own matchmaker", value.Span(&m.Timeout, timeoutMin, timeoutMax)},
		{"matcher.memory", "memory limit of a WebAssembly matchmaker", value.Size(&m.Memory, memoryMin, memoryMax)},
		{"matcher.on_invalid", "what happens to an invalid proposal of your own matchmaker: it is dropped and counted, or ends the run", value.Choice(&m.OnInvalid, []string{InvalidDrop, InvalidError})},
		{"matcher.expansion_basis", "the wait that relaxes a rule between tickets: the longest or the shortest of them", value.Choice(&m.ExpansionBasis, ExpansionBases)},
		{"matcher.optional_basis", "whether all tickets of a match or any one must have waited until a rule becomes optional", value.Choice(&m.OptionalBasis, OptionalBases)},
		{"matcher.budget", "most steps of the search for one ticket", value.Whole(&m.Budget, 1, math.MaxInt32)},
		{"matcher.batch", "number of tickets in a batch of a FlexMatch pass, drawn at random or cut from the sorted tickets; 0: all waiting tickets", value.Whole(&m.Batch, 0, math.MaxInt32)},
		{"matcher.partition_above", "number of waiting tickets above which a PlayFab queue is split, as the service does under load; 0: never", value.Whole(&m.PartitionAbove, 0, math.MaxInt32)},
		{"matcher.strict", "members that the vendor's schema does not have are errors instead of warnings", value.Toggle(&m.Strict)},
		{"regions", "datacenters by the vendor's region; any other datacenter is a region of its own name", regions(&c.Regions)},
		{"queues", "several queues; each has a name, its players (share: 0.3, or when: {mode: ranked}) and its own values of placement, match, rules, dialect and matcher", queues(c)},
	}
}

func outputSettings(c *Config) []Setting {
	o := &c.Output
	return []Setting{
		{"output.dir", "result directory", value.Required(value.Path(&o.Dir, "the name of a folder"))},
		{"output.records", "one row per player and search (see \"mmsim help records\")", value.Choice(&o.Records, []string{"none", "csv", "parquet"})},
		{"output.plots", "draw plots", value.Toggle(&o.Plots)},
		{"output.html", "write report.html", value.Toggle(&o.HTML)},
	}
}

// limitsSection is the section of the keys of Limits.
const limitsSection = "report.limits"

func limitSettings(l *Limits) []Setting {
	usual := usualLimits()
	wait := func(p *limit[time.Duration], usual limit[time.Duration]) value.Value {
		return orAuto(value.Span(&p.n, 0, spanMax), &p.n, &p.isAuto, usual.n)
	}
	rtt := func(p *limit[time.Duration]) value.Value {
		return orAuto(value.Duration(&p.n, time.Millisecond, rttMax, time.Microsecond), &p.n, &p.isAuto, 0)
	}
	unmatched := func(p *limit[float64], usual limit[float64]) value.Value {
		return orAuto(share(&p.n), &p.n, &p.isAuto, usual.n)
	}
	return []Setting{
		{"report.limits.wait.good", "waits are rated good if 90 % of first searches take at most this; auto: 10s", wait(&l.Wait.good, usual.Wait.good)},
		{"report.limits.wait.fair", "waits that are not good are rated fair if 90 % of first searches take at most this, otherwise poor; auto: 30s", wait(&l.Wait.fair, usual.Wait.fair)},
		{"report.limits.rtt.good", "RTTs are rated good, also by the colours of maps, if 90 % of players get at most this; auto: states.ideal.rtt", rtt(&l.RTT.good)},
		{"report.limits.rtt.fair", "RTTs that are not good are rated fair if 90 % of players get at most this, otherwise poor; auto: states.expand.rtt", rtt(&l.RTT.fair)},
		{"report.limits.unmatched.good", "a result is rated good if at most this share of searches ends without a match; auto: 0.1%", unmatched(&l.Unmatched.good, usual.Unmatched.good)},
		{"report.limits.unmatched.fair", "a result that is not good is rated fair if at most this share of searches ends without a match, otherwise poor; auto: 1%", unmatched(&l.Unmatched.fair, usual.Unmatched.fair)},
	}
}

// rtt is a setting that is a round-trip time. It may be finer than 1/16 ms: comparisons round
// it.
func rtt(p *time.Duration) value.Value { return value.Duration(p, 0, rttMax, time.Microsecond) }

// described returns the schema of the setting, with the description that editors show.
func (s *Setting) described(takes schema.Schema) schema.Schema {
	return takes.With("description", fmt.Sprintf("%s\n\nExpected: %s.", s.Meaning, s.Expects))
}
