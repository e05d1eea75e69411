// Package config says what a run is: the table of keys with their meanings and limits, the
// YAML file and the flags that give them values, the resolved text that stands in results,
// and the hash that names what is simulated.
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

// Config is the resolved configuration of a run: defaults, then the file, then
// the flags. table.go names every field's key and limits; the YAML form is
// written and read through that table alone. Paths are absolute, "" is none.
type Config struct {
	Seed        uint64 // names the experiment
	Run         uint32 // the replication
	Dataset     Dataset
	Datacenters string // file; "" is the built-in list
	Latency     Latency
	Clock       Clock
	States      States
	Players     Players
	Queue       // of the only queue, or what queues do not say otherwise
	Queues      []Queue
	queueNodes  []yamltree.Node          // as written, see resolveQueues
	written     map[string]yamltree.Node // setting -> where, for checks that look at several; absent: the default
	Matcher     Matcher
	Regions     map[string][]string // vendor's region -> datacenters; others are regions of their own name
	Servers     Servers             // placement servers
	Limits      Limits              // of what reports call good and fair
	Output      Output

	limited bool // Clock.Duration holds whatever days the data cover, see Limit
}

// Queue is how the players of one queue are matched.
type Queue struct {
	Name      string // of an entry of queues
	Share     float64
	When      Condition
	Placement string // "": as the ruleset needs it
	Match     Match
	Rules     string // file; "" is none
	RuleKeys  []RuleKey
	Dialect   string // "": recognised from the rules
	External  outside.External
	Follow    string // what counts where a vendor's service and its documentation differ
}

// Matcher says how rules are read where their vendor is silent.
type Matcher struct {
	ExpansionBasis, OptionalBasis string
	Budget, Batch, PartitionAbove int
	Strict                        bool
	Timeout                       time.Duration // for an answer of a matchmaker outside
	OnInvalid                     string        // what becomes of its wrong proposals
	Memory                        int64         // bytes for one that is a WebAssembly module
}

// Dataset says whose joins are replayed.
type Dataset struct {
	File       string // "" is the built-in generated day
	Days       int    // sample days merged in the file
	Scale      float64
	Spread     bool
	Columns    map[string]string // column name -> text, list or number
	Map        map[string]string // our name of a column -> the file's
	TimeZone   string            // see joinfile.ParseZone
	Date       time.Time         // the day to replay; zero: all
	MaxBadRows int
	AllBadRows bool    // no setting: read on behind malformed rows, to list them
	Builtin    Builtin // used when file is ""
}

// Builtin says what the built-in day is like.
type Builtin struct {
	Preset      string
	Joins       int // expected number in the day, before scale
	Date        time.Time
	Weekend     float64 // factor on joins when date is a Saturday or Sunday
	SpikeHour   int     // UTC hour of a launch spike
	SpikeFactor float64 // factor on the joins of that hour; 1 is no spike
	Countries   string  // file of country weights
}

// Latency says how RTTs are found.
type Latency struct {
	Maps           string // folder; "" is the model alone
	Clean          bool
	Fallback       string
	Fudge          float64
	LastMileMedian time.Duration
	LastMileSigma  float64 // of the logarithm
	JitterSD       time.Duration
}

// Clock says how long is simulated, and in which steps.
type Clock struct {
	Tick, Duration, Warmup time.Duration
	WarmupAuto             bool // the warm-up period is found by itself, see settleWarmup
}

// States says how long a player waits for which RTTs.
type States struct {
	IdealRTT, IdealFor   time.Duration
	ExpandRTT, ExpandFor time.Duration
	WarmbodyFor          time.Duration
	WarmbodyThen         string // failed or bots
}

// Match says what a match of the article is like; rules say it themselves.
type Match struct {
	Size            int
	Length          time.Duration // mean
	LengthSD        time.Duration // 0 is exactly the mean, always
	Order           string
	Prefer          string
	PartnerCooldown time.Duration
	KeepTogether    bool
	Backfill        bool
	Acceptance      Acceptance
}

// Acceptance says how players are asked whether they want a match that rules propose.
type Acceptance struct {
	Required       bool
	Timeout        time.Duration
	Accept         float64       // share of players who accept
	Refuse         float64       // share of the others who refuse; the rest never answer
	Delay, DelaySD time.Duration // of an answer
}

// Players says who comes, with whom, and who comes again.
type Players struct {
	PlayAgain      float64
	BetweenMatches time.Duration
	GiveUpAfter    time.Duration   // placement pool
	Parties        map[int]float64 // party size -> share of parties; sums to 1
	Attributes     []population.Generated
}

// Output says what is written.
type Output struct {
	Dir         string
	Records     string
	Plots, HTML bool
}

// Limits of a configuration. Each is far beyond sensible use; each exists so
// that a slip of the keyboard is an error and not an endless run.
const (
	PlayersPerMatchMax = 200
	daysMergedMax      = 10_000
	ScaleMax           = 10_000
	rttMax             = 4 * time.Second // stored in 1/16 ms as uint16
	spanMax            = 24 * time.Hour
	durationMax        = 10 * 24 * time.Hour
)

// Default is what runs without a configuration: the article's matchmaker
// on the built-in day.
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
	memoryMax      = 4 << 30 // all that a module can address
	InvalidDrop    = "drop"
	InvalidError   = "error"
)

// Placements of tickets.
const (
	PlacementDatacenters = "datacenters"
	PlacementPool        = "pool"
	PlacementServers     = "servers"
)

// The words of --expansion-basis and --optional-basis, by the constants that they
// stand for; the default first.
var (
	ExpansionBases = []string{matcher.LongestWait.String(), matcher.ShortestWait.String()}
	OptionalBases  = []string{matcher.AllWaited.String(), matcher.AnyWaited.String()}
)

// Follows are the words of matcher.follow, the default first.
var Follows = []string{vendor.FollowService.String(), vendor.FollowPage.String()}

// Simulated is the time on the virtual clock that so many runs take, warm-up included.
func (c *Config) Simulated(runs int) sim.Duration {
	return SimSpan(c.Clock.Warmup+c.Clock.Duration) * sim.Duration(runs)
}

// ForData returns the configuration as a run of data over so many days has it. The run is
// as long as the data, unless its duration is given. A warm-up period that is found by
// itself goes by the sessions that the data gives, in seconds; NaN is a player whose session
// is drawn. c is not changed: several goroutines may share it.
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

// Limit lets a run last so long, whatever days the data cover.
func (c *Config) Limit(duration time.Duration) { c.Clock.Duration, c.limited = duration, true }

// RTTLimits are the two RTTs that reports tell players apart by.
func (c *Config) RTTLimits() grade.RTTs {
	ms := func(d time.Duration) outcome.Millis { return outcome.Millis(Milliseconds(d)) }
	return grade.RTTsOf(outcome.Thresholds{Ideal: ms(c.States.IdealRTT), Expand: ms(c.States.ExpandRTT)}, c.Limits.Given())
}
