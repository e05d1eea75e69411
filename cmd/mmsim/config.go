package main

import (
	"time"

	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/sim"
)

// config is the resolved configuration of a run: defaults, then the file, then
// the flags. settings.go names every field's key and limits; the YAML form is
// written and read through that table alone. Paths are absolute, "" is none.
type config struct {
	seed        uint64 // names the experiment
	run         uint32 // the replication
	dataset     datasetConfig
	datacenters string // file; "" is the built-in list
	latency     latencyConfig
	clock       clockConfig
	states      statesConfig
	players     playersConfig
	queueConfig // of the only queue, or what queues do not say otherwise
	queues      []queueConfig
	queueNodes  []node          // as written, see resolveQueues
	written     map[string]node // setting -> where, for checks that look at several; absent: the default
	matcher     matcherConfig
	regions     map[string][]string // vendor's region -> datacenters; others are regions of their own name
	servers     serversConfig       // placement servers
	output      outputConfig
}

// queueConfig is how the players of one queue are matched.
type queueConfig struct {
	name      string // of an entry of queues
	share     float64
	when      condition
	placement string // "": as the ruleset needs it
	match     matchConfig
	rules     string // file; "" is none
	dialect   string // "": recognised from the rules
	follow    string // what counts where a vendor's service and its documentation differ
}

// matcherConfig says how rules are read where their vendor is silent.
type matcherConfig struct {
	expansionBasis, optionalBasis string
	budget, partitionAbove        int
	strict                        bool
}

type datasetConfig struct {
	file       string // "" is the built-in generated day
	days       int    // sample days merged in the file
	scale      float64
	spread     bool
	columns    map[string]string // column name -> text, list or number
	maxBadRows int
	builtin    builtinConfig // used when file is ""
}

type builtinConfig struct {
	preset      string
	joins       int // expected number in the day, before scale
	date        time.Time
	weekend     float64 // factor on joins when date is a Saturday or Sunday
	spikeHour   int     // UTC hour of a launch spike
	spikeFactor float64 // factor on the joins of that hour; 1 is no spike
	countries   string  // file of country weights
}

type latencyConfig struct {
	maps           string // folder; "" is the model alone
	clean          bool
	fallback       string
	fudge          float64
	lastMileMedian time.Duration
	lastMileSigma  float64 // of the logarithm
	jitterSD       time.Duration
}

type clockConfig struct {
	tick, duration, warmup time.Duration
}

type statesConfig struct {
	idealRTT, idealFor   time.Duration
	expandRTT, expandFor time.Duration
	warmbodyFor          time.Duration
	warmbodyThen         string // failed or bots
}

type matchConfig struct {
	size            int
	length          time.Duration // mean
	lengthSD        time.Duration // 0 is exactly the mean, always
	order           string
	prefer          string
	partnerCooldown time.Duration
	keepTogether    bool
}

type playersConfig struct {
	playAgain      float64
	betweenMatches time.Duration
	giveUpAfter    time.Duration   // placement pool
	parties        map[int]float64 // party size -> share of parties; sums to 1
	attributes     []datasets.Generated
}

type outputConfig struct {
	dir         string
	records     string
	plots, html bool
}

// Limits of a configuration. Each is far beyond sensible use; each exists so
// that a slip of the keyboard is an error and not an endless run.
const (
	playersPerMatchMax = 64
	daysMergedMax      = 10_000
	scaleMax           = 10_000
	rttMax             = 4 * time.Second // stored in 1/16 ms as uint16
	spanMax            = 24 * time.Hour
	durationMax        = 10 * 24 * time.Hour
)

// defaultConfig is what runs without a configuration: the article's matchmaker
// on the built-in day.
func defaultConfig() *config {
	return &config{
		seed: 1,
		dataset: datasetConfig{
			days: 1, scale: 1, spread: true, columns: map[string]string{},
			builtin: builtinConfig{
				preset: "world-without-cn", joins: 1_000_000,
				date:    time.Date(2026, time.March, 14, 0, 0, 0, 0, time.UTC),
				weekend: 1, spikeFactor: 1,
			},
		},
		latency: latencyConfig{clean: true, fallback: "model", fudge: 1},
		clock:   clockConfig{tick: time.Second, duration: 24 * time.Hour, warmup: 2 * time.Hour},
		states: statesConfig{
			idealRTT: 50 * time.Millisecond, idealFor: 10 * time.Second,
			expandRTT: 100 * time.Millisecond, expandFor: 10 * time.Second,
			warmbodyFor: 10 * time.Second, warmbodyThen: "failed",
		},
		queueConfig: queueConfig{
			follow: follows[0], match: matchConfig{size: 4, length: 5 * time.Minute, order: "shuffle", prefer: "any"},
		},
		players: playersConfig{
			playAgain: 0.75, betweenMatches: 30 * time.Second, giveUpAfter: 2 * time.Minute,
			parties: map[int]float64{1: 1},
		},
		matcher: matcherConfig{
			expansionBasis: expansionBases[0], optionalBasis: optionalBases[0], budget: matcher.DefaultBudget,
		},
		regions: map[string][]string{},
		servers: serversConfig{session: sim.SessionLength{Kind: sim.SessionWeibull, Scale: 20 * sim.Minute, Shape: 0.5}},
		output:  outputConfig{dir: "mmsim-out", records: "none", plots: true, html: true},
	}
}
