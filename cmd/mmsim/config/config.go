// Package config defines the configuration of a run. It has a table of all keys with their
// meanings and limits. It reads values from a YAML file and from flags, and writes the resolved
// configuration for results. It also computes a hash that identifies what is simulated.
//
// # Adding a key
//
//  1. Add a field to Config, or to the struct of its section, and its default to Default.
//  2. Declare the key: a line in one of the functions of table.go. Package value has all that a key can
//     be; its comment shows a list of four lines. The declaration reads, writes and describes the key.
//  3. Write it only when it is set, with value.ByDefault; a list leaves itself out when it is empty. The
//     configurations that people keep do not have the key, and their hash must stay as it is.
//  4. Use it: where sim has a type of what is configured, the field has that type, and value.Enum and
//     value.Millis read it; package experiment/binding converts the rest. Settings that contradict each
//     other are refused in check.go, names of files are listed in filenames.go.
//
// Tests name what is missing: TestEveryKeyChangesItsHash in package experiment needs another value of the
// key (anotherValue), and the limits of a key whose help names no range are in limits_test.go of package
// data (unlimited).
package config

import (
	"fmt"
	"slices"
	"time"

	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/matchmaker"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/builtin"
	"mmsim/datasets/joinfile"
	"mmsim/datasets/population"
	"mmsim/latencymap"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Config is the resolved configuration of a run: defaults, overridden by the file, overridden
// by flags. table.go lists the key and limits of every field, and YAML is read and written
// only through that table. File names are absolute, or empty if no file is set.
type Config struct {
	Seed        uint64 // seed of the experiment's random numbers
	Run         uint32 // number of the replication
	Dataset     Dataset
	Datacenters section.Datacenters
	Latency     Latency
	Clock       Clock
	States      States
	Players     Players
	Queue       // the only queue, or the defaults for Queues
	Queues      []Queue
	queueNodes  []yamltree.Node          // elements of the list queues as written; see resolveQueues
	written     map[string]yamltree.Node // where each setting was written; settings that are written nowhere are absent
	Matcher     Matcher
	Regions     map[string][]string // datacenters by vendor region; every other datacenter is a region of its own
	Servers     Servers             // used only with placement servers
	Fleet       section.Fleet       // machines for the matches, if it has prices
	Events      section.Events      // what happens to all queues
	Season      section.Season      // persons who come back day after day
	Limits      Limits              // thresholds of the ratings in reports
	Matters     section.Matters     // smallest differences that matter in comparisons
	Output      Output

	limited  bool // keeps ForData from changing Clock.Duration, see Limit
	searches bool // see Searches
}

// Queue configures how one queue matches players.
type Queue struct {
	Name      string // empty if the configuration has no list of queues
	Share     float64
	When      Condition
	Placement string // where tickets wait, or "" until it is determined; see placeQueue
	Match     Match
	Rules     string // file, or "" for none
	// RulesPart is the name of the ruleset if the file has several. It is empty if the file has one.
	RulesPart string
	RuleKeys  []RuleKey
	Dialect   string // "" if it is recognised from the ruleset
	External  matchmaker.External
	Follow    vendor.Follow // whether to follow a vendor's service or its documentation where they differ

	takes bool // whether running matches take players
}

// Matcher configures how to apply rules that their vendor specifies incompletely, and how to
// run an external matchmaker.
type Matcher struct {
	vendor.CompileOptions               // without Follow and Backfill, which are settings of a queue
	Timeout               time.Duration // time limit for each answer of an external matchmaker
	EndsOnInvalid         bool          // whether its invalid proposals end the run
	Memory                int64         // limit in bytes for a WebAssembly matchmaker
}

// Dataset configures the joins that are replayed.
type Dataset struct {
	File        string // file, or "" for the built-in generated day
	Rows        string // what a row of the file is, see package rows
	Days        int    // number of days whose joins the file has overlaid on one
	Scale       float64
	Resample    bool // whether each run draws the parties of the file anew
	Spread      bool
	Columns     map[string]string // text, list or number, by column name
	Map         map[string]string // column names in the file, by mmsim's names
	TimeZone    string            // see joinfile.ParseZone
	TimeFormat  string            // see joinfile.TimeFormat
	Date        time.Time         // day to replay; zero for all days
	GeoIP       string            // database of IP addresses, or "" for none
	MaxBadRows  int
	MaxBadShare float64 // if not 0, used in place of MaxBadRows
	AllBadRows  bool    // not a setting: whether to read on after too many malformed rows, to list all of them
	Builtin     Builtin // used if File is empty
}

// Builtin configures the built-in day.
type Builtin struct {
	builtin.Options        // Joins is before Scale; without Countries
	CountryFile     string // file of country weights, or "" for none
}

// Latency configures how RTTs are determined.
type Latency struct {
	Maps string // folder, or "" to use only the model
	latencymap.Options
	LastMileMedian time.Duration
	LastMileSigma  float64 // standard deviation of the logarithm
	JitterSD       time.Duration
}

// Clock configures the simulated time and its steps.
type Clock struct {
	Tick, Duration, Warmup time.Duration
	WarmupAuto             bool // whether completeWarmup determines Warmup
}

// States configures how long a player stays in each state, and the RTT thresholds.
type States struct {
	IdealRTT, IdealFor   time.Duration
	ExpandRTT, ExpandFor time.Duration
	WarmbodyFor          time.Duration // see Config.WarmbodyFor
	WarmbodyAuto         bool          // whether the queue determines the time in WARMBODY
	WarmbodyThen         sim.State     // StateFailed or StateBots
}

// Match configures matches. A ruleset replaces Size with its own.
type Match struct {
	Size            int
	Length          sim.Length
	Order           sim.Order
	Prefer          sim.Prefer
	PartnerCooldown time.Duration
	KeepTogether    bool
	Backfill        bool
	Acceptance      Acceptance
	Leave           section.Leave
}

// Acceptance configures whether players must accept a proposed match, and how they answer.
type Acceptance struct {
	Required bool
	sim.Acceptance
}

// Players configures parties, attributes, and when players search again or give up.
type Players struct {
	PlayAgain      float64
	BetweenMatches time.Duration
	GiveUpAfter    time.Duration      // used with placement pool, and by Config.WarmbodyFor
	Patience       []sim.PatienceStep // in ascending order of waits and shares; empty if no player cancels a search
	Missing        section.Missing    // from matches
	Parties        map[int]float64    // share of parties by party size; sums to 1
	Attributes     []population.Generated
}

// Output configures which files are written.
type Output struct {
	Dir         string
	Records     string
	Plots, HTML bool
}

// These limits are far beyond sensible values. They catch typing errors, which would otherwise
// start an endless run.
const (
	PlayersPerMatchMax = sim.MaxMatchSize
	daysMergedMax      = 10_000
	scaleMax           = 10_000
	rttMax             = 4 * time.Second // RTTs are stored as uint16 in units of 1/16 ms
	spanMax            = 24 * time.Hour
	durationMax        = 366 * 24 * time.Hour
	warmbodyDefault    = 10 * time.Second // the article's
)

// Default returns the configuration of a run without a file or flags: the matchmaker of Glenn
// Fiedler's article on the built-in day.
func Default() *Config {
	return &Config{
		Seed: 1,
		Dataset: Dataset{
			Rows: rowsAuto, Days: 1, Scale: 1, Spread: true, Columns: map[string]string{}, Map: map[string]string{}, TimeZone: "UTC", TimeFormat: string(joinfile.TimesAuto),
			Builtin: Builtin{Options: builtin.Options{
				Preset: "world-without-cn", Joins: 1_000_000,
				Date:    time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC),
				Weekend: 1, Spike: builtin.Spike{Factor: 1},
			}},
		},
		Latency: Latency{Options: latencymap.Options{Clean: true, Fudge: 1}},
		Clock:   Clock{Tick: time.Second, Duration: 24 * time.Hour, Warmup: section.WarmupMin, WarmupAuto: true},
		States: States{
			IdealRTT: 50 * time.Millisecond, IdealFor: 10 * time.Second,
			ExpandRTT: 100 * time.Millisecond, ExpandFor: 10 * time.Second,
			WarmbodyFor: warmbodyDefault, WarmbodyAuto: true, WarmbodyThen: sim.StateFailed,
		},
		Queue: Queue{
			Match: Match{
				Size: 4, Length: sim.Length{Mean: 5 * sim.Minute},
				Acceptance: Acceptance{Acceptance: sim.Acceptance{
					Timeout: 30 * sim.Second, Accept: 0.95, Refuse: 0.5, Delay: sim.Length{Mean: 5 * sim.Second},
				}},
				Leave: section.NoLeave(spanMax),
			},
		},
		Players: Players{
			PlayAgain: 0.75, BetweenMatches: 30 * time.Second, GiveUpAfter: 2 * time.Minute,
			Parties: map[int]float64{1: 1},
			Missing: section.NoneMissing,
		},
		Matcher: Matcher{
			CompileOptions: vendor.CompileOptions{Budget: matcher.DefaultBudget},
			Timeout:        timeoutDefault, Memory: matchmaker.DefaultMemory,
		},
		Regions: map[string][]string{},
		Servers: Servers{Session: sim.SessionLength{Kind: sim.SessionWeibull, Scale: 20 * sim.Minute, Shape: 0.5}},
		Fleet:   section.DefaultFleet(),
		Season:  section.DefaultSeason(),
		Limits:  defaultLimits(),
		Output:  Output{Dir: "mmsim-out", Records: "none", Plots: true, HTML: true},
	}
}

// Defaults and limits of the settings for external matchmakers.
const (
	timeoutDefault = 10 * time.Second
	timeoutMin     = time.Millisecond
	timeoutMax     = time.Hour
	memoryMin      = 1 << 20
	memoryMax      = 4 << 30 // all the memory that a WebAssembly module can address
)

// Values of Queue.Placement.
const (
	PlacementDatacenters = "datacenters"
	PlacementPool        = "pool"
	PlacementServers     = "servers"
)

// Simulated returns the total virtual time of the given number of runs, including warm-up.
func (c *Config) Simulated(runs int) sim.Duration {
	return SimSpan(c.Clock.Warmup+c.Clock.Duration) * sim.Duration(runs)
}

// ForData adapts the configuration to the data of a run. Unless clock.duration is set, the run
// is as long as the data, which covers the given number of days. With placement servers, an
// automatic warm-up period depends on sessions: the session lengths in the data in seconds, or
// NaN for a length that is drawn at random. ForData returns a copy, because several goroutines
// may share c.
func (c *Config) ForData(days int, sessions []float64) *Config {
	run := *c
	_, given := c.written["clock.duration"]
	if !given && !c.limited && c.Clock.Duration == 24*time.Hour {
		run.Clock.Duration *= time.Duration(days)
	}
	if c.Clock.WarmupAuto && c.Placement == PlacementServers && len(sessions) > 0 {
		run.Clock.Warmup = section.StationaryAfter(section.GivenExcess(sessions, section.SessionExcess(c.Servers.Session)), 0)
	}
	return &run
}

// Searches reports whether every row is one search. Of dataset.rows=auto, only a configuration from
// ForRows knows it.
func (c *Config) Searches() bool { return c.searches }

// ChoosesRows reports whether mmsim chooses what the rows of the file are. On servers, nobody plays
// again by chance, so that there is no choice.
func (c *Config) ChoosesRows() bool {
	return c.Dataset.File != "" && c.Dataset.Rows == rowsAuto && c.Placement != PlacementServers
}

// ForRows chooses what the rows of a file are, unless the configuration says it. If they are
// searches, it returns a copy without play-again, because several goroutines may share c. In the
// copy, dataset.rows is still auto, so that it gives the same results when it is loaded again.
func (c *Config) ForRows(p datasets.PlayerRows) (*Config, error) {
	if !c.ChoosesRows() || !p.Repeat() {
		return c, nil
	}
	run := *c
	err := run.takeSearches(fmt.Sprintf("%s, which is %s here because of %s rows per player and day", rowsAuto, rowsSearches, p.PerPlayerAndDay()))
	run.completeWarmup()
	return &run, err
}

// makesMatches reports whether a ruleset or an external matchmaker makes the queue's matches.
func (q *Queue) makesMatches() bool { return q.Rules != "" || q.External.Matcher != "" }

// Facts returns the facts about a run. On servers, no search lasts, and no event cuts matches short.
// isChosen says whether datacenters.use chose the datacenters in use.
func (c *Config) Facts(isChosen bool) outcome.Facts {
	onServers := c.Placement == PlacementServers
	leaves := func(q *Queue) bool { return q.Match.Leave.Happens() }
	return outcome.Facts{
		Jitter:      c.Latency.JitterSD > 0 || c.Events.AddLatency(),
		Patience:    len(c.Players.Patience) > 0 && !onServers,
		Missing:     c.Players.Missing.Dead > 0 || !onServers && c.Events.CutMatches() || slices.ContainsFunc(c.AllQueues(), leaves),
		Maintenance: c.Events.HasMaintenance(),
		OverAll:     isChosen,
	}
}

// WarmbodyFor returns the time that a queue's tickets spend in WARMBODY. If states.warmbody.for is
// auto and a ruleset or an external matchmaker makes the matches, it is what IDEAL and EXPAND leave
// of players.give_up_after. Rules relax while tickets wait, so a search must not end earlier than in
// a pool. Without rules it is the article's.
func (c *Config) WarmbodyFor(q *Queue) time.Duration {
	s := &c.States
	if !s.WarmbodyAuto || !q.makesMatches() {
		return s.WarmbodyFor
	}
	return max(0, c.Players.GiveUpAfter-s.IdealFor-s.ExpandFor)
}

// LongestSearch returns the longest time that a ticket of a queue can search.
func (c *Config) LongestSearch(q *Queue) time.Duration {
	if q.Placement == PlacementPool {
		return c.Players.GiveUpAfter
	}
	return c.States.IdealFor + c.States.ExpandFor + c.WarmbodyFor(q)
}

// Limit sets the duration of a run. ForData no longer changes it.
func (c *Config) Limit(duration time.Duration) { c.Clock.Duration, c.limited = duration, true }

// RTTLimits returns the two RTTs that separate good, fair and poor RTTs in reports.
func (c *Config) RTTLimits() grade.RTTs {
	ms := func(d time.Duration) outcome.Millis { return outcome.Millis(Milliseconds(d)) }
	return grade.RTTsOf(outcome.Thresholds{Ideal: ms(c.States.IdealRTT), Expand: ms(c.States.ExpandRTT)}, c.Limits.Given())
}
