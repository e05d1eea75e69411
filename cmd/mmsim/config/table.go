package config

import (
	"fmt"
	"math"
	"slices"
	"time"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/atlas"
	"mmsim/datasets/builtin"
	"mmsim/datasets/joinfile"
	"mmsim/latencymap"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/vendor"
	"mmsim/sim"
)

// Setting is one key of the configuration. The functions below list every key in exactly one
// place. The reader, --set, the resolved config.yaml, shell completion and `mmsim help config`
// all use that list.
type Setting = value.Key

// Settings binds every key to its field of c, in the order of config.yaml. The keys of a
// section are adjacent.
func Settings(c *Config) []Setting {
	return slices.Concat(inputSettings(c), populationSettings(c), matchSettings(&c.Match), playSettings(c), rulesetSettings(&c.Queue), ruleSettings(c), serverSettings(c), c.Fleet.Settings(), c.Events.Settings(), c.Season.Settings(), limitSettings(&c.Limits), c.Matters.Settings(), outputSettings(c))
}

func inputSettings(c *Config) []Setting {
	d, b, l := &c.Dataset, &c.Dataset.Builtin, &c.Latency
	factor := value.Limits{High: atlas.MaxWeight, LowOpen: true}
	return []Setting{
		value.Named("seed", "seed of the random numbers; the same inputs and seed give the same results", value.Whole(&c.Seed, 0, math.MaxUint64)),
		value.Named("run", "number of the replication; each number gives different random numbers with the same seed", value.Whole(&c.Run, 0, math.MaxUint32)),
		value.Named("dataset.file", "file of player joins: CSV or JSON lines (plain, .gz or .zst), or Parquet; - is standard input (default: the built-in day)", value.PathOrStdin(&d.File, "the name of a file, or - for standard input")),
		value.Named("dataset.rows", "what a row of the file is: the start of a session, in which the player searches again by chance after each match (sessions), or one of several searches of a player, so that nobody plays again by chance (searches); auto is searches if the file has 1.5 or more rows per player (player_id) and day, and otherwise sessions", value.ByDefault(&d.Rows, rowsAuto, value.Choice(&d.Rows, []string{rowsAuto, rowsSessions, rowsSearches}))),
		value.Named("dataset.days", "the file has the joins of N days as one day; keep a random 1/N of them", value.Whole(&d.Days, 1, daysMergedMax)),
		value.Named("dataset.scale", "multiplier for the number of joins, such as 0.1 for a tenth of them", value.Number(&d.Scale, value.Limits{High: scaleMax, LowOpen: true})),
		value.Named("dataset.resample", "take each party of the file a random number of times, 1 on average, in every run, so that intervals over runs also cover which players joined", value.ByDefault(&d.Resample, false, value.Toggle(&d.Resample))),
		value.Named("dataset.spread", "move a join whose time is a whole second to a random time within that second", value.Toggle(&d.Spread)),
		value.Named("dataset.columns", "types of columns with player attributes; only needed for a column whose first value suggests the wrong type", kinds(&d.Columns)),
		value.Named("dataset.map", "columns that have another name in the file: {time: joined_at} reads the time from the column joined_at", columnNames(&d.Map)),
		value.Named("dataset.time_zone", "time zone of times that have no UTC offset; each day begins at midnight in this zone", timeZone(&d.TimeZone)),
		value.Named("dataset.time_format", "what times mean that could mean several things: dates with slashes have the day (day/month) or the month (month/day) first, and numbers below 86400 are seconds since midnight (seconds) or Excel's days (excel); auto lets the whole file decide", value.ByDefault(&d.TimeFormat, string(joinfile.TimesAuto), value.Choice(&d.TimeFormat, joinfile.TimeFormats))),
		value.Named("dataset.date", "day to use from a file with dates, such as 2026-03-14 (default: all days, one after another)", value.Optional(&d.Date, value.Day(&d.Date))),
		value.Named("dataset.geoip", "database of IP addresses (.mmdb, such as GeoLite2 City) that finds the places of players who have an address (ip or ip_address) but no coordinates", value.ByDefault(&d.GeoIP, "", value.Path(&d.GeoIP, "the name of a file"))),
		value.Named("dataset.max_bad_rows", "number or share of malformed rows to skip with a warning, such as 20 or 0.1%; if there are more, mmsim ends with an error", badRows(&d.MaxBadRows, &d.MaxBadShare)),
		value.Named("dataset.builtin.preset", "where the players of the built-in day live", value.Choice(&b.Preset, builtin.PresetNames())),
		value.Named("dataset.builtin.joins", "expected number of joins in the built-in day, before dataset.scale is applied", value.Whole(&b.Joins, 1, builtin.MaxJoins)),
		value.Named("dataset.builtin.date", "date of the built-in day, which determines daylight saving time and whether it is a weekend", value.Day(&b.Date)),
		value.Named("dataset.builtin.weekend", "multiplier for the joins on a Saturday or Sunday", value.Number(&b.Weekend, factor)),
		value.Named("dataset.builtin.spike.hour", "hour of a launch spike, in which more players join than usual (UTC)", value.Whole(&b.Spike.Hour, 0, 23)),
		value.Named("dataset.builtin.spike.factor", "multiplier for the joins in the hour of the launch spike", value.Number(&b.Spike.Factor, factor)),
		value.Named("dataset.builtin.countries", "CSV file with multipliers for the number of players in a country: country,weight", value.Path(&b.CountryFile, "the name of a file")),
		value.Named("datacenters.file", "datacenters: a CSV file of id,name,latitude,longitude, where id may be left out; the regions of a provider ("+input.Either(atlas.ProviderNames())+"), all or some of them (aws:us-east-1,eu-west-1); or several of these joined by +, such as mine.csv+gcp (default: the built-in list); a file that has the name of a provider takes precedence; \"mmsim dataset datacenters\" lists the regions", c.Datacenters.SourcesValue()),
		value.Named("datacenters.use", "names of the datacenters that take part, from the list in datacenters.file, such as [us-east-1, eu-west-1] (default: all)", c.Datacenters.UseValue()),
		value.Named("latency.maps", "folder of latency maps (latency_<datacenter>.bin or .png); without maps, mmsim estimates all RTTs (see the key latency.fallback)", value.Path(&l.Maps, "the name of a folder")),
		value.Named("latency.clean", "ignore impossible values of maps: values at latitude 0, longitude 0, and RTTs that are faster than light", value.Toggle(&l.Clean)),
		value.Named("latency.fallback", "how to estimate an RTT that is in no map: from cable routes (model), as a linear function of the distance (line), or from the speed of light in fibre (fibre)", value.Enum(&l.Fallback, []string{"model", "line", "fibre"}, latencymap.Model, latencymap.Line, latencymap.Fibre)),
		value.Named("latency.fudge", "multiplier for all RTTs that latency.fallback estimates, such as 1.1 for 10 % more; RTTs in maps and in rtt:<datacenter> columns stay as they are", value.Number(&l.Fudge, value.Limits{Low: latencymap.FudgeMin, High: latencymap.FudgeMax})),
		value.Named("latency.last_mile.median", "median of the delays of the players' own internet connections (access delays); a player's delay is added to every RTT of that player, and the sum is capped just below 4.096s", value.Duration(&l.LastMileMedian, 0, time.Second, time.Microsecond)),
		value.Named("latency.last_mile.sigma", "standard deviation of the natural logarithm of the access delays", value.Number(&l.LastMileSigma, value.Limits{High: 3})),
		value.Named("latency.jitter.sd", "standard deviation of the random difference between a player's RTT in a match and the RTT that was expected before the match", rtt(&l.JitterSD)),
	}
}

func populationSettings(c *Config) []Setting {
	s := &c.States
	placements := []string{PlacementDatacenters, PlacementPool, PlacementServers}
	return []Setting{
		value.Named("clock.tick", "time between matching passes; a pass makes matches from the waiting tickets", value.Span(&c.Clock.Tick, time.Millisecond, time.Hour)),
		value.Named("clock.duration", "simulated time that the results cover; data that is shorter repeats; if the data has several days, the default is all of them", value.Span(&c.Clock.Duration, time.Millisecond, durationMax)),
		value.Named("clock.warmup", "simulated time before measuring begins, so that players are already online by then; auto chooses 2h to 24h, so that less than 1 % of the players who should be online are missing", value.OrAuto(&c.Clock.Warmup, &c.Clock.WarmupAuto, section.WarmupMin, value.Span(&c.Clock.Warmup, 0, spanMax))),
		value.Named("placement", "where tickets (searching players and parties) wait: in a queue for each datacenter (datacenters), in one pool for all datacenters (pool), or nowhere, because players join running servers (servers); the default is pool if a ruleset or an external matchmaker makes the matches, servers if the ruleset places players on servers, and datacenters without either", value.Optional(&c.Placement, value.Choice(&c.Placement, placements))),
		value.Named("states.ideal.rtt", "maximum RTT to the datacenters in whose queues a ticket waits in the state IDEAL", rtt(&s.IdealRTT)),
		value.Named("states.ideal.for", "maximum time in IDEAL, after which a ticket goes to EXPAND", value.Span(&s.IdealFor, 0, spanMax)),
		value.Named("states.expand.rtt", "maximum RTT to the datacenters in whose queues a ticket waits in the state EXPAND", rtt(&s.ExpandRTT)),
		value.Named("states.expand.for", "maximum time in EXPAND, after which a ticket goes to WARMBODY", value.Span(&s.ExpandFor, 0, spanMax)),
		value.Named("states.warmbody.for", "maximum time in WARMBODY, in which a ticket may join a match in any datacenter; auto is 10s or, if a ruleset or an external matchmaker makes the matches, what is left of players.give_up_after after the states IDEAL and EXPAND", value.OrAuto(&s.WarmbodyFor, &s.WarmbodyAuto, warmbodyDefault, value.Span(&s.WarmbodyFor, 0, spanMax))),
		value.Named("states.warmbody.then", "what happens to a ticket that finds no match in WARMBODY: its search fails (failed), or its players play with bots (bots)", value.Enum(&s.WarmbodyThen, []string{"failed", "bots"}, sim.StateFailed, sim.StateBots)),
	}
}

// matchSettings returns the keys of a queue's matches.
func matchSettings(m *Match) []Setting {
	a := &m.Acceptance
	share := value.Limits{High: 1}
	return slices.Concat([]Setting{value.Named("match.size", "number of players in a match; a ruleset sets its own number", value.Whole(&m.Size, 2, PlayersPerMatchMax))},
		section.Distribution("match.length", "length of each match", "length of a match", &m.Length, spanMax), []Setting{
			value.Named("match.order", "order in which a datacenter's queue is searched: random (shuffle), or the longest wait first (oldest); only without a ruleset", value.Enum(&m.Order, []string{"shuffle", "oldest"}, sim.OrderShuffle, sim.OrderOldest)),
			value.Named("match.prefer", "which tickets of a datacenter's queue are matched first: those that come first in match.order (any), or those with the lowest RTT to the datacenter (best); only without a ruleset", value.Enum(&m.Prefer, []string{"any", "best"}, sim.PreferAny, sim.PreferBest)),
			value.Named("match.partner_cooldown", "how long after a match its players are not matched with each other again (except in the state WARMBODY); only without a ruleset", value.Span(&m.PartnerCooldown, 0, spanMax)),
			value.Named("match.keep_together", "let the players of a finished match search again as one party; only without a ruleset", value.Toggle(&m.KeepTogether)),
			value.Named("match.backfill", "let running matches take more players while they have free seats; only for FlexMatch, because other rulesets decide this themselves", value.Toggle(&m.Backfill)),
			value.Named("match.acceptance.required", "ask the players of each match to accept it before it starts; not with placement servers", value.Toggle(&a.Required)),
			value.Named("match.acceptance.timeout", "time that players have to accept a proposed match", value.Millis(&a.Timeout, time.Millisecond, spanMax)),
			value.Named("match.acceptance.accept", "probability that a player accepts a proposed match", value.Share(&a.Accept, share)),
			value.Named("match.acceptance.refuse", "probability that a player who does not accept a match refuses it; otherwise the player does not answer", value.Share(&a.Refuse, share)),
		}, section.Distribution("match.acceptance.delay", "time until each player answers", "time until a player answers", &a.Delay, spanMax), []Setting{
			value.Named("match.acceptance.requeue", "what happens to tickets that wait on after a match that others did not accept: they keep their age (age), or begin to wait anew, so that no rule is relaxed for them (new); the reported wait and the time until they give up run on", value.ByDefault(&a.Anew, false, value.Enum(&a.Anew, []string{"age", "new"}, false, true))),
			value.Named("match.acceptance.again", "probability that a ticket that did not accept a match searches again, after players.between_matches or players.penalty, whichever is longer", value.ByDefault(&a.Again, 0, value.Share(&a.Again, share))),
		}, m.Leave.Keys(spanMax))
}

func playSettings(c *Config) []Setting {
	p := &c.Players
	return slices.Concat([]Setting{
		value.Named("players.play_again", "probability that a player searches again after a match", value.Share(&p.PlayAgain, value.Limits{High: 1, HighOpen: true})),
		value.Named("players.between_matches", "pause after a match, before a player searches again or leaves", value.Span(&p.BetweenMatches, 0, spanMax)),
		value.Named("players.give_up_after", "wait after which a ticket gives up its search, with placement pool; with placement datacenters, states.warmbody.for can depend on it", value.Span(&p.GiveUpAfter, time.Millisecond, spanMax)),
		value.Named("players.patience", "shares of the tickets that would cancel their search by a wait: with {10s: 2%, 30s: 9%, 2m: 31%}, 2 % would cancel by 10s and 31 % by 2m (linear between the entries, and from 0 at 0s), and 69 % would wait until something else ends the search; no effect with placement servers", section.Patience(&p.Patience, spanMax)),
	}, p.Missing.Keys(spanMax), []Setting{
		value.Named("players.parties", "shares of the party sizes: {1: 0.8, 2: 0.2} makes 80 % single players and 20 % parties of two", shares(&p.Parties, PlayersPerMatchMax)),
		value.Named("players.attributes", "player attributes to generate, each with a generator; an attribute that is a column of the data is not generated", section.Attributes(&p.Attributes)),
	})
}

// rulesetSettings returns the keys of a queue's ruleset and external matchmaker.
func rulesetSettings(c *Queue) []Setting {
	return []Setting{
		value.Named("rules", "file with a vendor's ruleset (JSON): "+dialect.Titles()+"; FILE#NAME selects one of several rulesets in a file; without rules, mmsim matches players by RTT alone", rules(&c.Rules, &c.RulesPart, &c.RuleKeys)),
		value.Named("dialect", "vendor whose format the ruleset has (default: recognised from the ruleset)", value.Optional(&c.Dialect, value.Choice(&c.Dialect, dialect.Names()))),
		value.Named("external.backfill", "let the external matchmaker add tickets to running matches; only with placement pool", value.Toggle(&c.External.Backfill)),
		value.Named("matcher.follow", "where a vendor's service is known to differ from its documentation, do as the service does (service) or as the documentation says (page)", value.Enum(&c.Follow, []string{"service", "page"}, vendor.FollowService, vendor.FollowPage)),
		value.Named("matcher.external", "external matchmaker, a program or service of yours that makes the matches instead of mmsim; see \"mmsim help matcher\"", c.External.MatcherValue()),
		value.Named("matcher.profiles", "file of Open Match profiles (YAML), which a matchmaker openmatch2:HOST:PORT needs", value.Path(&c.External.Profiles, "the name of a file")),
		value.Named("matcher.folder", "working directory of the program that is the external matchmaker (default: the folder of the file that names the program)", c.External.FolderValue()),
	}
}

func ruleSettings(c *Config) []Setting {
	m := &c.Matcher
	return []Setting{
		value.Named("matcher.timeout", "maximum real time that an external matchmaker may take for an answer", value.Span(&m.Timeout, timeoutMin, timeoutMax)),
		value.Named("matcher.memory", "memory limit of a WebAssembly matchmaker", value.Size(&m.Memory, memoryMin, memoryMax)),
		value.Named("matcher.on_invalid", "what an invalid proposal of an external matchmaker does: it is dropped and counted (drop), or it ends the run (error)", value.Enum(&m.EndsOnInvalid, []string{"drop", "error"}, false, true)),
		value.Named("matcher.expansion_basis", "PlayFab: if a rule compares tickets that have waited for different times, relax the rule by their longest or shortest wait", value.Enum(&m.ExpansionBasis, []string{"longest", "shortest"}, matcher.LongestWait, matcher.ShortestWait)),
		value.Named("matcher.optional_basis", "PlayFab: whether a rule that compares tickets becomes optional once all of these tickets have waited long enough, or once any of them has", value.Enum(&m.OptionalBasis, []string{"all", "any"}, matcher.AllWaited, matcher.AnyWaited)),
		value.Named("matcher.budget", "maximum number of steps in the search for one ticket's match", value.Whole(&m.Budget, 1, math.MaxInt32)),
		value.Named("matcher.batch", "FlexMatch: matches are made batch by batch; number of tickets in a batch, or 0 for one batch of all waiting tickets", value.Whole(&m.Batch, 0, math.MaxInt32)),
		value.Named("matcher.partition_above", "PlayFab: number of waiting tickets above which the queue is split, as the service does under load; 0 means never", value.Whole(&m.PartitionAbove, 0, math.MaxInt32)),
		value.Named("matcher.strict", "treat unknown keys, comments and trailing commas in the ruleset as errors instead of warnings", value.Toggle(&m.Strict)),
		value.Named("regions", "datacenters in each region that the ruleset or an external matchmaker names; a datacenter in none of these regions is a region of its own, with the datacenter's name", regions(&c.Regions)),
		value.Named("queues", "several queues. Each has a name and its own values of placement, match, rules, dialect, external.backfill and matcher (follow, external, profiles and folder). The parties are divided by share (share: 0.3 is 30 % of them) or by an attribute (when: {mode: ranked} selects the parties whose first player has mode = ranked)", queues(c)),
	}
}

func outputSettings(c *Config) []Setting {
	o := &c.Output
	return []Setting{
		value.Named("output.dir", "result directory", value.Required(value.Path(&o.Dir, "the name of a folder"))),
		value.Named("output.records", "format of the records, a file with one row per player and search; see \"mmsim help records\"", value.Choice(&o.Records, []string{"none", "csv", "parquet"})),
		value.Named("output.plots", "draw the plots of the result", value.Toggle(&o.Plots)),
		value.Named("output.html", "write report.html", value.Toggle(&o.HTML)),
	}
}

// limitsSection is the section of the keys of Limits.
const limitsSection = "report.limits"

func limitSettings(l *Limits) []Setting {
	byDefault := defaultLimits()
	wait := func(p *time.Duration, isAuto *bool, usual time.Duration) value.Value {
		return value.OrAuto(p, isAuto, usual, value.Span(p, 0, spanMax))
	}
	rtt := func(p *time.Duration, isAuto *bool) value.Value {
		return value.OrAuto(p, isAuto, 0, value.Duration(p, time.Millisecond, rttMax, time.Microsecond))
	}
	unmatched := func(p *float64, isAuto *bool, usual float64) value.Value {
		return value.OrAuto(p, isAuto, usual, share(p))
	}
	list := []Setting{
		value.Named("report.limits.wait.good", "waits are rated good if 90 % of first searches take at most this time (auto: 10s)", wait(&l.Wait.good, &l.Wait.goodAuto, byDefault.Wait.good)),
		value.Named("report.limits.wait.fair", "waits that are not good are rated fair if 90 % of first searches take at most this time, and otherwise poor (auto: 30s)", wait(&l.Wait.fair, &l.Wait.fairAuto, byDefault.Wait.fair)),
		value.Named("report.limits.rtt.good", "RTTs are rated good if 90 % of players get at most this RTT; maps use this limit for their colours, too (auto: states.ideal.rtt)", rtt(&l.RTT.good, &l.RTT.goodAuto)),
		value.Named("report.limits.rtt.fair", "RTTs that are not good are rated fair if 90 % of players get at most this RTT, and otherwise poor (auto: states.expand.rtt)", rtt(&l.RTT.fair, &l.RTT.fairAuto)),
		value.Named("report.limits.unmatched.good", "a result is rated good if at most this share of searches ends without a match (auto: 0.1%)", unmatched(&l.Unmatched.good, &l.Unmatched.goodAuto, byDefault.Unmatched.good)),
		value.Named("report.limits.unmatched.fair", "a result that is not good is rated fair if at most this share of searches ends without a match, and otherwise poor (auto: 1%)", unmatched(&l.Unmatched.fair, &l.Unmatched.fairAuto, byDefault.Unmatched.fair)),
	}
	for i := range list {
		list[i].Unset = func() bool { return *l == byDefault }
	}
	return list
}

// rtt returns the setting for a round-trip time in steps of 1 µs. RTTs are stored in units of
// 1/16 ms, so comparisons round it.
func rtt(p *time.Duration) value.Value { return value.Duration(p, 0, rttMax, time.Microsecond) }

// regions returns the setting that maps a vendor's regions to datacenters. The datacenters are
// checked later, when the list of datacenters has been read.
func regions(p *map[string][]string) value.Value {
	return value.MapOf(p, "a mapping of regions to datacenters, such as {WestUs: [sanjose, seattle]}", value.Name,
		func(names *[]string) value.Value {
			return value.Distinct(names, "a list of datacenters without repetition")
		})
}

// shares returns the setting that maps party sizes to shares of parties. The sum of the shares
// is checked after all settings have been read.
func shares(p *map[int]float64, sizeMax int) value.Value {
	return value.MapOf(p, fmt.Sprintf("a mapping of party sizes (1 to %d) to shares from 0 to 1", sizeMax), func(key yamltree.Node) (size int, err error) {
		if err := value.Whole(&size, 1, sizeMax).Read(key); err != nil {
			return 0, fmt.Errorf("party size %w", err)
		}
		return size, nil
	}, func(share *float64) value.Value { return value.Share(share, value.Limits{High: 1}) }).
		Taking(func(s value.Schema) value.Schema {
			return s.With("propertyNames", value.PatternSchema(`^[-+.0-9eE]+$`))
		})
}
