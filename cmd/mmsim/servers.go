package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/value"
	"mmsim/datasets"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
	"mmsim/reports"
	"mmsim/sim"
)

// placing is how the players of one replication are placed on servers. It compiles
// the configuration anew, for texts of the population are entered into its schema.
type placing struct {
	rules    vendor.Placement
	scoring  *scoring.Scorer
	measures []vendor.Measure
	people   *people
	capacity int
	values   []serverValue
	warnings []string
}

// serverValue is an attribute of the servers in one datacenter, or in all.
type serverValue struct {
	datacenter int // -1: all
	column     matcher.Column
	value      matcher.Value
}

// compilePlacing compiles the rules that place players; nil where the rules form
// matches.
func (in *inputs) compilePlacing() (vendor.Placement, error) {
	if in.ruleset != nil {
		fresh, err := in.ruleset.Compile(in.ruleset.Dialect, in.config.Matcher.Options())
		if err != nil {
			return nil, err
		}
		return fresh.Rules.Placement, nil
	}
	d, root, err := dialect.Default()
	if err != nil {
		return nil, err
	}
	list, err := d.Compile(root, vendor.Options{})
	if err != nil {
		return nil, err
	}
	return list[0].Placement, nil
}

// placedFields are what a configuration of scores reads of players.
func (in *inputs) placedFields() []vendor.Field {
	if in.ruleset != nil {
		if in.ruleset.Rules.Placement == nil {
			return nil
		}
		return in.ruleset.Rules.Placement.PlayerFields()
	}
	rules, err := in.compilePlacing()
	if err != nil {
		return nil
	}
	return rules.PlayerFields()
}

// placedKinds are the kinds of the columns that a configuration of scores reads.
func (in *inputs) placedKinds() map[string]datasets.Kind {
	kinds := map[string]datasets.Kind{}
	for _, f := range in.placedFields() {
		kinds[f.Name] = kindOf(matcher.Read{Kind: f.Kind})
	}
	return kinds
}

// placedChecks look at what those columns hold; none where nobody is placed.
func (in *inputs) placedChecks() map[string]datasets.Check {
	if in.config.Placement != config.PlacementServers {
		return nil
	}
	checks := map[string]datasets.Check{}
	for _, f := range in.placedFields() {
		switch f.Kind {
		case matcher.IsNumber:
			checks[f.Name] = datasets.Check{Number: func(x float64) error { _, err := f.Number(x); return err }}
		case matcher.IsText:
			checks[f.Name] = datasets.Check{Text: func(text string) error { _, err := f.Text(text); return err }}
		}
	}
	return checks
}

// placing makes the placement of a replication.
func (in *inputs) placing(w *world) (*placing, error) {
	rules, err := in.compilePlacing()
	if err != nil {
		return nil, err
	}
	p := &placing{rules: rules, capacity: cmp.Or(w.config.Servers.Capacity, rules.Seats(), config.CapacityDefault)}
	if p.scoring, p.measures, err = rules.Measured(); err != nil {
		return nil, err
	}
	if p.people, err = newPeople(rules, w); err != nil {
		return nil, err
	}
	if err := p.readAttributes(in); err != nil {
		return nil, err
	}
	p.warnings = p.lint(w)
	return p, nil
}

// readAttributes reads what servers start with.
func (p *placing) readAttributes(in *inputs) error {
	fields := p.rules.ServerFields()
	var sites []string
	for _, dc := range in.datacenters {
		sites = append(sites, dc.Name)
	}
	for _, a := range in.config.Servers.Attributes {
		path := "servers.attributes." + a.Name
		i := slices.IndexFunc(fields, func(f vendor.Field) bool { return f.Name == a.Name })
		if i < 0 {
			return in.config.Errorf(path, "the rules declare no such attribute of servers")
		}
		if a.ByDatacenter == nil {
			if err := p.add(&fields[i], -1, a.Always); err != nil {
				return in.config.Errorf(path, "got %v", err)
			}
		}
		for _, v := range a.ByDatacenter {
			dc := slices.Index(sites, v.Datacenter)
			if dc < 0 && v.Datacenter != "default" {
				return in.config.Errorf(path, "got the datacenter %q%s, expected default or one of the list: %s",
					v.Datacenter, input.DidYouMean(v.Datacenter, sites), strings.Join(sites, ", "))
			}
			if err := p.add(&fields[i], dc, v.Text); err != nil {
				return in.config.Errorf(path, "%s: got %v", v.Datacenter, err)
			}
		}
	}
	// What holds everywhere comes first, so that a datacenter's own value is the last word.
	slices.SortStableFunc(p.values, func(a, b serverValue) int { return cmp.Compare(a.datacenter, b.datacenter) })
	return nil
}

// add adds a value of servers in a datacenter. The error completes "got …".
func (p *placing) add(f *vendor.Field, datacenter int, text string) error {
	var is matcher.Value
	var err error
	if f.Kind == matcher.IsNumber {
		number, misfit := strconv.ParseFloat(text, 64)
		if misfit != nil || !value.IsDecimal(text) {
			return fmt.Errorf("%q, expected a number", text)
		}
		is, err = f.Number(number)
	} else {
		is, err = f.Text(text)
	}
	if err != nil {
		return err
	}
	p.values = append(p.values, serverValue{datacenter, f.Column, is})
	return nil
}

// open returns the server that is started for a player.
func (p *placing) open(first *scoring.Joiner) scoring.Server {
	s := p.rules.NewServer(&vendor.Player{Player: first.Player, Class: first.Class})
	s.Capacity = p.capacity
	for _, v := range p.values {
		if v.datacenter < 0 || v.datacenter == int(s.Region) {
			s.Values[v.column] = v.value
		}
	}
	return s
}

// lint says what in the placement can hardly be meant.
func (p *placing) lint(w *world) []string {
	var warnings, missing, defaults []string
	for _, f := range p.people.absent {
		switch {
		case !f.Weighed:
		case f.Declared:
			defaults = append(defaults, f.Name)
		case !f.Alternative:
			missing = append(missing, f.Name)
		}
	}
	if unused := w.config.Differs(config.Default(), "match", "players.play_again", "players.between_matches", "players.give_up_after",
		"states.ideal.for", "states.expand.for", "states.warmbody"); len(unused) > 0 {
		warnings = append(warnings, strings.Join(unused, ", ")+": not used, since players are placed on servers")
	}
	const nowhere = "neither in the data nor in players.attributes"
	if len(missing) > 0 {
		warnings = append(warnings, fmt.Sprintf("players have no %s, %s: their signals are 0 on every server", strings.Join(missing, ", "), nowhere))
	}
	if len(defaults) > 0 {
		warnings = append(warnings, fmt.Sprintf("players have no %s, %s: everybody has the default", strings.Join(defaults, ", "), nowhere))
	}
	alone := len(w.config.Players.Parties) == 1 && w.config.Players.Parties[1] == 1 && len(w.day.PartySizes()) <= 1
	if !w.population.HasFriends() && p.people.household == nil && alone {
		warnings = append(warnings, "nobody knows anybody: players.attributes.friends can draw friends")
	}
	if kept := p.rules.Scorer().KeptSeats; kept >= p.capacity {
		warnings = append(warnings, fmt.Sprintf("%d of %d seats are kept for friends: everybody without a friend gets a new server", kept, p.capacity))
	}
	return warnings
}

// servers is the placement in the simulator's terms.
func (p *placing) servers(w *world) *sim.Servers {
	s := &sim.Servers{
		Scoring: p.scoring, People: p.people, New: p.open,
		Start: config.SimSpan(w.config.Servers.Start), Session: w.config.Servers.Session,
	}
	for _, m := range p.measures {
		s.Measures = append(s.Measures, m.Measure)
	}
	return s
}

// measureKinds are the kinds of measures in the terms of reports.
var measureKinds = map[vendor.MeasureKind]reports.MeasureKind{
	vendor.ShareMeasure: reports.OfServer, vendor.DifferenceMeasure: reports.OfServer,
	vendor.RTTMeasure: reports.OfPing, vendor.FriendMeasure: reports.OfFriend,
}

// setup tells reports what the placement is.
func (p *placing) setup(s *reports.Setup) {
	s.Servers = &reports.ServersSetup{Revision: p.rules.Revision(), Capacity: p.capacity}
	for _, signal := range p.scoring.Signals {
		s.Servers.Signals = append(s.Servers.Signals, reports.Signal{Name: scoring.NameOf(signal), Weight: scoring.WeightOf(signal)})
	}
	for _, m := range p.measures {
		s.Servers.Measures = append(s.Servers.Measures, reports.PlacementMeasure{Name: m.Name, Kind: measureKinds[m.Kind]})
	}
	s.Queues = []reports.Queue{{MatchSize: config.PlayersPerMatchMax}} // a party of any size is placed
}
