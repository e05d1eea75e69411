package main

import (
	"math"
	"slices"
	"time"

	"mmsim/datasets"
	"mmsim/latencymap"
	"mmsim/matcher/dialect"
)

// setting is one key of the configuration. The table below is the only list of
// keys there is: the reader, --set, the resolved config.yaml, shell completion
// and `mmsim help config` all go by it.
type setting struct {
	path    string // dotted: "match.size"
	meaning string // one line, for help
	value
}

// settings binds every key to its field of c, in the order of config.yaml. A
// section's keys stand together.
func settings(c *config) []setting {
	return slices.Concat(inputSettings(c), worldSettings(c), matchSettings(&c.match), playSettings(c), rulesetSettings(&c.queueConfig), ruleSettings(c), serverSettings(c), outputSettings(c))
}

func inputSettings(c *config) []setting {
	d, b, l := &c.dataset, &c.dataset.builtin, &c.latency
	factor := limits{high: datasets.MaxWeight, lowOpen: true}
	return []setting{
		{"seed", "names the experiment: same seed and run, same results", whole(&c.seed, 0, math.MaxUint64)},
		{"run", "the replication of the experiment", whole(&c.run, 0, math.MaxUint32)},
		{"dataset.file", "day of joins (CSV, plain, .gz or .zst); none: the built-in day", path(&d.file, "the name of a file")},
		{"dataset.days", "sample days the file merges; each row is kept with probability 1/days", whole(&d.days, 1, daysMergedMax)},
		{"dataset.scale", "factor on the number of joins", number(&d.scale, limits{high: scaleMax, lowOpen: true})},
		{"dataset.spread", "a join stamped on a whole second happens somewhere inside it", toggle(&d.spread)},
		{"dataset.columns", "kinds of further columns, where the first value misleads", kinds(&d.columns)},
		{"dataset.max_bad_rows", "malformed rows to tolerate", whole(&d.maxBadRows, 0, math.MaxInt32)},
		{"dataset.builtin.preset", "where the players of the built-in day live", choice(&b.preset, presetNames())},
		{"dataset.builtin.joins", "expected joins of the built-in day, before scale", whole(&b.joins, 1, datasets.MaxBuiltinJoins)},
		{"dataset.builtin.date", "day of the year, for daylight saving time and weekends", day(&b.date)},
		{"dataset.builtin.weekend", "factor on the joins of a Saturday or Sunday", number(&b.weekend, factor)},
		{"dataset.builtin.spike.hour", "UTC hour of a launch spike", whole(&b.spikeHour, 0, 23)},
		{"dataset.builtin.spike.factor", "factor on the joins of that hour", number(&b.spikeFactor, factor)},
		{"dataset.builtin.countries", "file of game factors per country (CSV: country,weight)", path(&b.countries, "the name of a file")},
		{"datacenters.file", "list of datacenters (CSV: id,name,latitude,longitude); none: the built-in list", path(&c.datacenters, "the name of a file")},
		{"latency.maps", "folder of latency_<datacenter>.bin or .png; none: the model alone", path(&l.maps, "the name of a folder")},
		{"latency.clean", "drop null island and faster-than-light samples", toggle(&l.clean)},
		{"latency.fallback", "what answers where a map has no sample", choice(&l.fallback, []string{"model", "line", "fibre"})},
		{"latency.fudge", "factor on the fallback fibre", number(&l.fudge, limits{low: latencymap.FudgeMin, high: latencymap.FudgeMax})},
		{"latency.last_mile.median", "median access delay of a player, added to every RTT; the sum stays below 4.096s", duration(&l.lastMileMedian, 0, time.Second, time.Microsecond)},
		{"latency.last_mile.sigma", "spread of its logarithm", number(&l.lastMileSigma, limits{high: 3})},
		{"latency.jitter.sd", "how far the RTT in a match strays from the estimate", rtt(&l.jitterSD)},
	}
}

func worldSettings(c *config) []setting {
	s := &c.states
	placements := []string{placementDatacenters, placementPool, placementServers}
	return []setting{
		{"clock.tick", "time between matching passes", span(&c.clock.tick, time.Millisecond, time.Hour)},
		{"clock.duration", "time that statistics cover; beyond 24h the day repeats", span(&c.clock.duration, time.Millisecond, durationMax)},
		{"clock.warmup", "time simulated before, so that the day begins with players online", span(&c.clock.warmup, 0, spanMax)},
		{"placement", "where a ticket waits; none: as the ruleset needs it", optional(&c.placement, choice(&c.placement, placements))},
		{"states.ideal.rtt", "RTT limit of the state IDEAL, inclusive", rtt(&s.idealRTT)},
		{"states.ideal.for", "longest time in IDEAL", span(&s.idealFor, 0, spanMax)},
		{"states.expand.rtt", "RTT limit of the state EXPAND, inclusive", rtt(&s.expandRTT)},
		{"states.expand.for", "longest time in EXPAND", span(&s.expandFor, 0, spanMax)},
		{"states.warmbody.for", "longest time in WARMBODY", span(&s.warmbodyFor, 0, spanMax)},
		{"states.warmbody.then", "what becomes of a warm body that nobody needed", choice(&s.warmbodyThen, []string{"failed", "bots"})},
	}
}

// matchSettings are the keys of a queue's matches.
func matchSettings(m *matchConfig) []setting {
	mean := span(&m.length, time.Millisecond, spanMax)
	always := mean
	always.expects += ", or {mean: …, sd: …}"
	always.read = func(n node) error {
		m.lengthSD = 0
		return mean.read(n)
	}
	return []setting{
		{"match.size", "players in a match", whole(&m.size, 2, playersPerMatchMax)},
		{"match.length", "length of every match; or a log-normal one, by mean and sd", always},
		{"match.length.mean", "mean length of a match", mean},
		{"match.length.sd", "standard deviation of the length", span(&m.lengthSD, 0, spanMax)},
		{"match.order", "how a datacenter's queue is walked", choice(&m.order, []string{"shuffle", "oldest"})},
		{"match.prefer", "best: lower RTT to the datacenter first", choice(&m.prefer, []string{"any", "best"})},
		{"match.partner_cooldown", "time before meeting a partner of the last match again", span(&m.partnerCooldown, 0, spanMax)},
		{"match.keep_together", "a finished match searches again as one party", toggle(&m.keepTogether)},
	}
}

func playSettings(c *config) []setting {
	p := &c.players
	return []setting{
		{"players.play_again", "probability of returning after a match", number(&p.playAgain, limits{high: 1, highOpen: true})},
		{"players.between_matches", "pause before that is decided", span(&p.betweenMatches, 0, spanMax)},
		{"players.give_up_after", "wait after which a ticket leaves; placement pool only", span(&p.giveUpAfter, time.Millisecond, spanMax)},
		{"players.parties", "party size -> share of parties", shares(&p.parties, playersPerMatchMax)},
		{"players.attributes", "attribute name -> how it is drawn for every player; a column of the data wins", attributes(&p.attributes)},
	}
}

// rulesetSettings are the keys of a queue's ruleset.
func rulesetSettings(c *queueConfig) []setting {
	return []setting{
		{"rules", "rules of a vendor (JSON): " + dialect.Titles() + "; none: the article's matches", path(&c.rules, "the name of a file")},
		{"dialect", "vendor of the ruleset; none: recognised from its content", optional(&c.dialect, choice(&c.dialect, dialect.Names()))},
		{"matcher.follow", "what counts where a vendor's service and its documentation differ", choice(&c.follow, follows)},
	}
}

func ruleSettings(c *config) []setting {
	m := &c.matcher
	return []setting{
		{"matcher.expansion_basis", "whose wait expands a rule among several tickets", choice(&m.expansionBasis, expansionBases)},
		{"matcher.optional_basis", "who of them must have waited until a rule is optional", choice(&m.optionalBasis, optionalBases)},
		{"matcher.budget", "steps that the search for one ticket may take", whole(&m.budget, 1, math.MaxInt32)},
		{"matcher.partition_above", "waiting tickets above which a PlayFab queue is split, as under load; 0 never", whole(&m.partitionAbove, 0, math.MaxInt32)},
		{"matcher.strict", "members that the vendor's schema does not have are errors", toggle(&m.strict)},
		{"regions", "region of the vendor -> its datacenters; any other datacenter is a region of its own name", regions(&c.regions)},
		{"queues", "several queues, each with a name, a share of the parties or when {attribute: value}, and what differs: placement, match, rules, dialect", queues(c)},
	}
}

func outputSettings(c *config) []setting {
	o := &c.output
	return []setting{
		{"output.dir", "result directory", required(path(&o.dir, "the name of a folder"))},
		{"output.records", "one row per player and search (see \"mmsim help records\")", choice(&o.records, []string{"none", "csv", "parquet"})},
		{"output.plots", "draw plots", toggle(&o.plots)},
		{"output.html", "write report.html", toggle(&o.html)},
	}
}
