package matcher

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestRulesetValidate(t *testing.T) {
	good := Ruleset{MinPlayers: 2, MaxPlayers: 4}
	for want, change := range map[string]func(*Ruleset){
		"minimum of 0":       func(r *Ruleset) { r.MinPlayers = 0 },
		"at most 1000":       func(r *Ruleset) { r.MaxPlayers = 1001 },
		"maximum of 1":       func(r *Ruleset) { r.MaxPlayers = 1 },
		"at most 32 with":    func(r *Ruleset) { r.MaxPlayers, r.Teams = 33, teamsOf(2, 1, 20) },
		"10000 teams":        func(r *Ruleset) { r.Teams = make([]Team, 10_000) },
		"one team":           func(r *Ruleset) { r.Teams = teamsOf(1, 1, 4) },
		"3 to 2 players":     func(r *Ruleset) { r.Teams = teamsOf(2, 3, 2) },
		"at least 3 of 2":    func(r *Ruleset) { r.Teams, r.MinTeams = teamsOf(2, 1, 2), 3 },
		"at least 2 of 0":    func(r *Ruleset) { r.MinTeams = 2 },
		"budget of -1":       func(r *Ruleset) { r.Budget = -1 },
		"partitions above":   func(r *Ruleset) { r.PartitionAbove = -1 },
		"there are no Teams": func(r *Ruleset) { r.Rules = []Rule{gapRule(1)} },
		"weight is NaN": func(r *Ruleset) {
			r.Rules = []Rule{&SetOverlap{Common: Common{Name: "maps", Weight: math.NaN(), OptionalAfterMS: Never}}}
		},
		"weight is 0": func(r *Ruleset) {
			r.Rules = []Rule{&EqualText{Common: Common{Name: "build", Weight: 0, OptionalAfterMS: Never}}}
		},
		"OptionalAfterMS": func(r *Ruleset) {
			r.Rules = []Rule{&EqualText{Common: Common{Name: "build", Weight: 1, OptionalAfterMS: -1}}}
		},
		"EveryMS is 0":   func(r *Ruleset) { r.Rules = []Rule{skillRule(Linear(1, 1, 2, 0))} },
		"EveryMS is -5":  func(r *Ruleset) { r.Rules = []Rule{skillRule(Linear(1, 1, 2, -5))} },
		"threshold +Inf": func(r *Ruleset) { r.Rules = []Rule{skillRule(Fixed(math.Inf(1)))} },
		"override 1 is NaN": func(r *Ruleset) {
			r.Rules = []Rule{skillRule(Custom(1, 5, []Override{{}, {Value: math.NaN()}}))}
		},
		"the basis is 2, want LongestWait or ShortestWait": func(r *Ruleset) {
			r.Rules = []Rule{&EqualText{Common: Common{Weight: 1, Basis: new(MeanWait)}}}
		},
		"a basis, but no schedule": func(r *Ruleset) {
			r.Teams, r.Rules = teamsOf(2, 1, 2), []Rule{&LargeParties{Common: Common{Basis: new(ShortestWait)}}}
		},
		"2 region rules": func(r *Ruleset) {
			region := &ReachRegion{Common{Name: "region", Weight: 1, OptionalAfterMS: Never}, Fixed(1)}
			r.Rules = []Rule{region, region}
		},
	} {
		r := good
		change(&r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one that contains %q", err, want)
		}
	}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}

func TestSeatRulesValidate(t *testing.T) {
	always := Steps[float64]{{Value: 2}}
	rulesOver := func(x *Expression) *Ruleset {
		return &Ruleset{MinPlayers: 2, MaxPlayers: 4, Seats: &SeatRules{
			Teams: []SeatTeam{{Name: "red", Min: always, Max: always}, {Name: "blue", Min: always, Max: always}},
			Rules: []SeatRule{&Comparison{
				SeatCommon: SeatCommon{Name: "equal sums"}, Operation: "=",
				Measured:  []*Expression{{Function: Sum, Argument: &Expression{Teams: []int{0}}}},
				Reference: Steps[Reference]{{Value: Reference{Expression: &Expression{Function: Sum, Argument: x}}}},
			}},
		}}
	}
	for want, x := range map[string]*Expression{
		`rule "equal sums": an expression over 2 teams without PerTeam`: {Teams: []int{0, 1}},
		"over no team":             {},
		"over the teams [2], want": {Teams: []int{2}},
		"over the teams [-1]":      {Teams: []int{-1}},
	} {
		if err := rulesOver(x).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one that contains %q", err, want)
		}
	}
	for _, x := range []*Expression{{Teams: []int{1}}, {Teams: []int{0, 1}, PerTeam: true}, {Field: InRules}} {
		if err := rulesOver(x).Validate(); err != nil {
			t.Errorf("%+v: got error %v, want none", x, err)
		}
	}
}

// If some teams may be absent, a rule may read all players or the other teams, and matches may not be
// large.
func TestMinTeamsWithSeatRules(t *testing.T) {
	always := Steps[float64]{{Value: 2}}
	team := SeatTeam{Min: always, Max: always}
	numbers := func(teams ...int) *Expression { return &Expression{Teams: teams, PerTeam: len(teams) > 1} }
	for _, c := range []struct {
		minTeams int
		large    *LargeMatches
		measured *Expression
		want     string // part of the error, or "" for no error
	}{
		{minTeams: 2, measured: &Expression{Function: Flatten, Argument: numbers(0, 1, 2)}},
		{minTeams: 2, measured: numbers(0, 1)},
		{minTeams: 0, measured: numbers(0, 1, 2)},
		{minTeams: 3, measured: numbers(2), large: &LargeMatches{}},
		{minTeams: 2, measured: numbers(2), want: `rule "level": it distinguishes teams that may be absent`},
		{minTeams: 2, measured: &Expression{Function: Count, Argument: numbers(0, 1, 2)}, want: `rule "level": it distinguishes teams that may be absent`},
		{minTeams: 2, measured: numbers(0), large: &LargeMatches{}, want: "a number of teams that varies with Large"},
		{minTeams: 4, measured: numbers(0), want: "at least 4 of 3 teams"},
	} {
		set := &Ruleset{MinPlayers: 4, MaxPlayers: 6, MinTeams: c.minTeams, Seats: &SeatRules{Teams: []SeatTeam{team, team, team}, Large: c.large, Rules: []SeatRule{
			&Distance{SeatCommon: SeatCommon{Name: "level"}, Measured: []*Expression{c.measured}, Max: always},
		}}}
		if err := set.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got error %v, want one that contains %q", c, err, c.want)
		}
	}
}

// A rule may count by a wait of its own and be enforced only for some time, but rules about regions
// may not, and Enforced must be a schedule.
func TestSeatCommonValidate(t *testing.T) {
	always := Steps[float64]{{Value: 2}}
	for _, c := range []struct {
		rule SeatRule
		want string // part of the error, or "" for no error
	}{
		{&BatchDistance{SeatCommon: SeatCommon{Basis: new(MeanWait), Enforced: Steps[bool]{{0, true}, {5000, false}}}, Max: always}, ""},
		{&BatchDistance{SeatCommon: SeatCommon{Basis: new(MeanWait + 1)}}, "the basis is 3, want"},
		{&BatchDistance{SeatCommon: SeatCommon{Enforced: Steps[bool]{{5000, false}}}}, "begins at 5000 ms, want 0"},
		{&BatchDistance{SeatCommon: SeatCommon{Enforced: Steps[bool]{{0, true}, {5000, false}, {5000, true}}}}, "at 5000 ms after a change at 5000 ms"},
		{&Latency{SeatCommon: SeatCommon{Basis: new(LongestWait)}}, "latency rule"},
		{&Latency{SeatCommon: SeatCommon{Enforced: Steps[bool]{{0, true}}}}, "latency rule"},
		{&Compound{SeatCommon: SeatCommon{Basis: new(LongestWait)}, Statement: &Statement{Operator: "and"}}, "a compound with a basis"},
	} {
		set := &Ruleset{MinPlayers: 2, MaxPlayers: 2, Seats: &SeatRules{Teams: []SeatTeam{{Name: "all", Min: always, Max: always}}, Rules: []SeatRule{c.rule}}}
		if err := set.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got error %v, want one that contains %q", c.rule, err, c.want)
		}
	}
	if err := (&Ruleset{MinPlayers: 2, MaxPlayers: 2, ExpansionBasis: MeanWait}).Validate(); err == nil || !strings.Contains(err.Error(), "expansion basis is 2") {
		t.Errorf("got error %v, want one about the expansion basis, because only a single rule may count by the mean", err)
	}
}

// A pivot rule may count by another wait and be enforced only for some time, but not under InTurn.
func TestPivotRulesValidate(t *testing.T) {
	always, until := Steps[float64]{{Value: 2}}, Steps[bool]{{0, true}, {5000, false}}
	for _, c := range []struct {
		basis    *ExpansionBasis
		enforced Steps[bool]
		inTurn   *InTurn
		want     string // part of the error, or "" for no error
	}{
		{basis: new(MeanWait), enforced: until},
		{inTurn: &InTurn{}},
		{basis: new(MeanWait + 1), want: "the basis is 3, want"},
		{enforced: Steps[bool]{{5000, false}}, want: `option "mode": the schedule Enforced begins at 5000 ms`},
		{basis: new(LongestWait), inTurn: &InTurn{}, want: `distance "skill": a basis under InTurn`},
		{enforced: until, inTurn: &InTurn{}, want: `option "mode": a schedule Enforced under InTurn`},
	} {
		set := &Ruleset{MinPlayers: 2, MaxPlayers: 2, Pivot: &PivotRules{
			Sizes: []TeamSizes{{MinTeams: 2, MaxTeams: 2, MinPlayers: 1, MaxPlayers: 1}}, InTurn: c.inTurn,
			Distances: []PivotDistance{{Name: "skill", Max: always, Basis: c.basis}}, Options: []PivotOption{{Name: "mode", Enforced: c.enforced}},
		}}
		if err := set.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got error %v, want one that contains %q", c, err, c.want)
		}
	}
}

func gapRule(limit float64) *TeamGap {
	return &TeamGap{Common: Common{Name: "gap", Weight: 0, OptionalAfterMS: Never}, Max: Fixed(limit)}
}

func teamsOf(n, least, most int) []Team {
	var teams []Team
	for i := range n {
		teams = append(teams, Team{fmt.Sprint(i), least, most})
	}
	return teams
}

func skillRule(max Schedule) *NumberDistance {
	return &NumberDistance{Common: Common{Name: "skill", Weight: 1, OptionalAfterMS: Never}, Max: max, MissingAny: true}
}
