// Package config defines the configuration of a run: the table of keys with their meanings
// and limits, the YAML file and the flags that set their values, the resolved text in
// results, and the hash that identifies what is simulated.
package config

import (
	"time"

	"mmsim/cmd/mmsim/config/outside"
	"mmsim/cmd/mmsim/config/stationary"
	"mmsim/cmd/mmsim/matchmaker/transport"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets/population"
	"mmsim/matcher"
	"mmsim/matcher/dialect/vendor"
	"mmsim/reports/grade"
	"mmsim/reports/outcome"
	"mmsim/sim"
)

// Config is the resolved configuration of a run: defaults, then the file, then the flags.
// table.go lists the key and limits of every field; the YAML form is written and read through
// that table only. Paths are absolute, "" means none.
type Config struct {
	Seed        uint64 // identifies the experiment
	Run         uint32 // number of the replication
	Dataset     Dataset
	Datacenters string // file; "" is the built-in list
	Latency     Latency
	Clock       Clock
	States      States
	Players     Players
	Queue       // settings of the only queue, or defaults for the entries of queues
	Queues      []Queue
	queueNodes  []yamltree.Node          // as written, see resolveQueues
	written     map[string]yamltree.Node // position of each setting that is set, for checks of several settings; absent: the default
	Matcher     Matcher
	Regions     map[string][]string // vendor's region -> datacenters; other datacenters are regions by their own name
	Servers     Servers             // placement servers
	Limits      Limits              // for the classes good and fair in reports
	Output      Output

	limited bool // Clock.Duration does not depend on the days of the data, see Limit
}

// Queue configures how the players of one queue are matched.
type Queue struct {
	Name      string // of an entry of queues
	Share     float64
	When      Condition
	Placement string // "": the ruleset decides
	Match     Match
	Rules     string // file; "" is none
	RuleKeys  []RuleKey
	Dialect   string // "": recognised from the rules
	External  outside.External
	Follow    string // which one applies if a vendor's service and its documentation differ
}

// Matcher configures how rules are interpreted where their vendor does not specify it.
type Matcher struct {
	ExpansionBasis, OptionalBasis string
	Budget, Batch, PartitionAbove int
	Strict                        bool
	Timeout                       time.Duration // for an answer of a matchmaker outside
	OnInvalid                     string        // the handling of its invalid proposals
	Memory                        int64         // limit in bytes for a WebAssembly module
}

// Dataset configures the joins that are replayed.
type Dataset struct {
	File       string // "" is the built-in generated day
	Days       int    // sample days merged in the file
	Scale      float64
	Spread     bool
	Columns    map[string]string // column name -> text, list or number
	Map        map[string]string // mmsim's name of a column -> the file's
	TimeZone   string            // see joinfile.ParseZone
	Date       time.Time         // the day to replay; zero: all
	MaxBadRows int
	AllBadRows bool    // not a setting: continue reading after malformed rows, to list them all
	Builtin    Builtin // used when file is ""
}

// Builtin configures the built-in day.
type Builtin struct {
	Preset      string
	Joins       int // expected number in the day, before scale
	Date        time.Time
	Weekend     float64 // factor on joins when date is a Saturday or Sunday
	SpikeHour   int     // UTC hour of a launch spike
	SpikeFactor float64 // factor on the joins of that hour; 1 is no spike
	Countries   string  // file of country weights
}

// Latency configures how RTTs are determined.
type Latency struct {
	Maps           string // folder; "": the model only
	Clean          bool
	Fallback       string
	Fudge          float64
	LastMileMedian time.Duration
	LastMileSigma  float64 // of the logarithm
	JitterSD       time.Duration
}

// Clock configures the simulated time and its steps.
type Clock struct {
	Tick, Duration, Warmup time.Duration
	WarmupAuto             bool // settleWarmup determines the warm-up period
}

// States configures how long a player waits, and for which RTTs.
type States struct {
	IdealRTT, IdealFor   time.Duration
	ExpandRTT, ExpandFor time.Duration
	WarmbodyFor          time.Duration
	WarmbodyThen         string // failed or bots
}

// Match configures a match of the article; a ruleset sets the size of its matches itself.
type Match struct {
	Size            int
	Length          time.Duration // mean
	LengthSD        time.Duration // 0: every match has exactly the mean length
	Order           string
	Prefer          string
	PartnerCooldown time.Duration
	KeepTogether    bool
	Backfill        bool
	Acceptance      Acceptance
}

// Acceptance configures how players answer when rules require them to accept a proposed
// match.
type Acceptance struct {
	Required       bool
	Timeout        time.Duration
	Accept         float64       // share of players who accept
	Refuse         float64       // share of the others who refuse; the remaining players never answer
	Delay, DelaySD time.Duration // of an answer
}

// Players configures which players join, in which parties, and how many search again.
type Players struct {
	PlayAgain      float64
	BetweenMatches time.Duration
	GiveUpAfter    time.Duration   // with placement pool
	Parties        map[int]float64 // party size -> share of parties; sums to 1
	Attributes     []population.Generated
}

// Output configures which files are written.
type Output struct {
	Dir         string
	Records     string
	Plots, HTML bool
}

// Limits of a configuration. Each is far beyond sensible values, so that a typing error is
// reported and does not start an endless run.
const (
	PlayersPerMatchMax = 200
	daysMergedMax      = 10_000
	ScaleMax           = 10_000
	rttMax             = 4 * time.Second // stored in 1/16 ms as uint16
	spanMax            = 24 * time.Hour
	durationMax        = 10 * 24 * time.Hour
)

// Default returns the configuration of a run without a file or flags: the article's
// matchmaker on the built-in day.
func Default() *Config {
	return &Config{
		Seed: 1,
		Dataset: Dataset{
			Days: 1, Scale: 1, Spread: true, Columns: map[string]string{}, Map: map[string]string{}, TimeZone: "UTC",
			Builtin: Builtin{
				Preset: "world-without-cn", Joins: 1_000_000,
				Date:    time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC),
				Weekend: 1, SpikeFactor: 1,
			},
		},
		Latency: Latency{Clean: true, Fallback: "model", Fudge: 1},
		Clock:   Clock{Tick: time.Second, Duration: 24 * time.Hour, Warmup: stationary.Min, WarmupAuto: true},
		States: States{
			IdealRTT: 50 * time.Millisecond, IdealFor: 10 * time.Second,
			ExpandRTT: 100 * time.Millisecond, ExpandFor: 10 * time.Second,
			WarmbodyFor: 10 * time.Second, WarmbodyThen: "failed",
		},
		Queue: Queue{
			Follow: Follows[0], Match: Match{
				Size: 4, Length: 5 * time.Minute, Order: "shuffle", Prefer: "any",
				Acceptance: Acceptance{Timeout: 30 * time.Second, Accept: 0.95, Refuse: 0.5, Delay: 5 * time.Second},
			},
		},
		Players: Players{
			PlayAgain: 0.75, BetweenMatches: 30 * time.Second, GiveUpAfter: 2 * time.Minute,
			Parties: map[int]float64{1: 1},
		},
		Matcher: Matcher{
			ExpansionBasis: ExpansionBases[0], OptionalBasis: OptionalBases[0], Budget: matcher.DefaultBudget,
			Timeout: timeoutDefault, OnInvalid: InvalidDrop, Memory: memoryDefault,
		},
		Regions: map[string][]string{},
		Servers: Servers{Session: sim.SessionLength{Kind: sim.SessionWeibull, Scale: 20 * sim.Minute, Shape: 0.5}},
		Limits:  usualLimits(),
		Output:  Output{Dir: "mmsim-out", Records: "none", Plots: true, HTML: true},
	}
}

// Bounds and defaults of the exchange with a matchmaker.
const (
	timeoutDefault = 10 * time.Second
	timeoutMin     = time.Millisecond
	timeoutMax     = time.Hour
	memoryDefault  = transport.MemoryUsual
	memoryMin      = 1 << 20
	memoryMax      = 4 << 30 // the memory that a module can address
	InvalidDrop    = "drop"
	InvalidError   = "error"
)

// Placements of tickets.
const (
	PlacementDatacenters = "datacenters"
	PlacementPool        = "pool"
	PlacementServers     = "servers"
)

// The words of --expansion-basis and --optional-basis, indexed by the constants of package
// vendor; the default first.
var (
	ExpansionBases = []string{matcher.LongestWait.String(), matcher.ShortestWait.String()}
	OptionalBases  = []string{matcher.AllWaited.String(), matcher.AnyWaited.String()}
)

// Follows are the values of matcher.follow, the default first.
var Follows = []string{vendor.FollowService.String(), vendor.FollowPage.String()}

// Simulated returns the virtual time of that many runs, warm-up included.
func (c *Config) Simulated(runs int) sim.Duration {
	return SimSpan(c.Clock.Warmup+c.Clock.Duration) * sim.Duration(runs)
}

// ForData returns the configuration of a run of data over several days. The run is as long as
// the data, unless its duration is set. An automatic warm-up period is determined from the
// session lengths in the data, in seconds; NaN is a player whose session is drawn. c is not
// changed, because several goroutines may share it.
func (c *Config) ForData(days int, sessions []float64) *Config {
	run := *c
	_, given := c.written["clock.duration"]
	if !given && !c.limited && c.Clock.Duration == 24*time.Hour {
		run.Clock.Duration *= time.Duration(days)
	}
	if c.Clock.WarmupAuto && c.Placement == PlacementServers && len(sessions) > 0 {
		run.Clock.Warmup = stationary.After(stationary.Given(sessions, stationary.Session(c.Servers.Session)), 0)
	}
	return &run
}

// Limit sets the duration of a run, whatever the number of days in the data.
func (c *Config) Limit(duration time.Duration) { c.Clock.Duration, c.limited = duration, true }

// RTTLimits returns the two RTTs that separate the classes of players in reports.
func (c *Config) RTTLimits() grade.RTTs {
	ms := func(d time.Duration) outcome.Millis { return outcome.Millis(Milliseconds(d)) }
	return grade.RTTsOf(outcome.Thresholds{Ideal: ms(c.States.IdealRTT), Expand: ms(c.States.ExpandRTT)}, c.Limits.Given())
}
