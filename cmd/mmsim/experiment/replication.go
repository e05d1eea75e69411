package experiment

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"mmsim/cmd/mmsim/build"
	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/experiment/binding"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/builtin"
	"mmsim/datasets/population"
	"mmsim/latencymap"
	"mmsim/matcher/dialect/jsontree"
	"mmsim/matcher/external/exchange"
	"mmsim/reports/collect"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/reports/setup"
	"mmsim/sim"
	"mmsim/sim/engine"
)

// A Replication has everything that is needed to simulate one replication. It can be simulated
// only once, because the simulation adds entries to the population's dictionaries.
type Replication struct {
	Config      *config.Config
	Day         *datasets.Day
	*placeRTTs  // of the places in Day
	population  *population.Population
	queues      []*replicationQueue // in the order of sim's queues; empty with placement servers
	router      *router             // nil if a single queue takes all parties, or without queues
	placing     *binding.Placing    // nil if players are matched in queues
	season      *binding.Season     // nil without one
	events      []sim.Event         // what happens to all queues
	bursts      []sim.Arrivals      // joins of events
	Captures    []*binding.Capture  // scenes to write as cases during the run
	inputs      *Inputs
	Messages    io.Writer // see Options
	wrap        func(exchange.Matcher) exchange.Matcher
	times       *binding.MatchmakerTimes // see Options
	matchmakers []*binding.Matchmaker    // by queue; nil where mmsim makes the matches
	Fault       error                    // error of an external matchmaker that ended the replication
	noQueue     error                    // about a person of the season whom no queue takes, which ends the replication
	Warnings    []jsontree.Warning
	hash        string // JobHash
	Version     string // of the program, in results
}

// Replication prepares the replication of a run. Replications that read their day from a file
// share the day and its places. Without a file, each run has a generated day of its own.
func (in *Inputs) Replication(run uint64) (*Replication, error) {
	r := &Replication{Config: in.ConfigOf(run), inputs: in, Day: in.Day, placeRTTs: in.placeRTTs, Version: build.Version()}
	if r.Day == nil {
		var err error
		r.Day, err = in.cache.days.get(in.dayKey(run), func() (*datasets.Day, error) { return in.BuiltinDay(run) })
		if err != nil {
			return nil, input.Bad(err)
		}
		r.placeRTTs = in.locate(r.Day, run)
	}
	r.Warnings = append(r.Warnings, in.warnings...)
	r.warn(in.LatencyWarnings(r.placeRTTs)...)
	r.Warnings = append(r.Warnings, DayWarnings(r.Day)...)
	r.warn(r.ReplayOptions().Warnings(r.Day)...)
	if err := inOrder(r.populate, r.newSeason, r.newQueues, r.beginSeason, r.newEvents, r.newBursts); err != nil {
		return nil, err
	}
	var err error
	r.hash, err = in.JobHash(run)
	return r, err
}

// newSeason adds the ratings of the season, if there is one, to the population.
func (r *Replication) newSeason() (err error) {
	r.season, err = binding.NewSeason(r.Config, r.Day, r.population)
	return err
}

// beginSeason creates the season, if there is one, after the queues.
func (r *Replication) beginSeason() error {
	if r.season == nil {
		return nil
	}
	r.warn(r.season.Warnings...)
	for i, q := range r.queues {
		if err := r.season.Check(i, q.config, q.rules, q.matchSize()); err != nil {
			return err
		}
	}
	var queueOf func(*sim.Person) int
	if r.router != nil {
		queueOf = func(first *sim.Person) int {
			queue := r.router.queueOf(first)
			if queue == noQueue {
				r.noQueue = r.router.noQueueError(r, first)
			}
			return queue
		}
	}
	r.season.Begin(func(day int32) sim.Arrivals {
		a := r.arrivalsOn(day, day, 0)
		a.router = nil // the season asks queueOf when a person joins
		return a
	}, queueOf)
	return nil
}

// RTTs returns the RTTs from the places in Day to the datacenters of the list.
func (r *Replication) RTTs() *latencymap.Table { return r.table }

// Setup returns the description of the run for reports, before the run starts.
func (r *Replication) Setup() setup.Run {
	c := r.Config
	s := setup.Run{
		Facts:       c.Facts(r.inputs.IsChosen),
		Datacenters: r.inputs.sites(),
		Continents:  continents,
		Countries:   r.countries,
		Places:      r.located,
		Duration:    config.SimSpan(c.Clock.Duration),
		Ideal:       config.RTTUnits(c.States.IdealRTT),
		Expand:      config.RTTUnits(c.States.ExpandRTT),
		Limits:      c.Limits.Given(),
		Season:      r.season != nil,
		Events:      c.Events.Setup(r.inputs.events),
		Around:      r.inputs.Around,
	}
	s.TimeZone, s.UTCOffset = r.inputs.zone()
	s.Attributes, s.Texts = r.numbers(), r.texts()
	for _, q := range r.queues {
		s.Queues = append(s.Queues, q.setup(c))
	}
	if r.placing != nil {
		r.placing.Setup(&s)
	}
	return s
}

// Reported describes this run for results whose players live in the places of another day.
func (r *Replication) Reported(day *datasets.Day) (setup.Run, *sim.Places, collect.Header) {
	p := locate(day, r.inputs.Latency).under(&r.Config.States, r.inputs.InUse, r.inputs.Latency, r.Config.Latency.Fallback)
	s, h := r.Setup(), r.header(true)
	s.Places, s.Countries, h.Latency = p.located, p.countries, p.latency
	return s, p.places, h
}

// header returns the description of the run for the beginning of results.
func (r *Replication) header(complete bool) collect.Header {
	return collect.Header{
		Run: outcome.Run{
			Seed: r.Config.Seed, Run: int(r.Config.Run), Version: r.Version,
			ConfigSHA256: r.hash, DatasetSHA256: hex.EncodeToString(r.Day.SHA256[:]), Resample: r.Config.Dataset.Resample,
			Warmup: outcome.RoundSeconds(config.SimSpan(r.Config.Clock.Warmup).Seconds()), Tick: outcome.RoundSeconds(config.SimSpan(r.Config.Clock.Tick).Seconds()),
		},
		Complete: complete, Warnings: resultWarnings(r.Warnings), Latency: r.latency,
	}
}

// ConfigOf returns the configuration of one replication.
func (in *Inputs) ConfigOf(run uint64) *config.Config {
	c := *in.Config
	c.Run = uint32(run)
	return &c
}

// BuiltinDay generates the built-in day of a replication.
func (in *Inputs) BuiltinDay(run uint64) (*datasets.Day, error) {
	o := in.Config.Dataset.Builtin.Options
	o.Countries = in.countries
	return builtin.Generate(o, binding.DrawsOf(in.Config.Seed, run))
}

// Progress receives the progress of replications. Several goroutines may call it at once.
type Progress interface {
	Advance(from, to sim.Instant) // a replication advanced from one virtual time to another
	JobDone()                     // a replication completed
}

// simulate runs the replication to its end. If ctx is cancelled, simulate stops at the next
// tick, or after a second of virtual time if ticks are shorter, and complete is false. If an
// external matchmaker fails, simulate keeps the error in r.Fault, and complete is false. At the
// end of every run, simulate checks that the totals of arrivals and players agree.
//
// The error is that of ctx, or a bad input error if no exchange with an external matchmaker can
// be opened, or if no queue takes a person of the season. Any other error is a bug in mmsim.
func (r *Replication) simulate(ctx context.Context, p Progress, observers ...sim.Observer) (totals sim.Totals, complete bool, err error) {
	cfg := binding.Config(r.Config)
	cfg.Use, cfg.Events = r.inputs.InUse, r.events
	for _, q := range r.queues { // without rules, sim matches by the states IDEAL, EXPAND and WARMBODY
		cfg.Queues = append(cfg.Queues, q.sim(r.Config))
	}
	if r.placing != nil {
		cfg.Queues = []sim.Queue{{Servers: r.placing.Servers(r.Config)}}
	}
	began := time.Now()
	defer func() { r.times.Ran(time.Since(began)) }()
	defer func() { r.closeMatchmakers(complete) }()
	if err := r.openMatchmakers(ctx, cfg.Queues); err != nil && ctx.Err() != nil {
		return sim.Totals{}, false, ctx.Err()
	} else if err != nil {
		return sim.Totals{}, false, input.Bad(err)
	}
	// r.arrivals returns the joins of the day, scaled and grouped into parties. They are
	// repeated for every day of the run. The warm-up replays the end of a day.
	joins := binding.Merge(append([]sim.Arrivals{r.arrivals()}, r.bursts...)...)
	if r.season != nil {
		cfg.Season, joins = r.season.Season, r.season.Season
	}
	e, err := engine.New(cfg, r.places, joins, observers...)
	if err != nil {
		return sim.Totals{}, false, err
	}
	for _, scene := range r.Captures {
		if err := scene.Ask(e, r.Config, func(queue int) *binding.Rules { return r.queues[queue].rules }); err != nil {
			return sim.Totals{}, false, err
		}
	}
	// With a tick of one millisecond, checking the context at every tick would take longer
	// than the ticks themselves.
	stride := max(cfg.Tick, sim.Second)
	for end := sim.Instant(cfg.Duration); e.Now() < end && ctx.Err() == nil; {
		from := e.Now()
		if err := e.RunUntil(min(from.Add(stride), end)); errors.As(err, new(*binding.MatchmakerError)) {
			r.Fault = input.Bad(err)
			break
		} else if r.noQueue != nil {
			return sim.Totals{}, false, r.noQueue
		} else if err != nil && ctx.Err() == nil { // a cancellation may interrupt an exchange and cause err
			return sim.Totals{}, false, err
		}
		if p != nil {
			p.Advance(from, e.Now())
		}
	}
	complete = e.Now() >= sim.Instant(cfg.Duration)
	totals = e.Finish()
	return totals, complete, e.Verify()
}

// Measure simulates the replication and counts its events. The observers also receive every
// event.
func (r *Replication) Measure(ctx context.Context, p Progress, observers ...sim.Observer) (*result.Result, error) {
	collector := collect.NewCollector(r.Setup())
	all := append([]sim.Observer{collector}, observers...)
	var overlapping *binding.Overlaps
	if r.Config.Searches() {
		overlapping = binding.NewOverlaps(r.Day)
	}
	if overlapping != nil {
		all = append(all, overlapping)
	}
	var machines *binding.Fleet
	if r.inputs.fleet != nil {
		machines = binding.NewFleet(r.inputs.fleet, config.SimSpan(r.Config.Clock.Warmup))
		all = append(all, machines)
	}
	totals, complete, err := r.simulate(ctx, p, all...)
	if err != nil {
		return nil, err
	}
	result := collector.Finish(totals, r.header(complete))
	if balance := result.Summary.Players.Balance(); balance != 0 {
		return nil, fmt.Errorf("reports: %d more players began to search than are accounted for", balance)
	}
	if overlapping != nil {
		n := outcome.Count(overlapping.Count)
		result.Summary.Players.Overlapping = &n
	}
	if machines != nil {
		machines.Finish(result, datasets.DatacenterNames(r.inputs.Datacenters), totals.Reached)
	}
	r.describeMatchmakers(&result.Summary)
	if r.season != nil {
		r.season.Report(result, totals.Reached)
	}
	result.Summary.Warnings = append(result.Summary.Warnings, OutcomeWarnings(&result.Summary)...)
	if complete && r.isPeriodic() {
		result.Summary.Warnings = append(result.Summary.Warnings, populationWarnings(r.Config, &totals, meanPartySize(&result.Summary))...)
	}
	return result, nil
}

// This compiles only if the simulator takes the parties of every day.
var _ = [1]struct{}{}[sim.MaxMatchSize-datasets.MaxPartySize]

// openMatchmakers connects to the queues' external matchmakers, and gives each of these queues a
// pool that asks its matchmaker.
func (r *Replication) openMatchmakers(ctx context.Context, queues []sim.Queue) error {
	r.matchmakers = make([]*binding.Matchmaker, len(r.queues))
	for i, q := range r.queues {
		if q.config.External.Matcher == "" {
			continue
		}
		e, err := binding.OpenMatchmaker(ctx, r.Config, q.config, r.inputs.helloOf(i, q.config, uint64(r.Config.Run)), r.Messages, r.wrap)
		if err != nil {
			return err
		}
		e.Times = r.times
		r.matchmakers[i] = e
		if queues[i].Rules.Outside, err = e.Pool(q.rules); err != nil {
			return err
		}
	}
	return nil
}

// closeMatchmakers disconnects from the external matchmakers.
func (r *Replication) closeMatchmakers(complete bool) {
	why := "end of the run"
	if !complete {
		why = "the run was ended early"
	}
	for _, e := range r.matchmakers {
		if e != nil {
			e.Close(why)
		}
	}
}

// describeMatchmakers adds the external matchmakers to a summary.
func (r *Replication) describeMatchmakers(s *outcome.Summary) {
	for i, e := range r.matchmakers {
		switch {
		case e == nil:
		case len(s.Queues) > 0:
			s.Queues[i].External = e.Describe()
		default:
			s.External = e.Describe()
		}
	}
	s.MarkUnmeasured()
}
