package binding

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/datasets"
	"mmsim/datasets/joinfile"
	"mmsim/datasets/population"
	"mmsim/matcher"
	"mmsim/matcher/dialect"
	"mmsim/matcher/dialect/vendor"
	"mmsim/matcher/scoring"
	"mmsim/reports/setup"
	"mmsim/reports/words"
	"mmsim/sim"
)

// Placing places the players of one replication on servers. Each replication compiles the
// rules again, because the texts of its population are added to the schema.
type Placing struct {
	rules    vendor.Placement
	scoring  *scoring.Scorer
	measures []vendor.Measure
	people   *people
	capacity int
	values   []serverValue
	Warnings []string
}

// serverValue is the value of a server attribute in one datacenter, or in all.
type serverValue struct {
	datacenter int // -1 for all datacenters
	column     matcher.Column
	value      matcher.Value
}

// compilePlacing compiles the rules in set, or the default rules if set is nil. It returns nil
// if the rules make matches instead of placing players on servers.
func compilePlacing(set *config.Ruleset, c *config.Config) (vendor.Placement, error) {
	if set != nil {
		fresh, err := set.Compile(set.Dialect, c.Matcher.CompileOptions)
		if err != nil {
			return nil, err
		}
		return fresh.Rules.Placement, nil
	}
	d, root, err := dialect.Default()
	if err != nil {
		return nil, err
	}
	rules, err := d.Compile(root, vendor.CompileOptions{})
	if err != nil {
		return nil, err
	}
	return rules.Placement, nil
}

// playerFields lists the player attributes that the rules in set, or the default rules, read.
func playerFields(set *config.Ruleset, c *config.Config) []vendor.Field {
	if set != nil {
		if set.Rules.Placement == nil {
			return nil
		}
		return set.Rules.Placement.PlayerFields()
	}
	rules, err := compilePlacing(nil, c)
	if err != nil {
		return nil
	}
	return rules.PlayerFields()
}

// PlacingKinds returns the kinds of the data columns that the rules read.
func PlacingKinds(set *config.Ruleset, c *config.Config) map[string]datasets.Kind {
	kinds := map[string]datasets.Kind{}
	for _, f := range playerFields(set, c) {
		kinds[f.Name] = config.KindOf(matcher.Read{Kind: f.Kind})
	}
	return kinds
}

// PlacingChecks returns functions that check the values of the data columns that the rules read.
func PlacingChecks(set *config.Ruleset, c *config.Config) map[string]joinfile.Check {
	checks := map[string]joinfile.Check{}
	for _, f := range playerFields(set, c) {
		switch f.Kind {
		case matcher.IsNumber:
			checks[f.Name] = joinfile.Check{Number: func(x float64) error { _, err := f.Number(x); return err }}
		case matcher.IsText:
			checks[f.Name] = joinfile.Check{Text: func(text string) error { _, err := f.Text(text); return err }}
		}
	}
	return checks
}

// PlacingInputs has everything that a Placing depends on.
type PlacingInputs struct {
	Config      *config.Config
	Set         *config.Ruleset // nil for the default rules
	Datacenters []datasets.Datacenter
	Day         *datasets.Day
	Population  *population.Population
}

// NewPlacing creates the Placing of a replication.
func NewPlacing(in *PlacingInputs) (*Placing, error) {
	rules, err := compilePlacing(in.Set, in.Config)
	if err != nil {
		return nil, err
	}
	p := &Placing{rules: rules, capacity: cmp.Or(in.Config.Servers.Capacity, rules.Seats(), config.CapacityDefault)}
	if p.scoring, p.measures, err = rules.Measured(); err != nil {
		return nil, err
	}
	if p.people, err = newPeople(rules, in); err != nil {
		return nil, err
	}
	if err := p.readAttributes(in); err != nil {
		return nil, err
	}
	p.Warnings = p.lint(in)
	return p, nil
}

// readAttributes reads the attributes that servers start with.
func (p *Placing) readAttributes(in *PlacingInputs) error {
	fields := p.rules.ServerFields()
	sites := datasets.DatacenterNames(in.Datacenters)
	for _, a := range in.Config.Servers.Attributes {
		path := "servers.attributes." + a.Name
		i := slices.IndexFunc(fields, func(f vendor.Field) bool { return f.Name == a.Name })
		if i < 0 {
			return in.Config.Errorf(path, "the rules do not declare this server attribute")
		}
		if len(a.Own) == 0 {
			if err := p.add(&fields[i], -1, a.All); err != nil {
				return in.Config.Errorf(path, "got %v", err)
			}
		}
		for _, v := range a.Own {
			dc := slices.Index(sites, v.Datacenter)
			if dc < 0 && v.Datacenter != section.OtherSites {
				return in.Config.Errorf(path, "got the datacenter %q%s, expected default or one in the list: %s",
					v.Datacenter, input.DidYouMean(v.Datacenter, sites), strings.Join(sites, ", "))
			}
			if err := p.add(&fields[i], dc, v.Value); err != nil {
				return in.Config.Errorf(path, "%s: got %v", v.Datacenter, err)
			}
		}
	}
	// Sort values for all datacenters first, so that a datacenter's own value overrides them.
	slices.SortStableFunc(p.values, func(a, b serverValue) int { return cmp.Compare(a.datacenter, b.datacenter) })
	return nil
}

// add adds a value for the servers in a datacenter. The text of its error follows the word
// "got" in a message.
func (p *Placing) add(f *vendor.Field, datacenter int, text string) error {
	var is matcher.Value
	var err error
	if f.Kind == matcher.IsNumber {
		number, misfit := strconv.ParseFloat(text, 64)
		if misfit != nil || !yamltree.IsDecimal(text) {
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

// open returns a new server for its first player.
func (p *Placing) open(first *scoring.Joiner) scoring.Server {
	s := p.rules.NewServer(&vendor.Player{Player: first.Player, Class: first.Class})
	s.Capacity = p.capacity
	for _, v := range p.values {
		if v.datacenter < 0 || v.datacenter == int(s.Region) {
			s.Values[v.column] = v.value
		}
	}
	return s
}

// lint warns about settings that have no effect or are probably mistakes.
func (p *Placing) lint(in *PlacingInputs) []string {
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
	if unused := in.Config.Differs(config.Default(), "match", "players.play_again", "players.between_matches", "players.give_up_after", "players.patience"); len(unused) > 0 {
		warnings = append(warnings, strings.Join(unused, ", ")+": not used, because players are placed on servers")
	}
	const nowhere = words.MissingData
	if len(missing) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %s, so the corresponding signals are 0 on every server", strings.Join(missing, ", "), nowhere))
	}
	if len(defaults) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s: %s, so all players have the default value", strings.Join(defaults, ", "), nowhere))
	}
	alone := len(in.Config.Players.Parties) == 1 && in.Config.Players.Parties[1] == 1 && len(in.Day.PartySizes()) <= 1
	if !in.Population.HasFriends() && p.people.household == nil && alone {
		warnings = append(warnings, "no player has friends: players.attributes.friends can draw them")
	}
	if kept := p.rules.Scorer().KeptSeats; kept >= p.capacity {
		warnings = append(warnings, fmt.Sprintf("%d of %d seats are kept for friends: every player without a friend gets a new server", kept, p.capacity))
	}
	return warnings
}

// Servers converts p to the simulator's type.
func (p *Placing) Servers(c *config.Config) *sim.Servers {
	s := &sim.Servers{
		Scoring: p.scoring, People: p.people, New: p.open,
		Start: config.SimSpan(c.Servers.Start), Session: c.Servers.Session,
	}
	for _, m := range p.measures {
		s.Measures = append(s.Measures, m.Measure)
	}
	return s
}

// measureKinds converts kinds of measures to the type that reports use.
var measureKinds = map[vendor.MeasureKind]setup.MeasureKind{
	vendor.ShareMeasure: setup.OfServer, vendor.DifferenceMeasure: setup.OfServer,
	vendor.RTTMeasure: setup.OfPing, vendor.FriendMeasure: setup.OfFriend,
}

// Setup adds the description of the placement to s, for reports.
func (p *Placing) Setup(s *setup.Run) {
	s.Servers = &setup.Servers{Revision: p.rules.Revision(), Capacity: p.capacity}
	for _, signal := range p.scoring.Signals {
		s.Servers.Signals = append(s.Servers.Signals, setup.Signal{Name: signal.Settings().Name, Weight: signal.Settings().Weight})
	}
	for _, m := range p.measures {
		s.Servers.Measures = append(s.Servers.Measures, setup.Measure{Name: m.Name, Kind: measureKinds[m.Kind]})
	}
	s.Queues = []setup.Queue{{MatchSize: config.PlayersPerMatchMax}} // a party of any size can be placed
}
