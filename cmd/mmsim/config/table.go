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

// Setting is one key of the configuration. The table below is the only list of
// keys there is: the reader, --set, the resolved config.yaml, shell completion
// and `mmsim help config` all go by it.
type Setting struct {
	Path    string // dotted: "match.size"
	Meaning string // one line, for help
	value.Value
}

// Settings binds every key to its field of c, in the order of config.yaml. A
// section's keys stand together.
func Settings(c *Config) []Setting {
	return slices.Concat(inputSettings(c), worldSettings(c), matchSettings(&c.Match), playSettings(c), rulesetSettings(&c.Queue), ruleSettings(c), serverSettings(c), limitSettings(&c.Limits), outputSettings(c))
}

func inputSettings(c *Config) []Setting {
	d, b, l := &c.Dataset, &c.Dataset.Builtin, &c.Latency
	factor := value.Limits{High: atlas.MaxWeight, LowOpen: true}
	return []Setting{
		{"seed", "names the experiment: same seed and run, same results", value.Whole(&c.Seed, 0, math.MaxUint64)},
		{"run", "the replication of the experiment", value.Whole(&c.Run, 0, math.MaxUint32)},
		{"dataset.file", "joins: CSV or JSON lines (plain, .gz or .zst) or Parquet; none: the built-in day", value.Path(&d.File, "the name of a file")},
		{"dataset.days", "sample days the file merges; each row is kept with probability 1/days", value.Whole(&d.Days, 1, daysMergedMax)},
		{"dataset.scale", "factor on the number of joins", value.Number(&d.Scale, value.Limits{High: ScaleMax, LowOpen: true})},
		{"dataset.spread", "a join stamped on a whole second happens somewhere inside it", value.Toggle(&d.Spread)},
		{"dataset.columns", "kinds of further columns, where the first value misleads", kinds(&d.Columns)},
		{"dataset.map", "what the file calls a column, where that is none of its usual names: time: joined_at", columnNames(&d.Map)},
		{"dataset.time_zone", "time zone of times without an offset, and of midnights", timeZone(&d.TimeZone)},
		{"dataset.date", "day to replay of a file with dates; none: all of its days in turn", optionalDay(&d.Date)},
		{"dataset.max_bad_rows", "malformed rows to tolerate", value.Whole(&d.MaxBadRows, 0, math.MaxInt32)},
		{"dataset.builtin.preset", "where the players of the built-in day live", value.Choice(&b.Preset, builtin.PresetNames())},
		{"dataset.builtin.joins", "expected joins of the built-in day, before scale", value.Whole(&b.Joins, 1, builtin.MaxJoins)},
		{"dataset.builtin.date", "day of the year, for daylight saving time and weekends", value.Day(&b.Date)},
		{"dataset.builtin.weekend", "factor on the joins of a Saturday or Sunday", value.Number(&b.Weekend, factor)},
		{"dataset.builtin.spike.hour", "UTC hour of a launch spike", value.Whole(&b.SpikeHour, 0, 23)},
		{"dataset.builtin.spike.factor", "factor on the joins of that hour", value.Number(&b.SpikeFactor, factor)},
		{"dataset.builtin.countries", "file of game factors per country (CSV: country,weight)", value.Path(&b.Countries, "the name of a file")},
		{"datacenters.file", "list of datacenters (CSV: id,name,latitude,longitude); none: the built-in list", value.Path(&c.Datacenters, "the name of a file")},
		{"latency.maps", "folder of latency_<datacenter>.bin or .png; none: the model alone", value.Path(&l.Maps, "the name of a folder")},
		{"latency.clean", "drop null island and faster-than-light samples", value.Toggle(&l.Clean)},
		{"latency.fallback", "what answers where a map has no sample", value.Choice(&l.Fallback, []string{"model", "line", "fibre"})},
		{"latency.fudge", "factor on the fallback fibre", value.Number(&l.Fudge, value.Limits{Low: latencymap.FudgeMin, High: latencymap.FudgeMax})},
		{"latency.last_mile.median", "median access delay of a player, added to every RTT; the sum stays below 4.096s", value.Duration(&l.LastMileMedian, 0, time.Second, time.Microsecond)},
		{"latency.last_mile.sigma", "spread of its logarithm", value.Number(&l.LastMileSigma, value.Limits{High: 3})},
		{"latency.jitter.sd", "how far the RTT in a match strays from the estimate", rtt(&l.JitterSD)},
	}
}

func worldSettings(c *Config) []Setting {
	s := &c.States
	placements := []string{PlacementDatacenters, PlacementPool, PlacementServers}
	return []Setting{
		{"clock.tick", "time between matching passes", value.Span(&c.Clock.Tick, time.Millisecond, time.Hour)},
		{"clock.duration", "time that statistics cover; beyond 24h the day repeats", value.Span(&c.Clock.Duration, time.Millisecond, durationMax)},
		{"clock.warmup", "time simulated before, so that the day begins with players online; auto: until less than 1 % of a stationary population is older", orAuto(value.Span(&c.Clock.Warmup, 0, spanMax), &c.Clock.Warmup, &c.Clock.WarmupAuto, stationary.Min)},
		{"placement", "where a ticket waits; none: as the ruleset needs it", value.Optional(&c.Placement, value.Choice(&c.Placement, placements))},
		{"states.ideal.rtt", "RTT limit of the state IDEAL, inclusive", rtt(&s.IdealRTT)},
		{"states.ideal.for", "longest time in IDEAL", value.Span(&s.IdealFor, 0, spanMax)},
		{"states.expand.rtt", "RTT limit of the state EXPAND, inclusive", rtt(&s.ExpandRTT)},
		{"states.expand.for", "longest time in EXPAND", value.Span(&s.ExpandFor, 0, spanMax)},
		{"states.warmbody.for", "longest time in WARMBODY", value.Span(&s.WarmbodyFor, 0, spanMax)},
		{"states.warmbody.then", "what becomes of a warm body that nobody needed", value.Choice(&s.WarmbodyThen, []string{"failed", "bots"})},
	}
}

// matchSettings are the keys of a queue's matches.
func matchSettings(m *Match) []Setting {
	a := &m.Acceptance
	share := value.Limits{High: 1}
	return slices.Concat([]Setting{{"match.size", "players in a match", value.Whole(&m.Size, 2, PlayersPerMatchMax)}},
		distribution("match.length", "length of every match", "length of a match", &m.Length, &m.LengthSD), []Setting{
			{"match.order", "how a datacenter's queue is walked", value.Choice(&m.Order, []string{"shuffle", "oldest"})},
			{"match.prefer", "best: lower RTT to the datacenter first", value.Choice(&m.Prefer, []string{"any", "best"})},
			{"match.partner_cooldown", "time before meeting a partner of the last match again", value.Span(&m.PartnerCooldown, 0, spanMax)},
			{"match.keep_together", "a finished match searches again as one party", value.Toggle(&m.KeepTogether)},
			{"match.backfill", "running matches take further players while they have free seats; FlexMatch only, other rules say so themselves", value.Toggle(&m.Backfill)},
			{"match.acceptance.required", "players are asked whether they want a match that rules propose; placement pool only", value.Toggle(&a.Required)},
			{"match.acceptance.timeout", "time after which a player who has not answered has not accepted", value.Span(&a.Timeout, time.Millisecond, spanMax)},
			{"match.acceptance.accept", "share of players who accept, drawn for each of them and each proposed match", value.Number(&a.Accept, share)},
			{"match.acceptance.refuse", "share of the others who refuse; the rest do not answer", value.Number(&a.Refuse, share)},
		}, distribution("match.acceptance.delay", "time until every player answers", "time until a player answers", &a.Delay, &a.DelaySD))
}

// distribution are the keys of a span that is constant, or log-normal by mean and sd.
func distribution(path, every, one string, mean, sd *time.Duration) []Setting {
	value, deviation := value.Span(mean, time.Millisecond, spanMax), value.Span(sd, 0, spanMax)
	always := value
	always.Expects += ", or {mean: …, sd: …}"
	always.Read = func(n yamltree.Node) error {
		*sd = 0
		return value.Read(n)
	}
	return []Setting{
		{path, every + "; or a log-normal one, by mean and sd", always},
		{path + ".mean", "mean " + one, value},
		{path + ".sd", "standard deviation of the " + one, deviation},
	}
}

func playSettings(c *Config) []Setting {
	p := &c.Players
	return []Setting{
		{"players.play_again", "probability of returning after a match", value.Number(&p.PlayAgain, value.Limits{High: 1, HighOpen: true})},
		{"players.between_matches", "pause after a match, before a player returns or leaves", value.Span(&p.BetweenMatches, 0, spanMax)},
		{"players.give_up_after", "wait after which a ticket leaves; placement pool only", value.Span(&p.GiveUpAfter, time.Millisecond, spanMax)},
		{"players.parties", "party size -> share of parties", shares(&p.Parties, PlayersPerMatchMax)},
		{"players.attributes", "attribute name -> how it is drawn for every player; a column of the data wins", attributes(&p.Attributes)},
	}
}

// rulesetSettings are the keys of a queue's ruleset.
func rulesetSettings(c *Queue) []Setting {
	return []Setting{
		{"rules", "rules of a vendor (JSON): " + dialect.Titles() + "; none: the article's matches", rules(&c.Rules, &c.RuleKeys)},
		{"dialect", "vendor of the ruleset; none: recognised from its content", value.Optional(&c.Dialect, value.Choice(&c.Dialect, dialect.Names()))},
		{"external.backfill", "a matchmaker of your own may add tickets to running matches, until they end", value.Toggle(&c.External.Backfill)},
		{"matcher.follow", "what counts where a vendor's service and its documentation differ", value.Choice(&c.Follow, Follows)},
		{"matcher.external", "a matchmaker of your own that makes the matches (see \"mmsim help matcher\"); none: mmsim's", c.External.MatcherValue()},
		{"matcher.profiles", "profiles of Open Match (YAML) that its match function is asked with; none", value.Path(&c.External.Profiles, "the name of a file")},
		{"matcher.folder", "folder in which a program is run; none: that of the file which names it", c.External.FolderValue()},
	}
}

func ruleSettings(c *Config) []Setting {
	m := &c.Matcher
	return []Setting{
		{"matcher.timeout", "longest time, of a real clock, to wait for an answer of a matchmaker of your own", value.Span(&m.Timeout, timeoutMin, timeoutMax)},
		{"matcher.memory", "memory of a matchmaker that is a WebAssembly module, at most", value.Size(&m.Memory, memoryMin, memoryMax)},
		{"matcher.on_invalid", "what becomes of a proposal of it that is wrong: dropped and counted, or an error", value.Choice(&m.OnInvalid, []string{InvalidDrop, InvalidError})},
		{"matcher.expansion_basis", "whose wait expands a rule among several tickets", value.Choice(&m.ExpansionBasis, ExpansionBases)},
		{"matcher.optional_basis", "who of them must have waited until a rule is optional", value.Choice(&m.OptionalBasis, OptionalBases)},
		{"matcher.budget", "steps that the search for one ticket may take", value.Whole(&m.Budget, 1, math.MaxInt32)},
		{"matcher.batch", "tickets that a FlexMatch pass looks at together, drawn at random or cut from the sorted ones; 0 all that wait", value.Whole(&m.Batch, 0, math.MaxInt32)},
		{"matcher.partition_above", "waiting tickets above which a PlayFab queue is split, as under load; 0 never", value.Whole(&m.PartitionAbove, 0, math.MaxInt32)},
		{"matcher.strict", "members that the vendor's schema does not have are errors", value.Toggle(&m.Strict)},
		{"regions", "region of the vendor -> its datacenters; any other datacenter is a region of its own name", regions(&c.Regions)},
		{"queues", "several queues; each has a name, its players (share: 0.3, or when: {mode: ranked}) and the keys that differ: placement, match, rules, dialect, matcher", queues(c)},
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
		{"report.limits.wait.good", "reports call waits good while 90 % of first searches take at most this; auto: 10s", wait(&l.Wait.good, usual.Wait.good)},
		{"report.limits.wait.fair", "reports call waits that are not good fair while 90 % of first searches take at most this, else poor; auto: 30s", wait(&l.Wait.fair, usual.Wait.fair)},
		{"report.limits.rtt.good", "reports call RTTs good while 90 % of players get at most this; colours follow it; auto: states.ideal.rtt", rtt(&l.RTT.good)},
		{"report.limits.rtt.fair", "reports call RTTs that are not good fair while 90 % of players get at most this, else poor; auto: states.expand.rtt", rtt(&l.RTT.fair)},
		{"report.limits.unmatched.good", "share of searches that may end without a match in a good result; auto: 0.1%", unmatched(&l.Unmatched.good, usual.Unmatched.good)},
		{"report.limits.unmatched.fair", "beyond that, share in a fair result, else it is poor; auto: 1%", unmatched(&l.Unmatched.fair, usual.Unmatched.fair)},
	}
}

// rtt is a setting that is a round-trip time. Finer than 1/16 ms is rounded
// where it is compared.
func rtt(p *time.Duration) value.Value { return value.Duration(p, 0, rttMax, time.Microsecond) }

// described is the schema of the setting, with the words that editors show.
func (s *Setting) described(takes schema.Schema) schema.Schema {
	return takes.With("description", fmt.Sprintf("%s\n\nExpected: %s.", s.Meaning, s.Expects))
}
