package section

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mmsim/cmd/mmsim/value"
	"mmsim/cmd/mmsim/yamltree"
	"mmsim/sim/season"
)

// Season is the section season of a configuration. It has no effect unless Skill is set.
type Season struct {
	Skill     string // numeric attribute that decides who wins, or "" without a season
	Scale     float64
	Rating    Rating
	Visit     float64
	Shift     time.Duration
	Quit      float64
	Newcomers float64 // if NewcomersAuto is not set
	// NewcomersAuto makes the share of newcomers equal to Quit.
	NewcomersAuto   bool
	AgainBy, QuitBy []Effect
}

// Rating configures the ratings of a season.
type Rating struct {
	Attribute                string // the attribute that has each player's rating
	System                   string
	Start, Deviation         float64 // if not auto
	StartAuto, DeviationAuto bool
	K                        float64 // of elo
	GlickoTau, Volatility    float64
	Model                    string // of openskill
	OpenSkillTau             float64
	OpenSkillTauAuto         bool
	TrueSkillTau             float64
	TrueSkillTauAuto         bool
	Draw                     float64 // of trueskill
}

// Effect is the effect of a feature on the log-odds of a chance.
type Effect struct {
	Feature     string
	Coefficient float64
}

// Rating systems, and models of openskill.
const (
	Elo            = "elo"
	Glicko2        = "glicko2"
	OpenSkill      = "openskill"
	TrueSkill      = "trueskill"
	PlackettLuce   = "plackett-luce"
	BradleyTerry   = "bradley-terry"
	tauDefault     = 25.0 / 300
	coefficientMax = 100
)

// DefaultSeason returns the section without any key.
func DefaultSeason() Season {
	return Season{
		Scale: 400, Visit: 1, Shift: time.Hour, Quit: 0.03, NewcomersAuto: true,
		Rating: Rating{
			Attribute: "mmr", System: Glicko2, StartAuto: true, DeviationAuto: true, K: 32, GlickoTau: 0.5, Volatility: 0.06,
			Model: PlackettLuce, OpenSkillTau: tauDefault, OpenSkillTauAuto: true, TrueSkillTau: tauDefault, TrueSkillTauAuto: true,
		},
	}
}

// Settings returns the keys of the section.
func (s *Season) Settings() []value.Key {
	usual, r := DefaultSeason(), &s.Rating
	number := func(p *float64, byDefault float64, l value.Limits) value.Value {
		return value.ByDefault(p, byDefault, value.Number(p, l))
	}
	share := func(p *float64, byDefault float64, l value.Limits) value.Value {
		return value.ByDefault(p, byDefault, value.Share(p, l))
	}
	auto := func(p *float64, isAuto *bool, usual float64, v value.Value) value.Value {
		v = value.OrAuto(p, isAuto, usual, v)
		v.Unset = func() bool { return *isAuto }
		return v
	}
	above0, below1 := value.Limits{High: 1e6, LowOpen: true}, value.Limits{High: 1, HighOpen: true}
	return []value.Key{
		value.Named("season.skill", "numeric attribute (a column of the data, or an entry of players.attributes) that decides who wins, and that rules cannot read; it makes every row a person who comes back day after day (default: no season)", value.ByDefault(&s.Skill, "", value.Label(&s.Skill))),
		value.Named("season.scale", "difference between the mean skills of two teams with which the better team wins 10 of 11 matches", number(&s.Scale, usual.Scale, above0)),
		value.Named("season.rating.attribute", "name of the attribute that has each player's rating, as rules read it; a column or an entry of players.attributes with this name has the first ratings on day 0", value.ByDefault(&r.Attribute, usual.Rating.Attribute, value.Required(value.Label(&r.Attribute)))),
		value.Named("season.rating.system", "rating system", value.ByDefault(&r.System, usual.Rating.System, value.Choice(&r.System, []string{Elo, Glicko2, OpenSkill, TrueSkill}))),
		value.Named("season.rating.start", "first rating; auto is 1500 with elo and glicko2, and 25 with openskill and trueskill", auto(&r.Start, &r.StartAuto, 0, value.Number(&r.Start, value.Limits{Low: -1e6, High: 1e6}))),
		value.Named("season.rating.deviation", "first uncertainty of a rating; auto is 350 with glicko2, and 25/3 with openskill and trueskill; elo has none", auto(&r.Deviation, &r.DeviationAuto, 0, value.Number(&r.Deviation, above0))),
		value.Named("season.rating.elo.k", "largest change of a rating in a match", number(&r.K, usual.Rating.K, above0)),
		value.Named("season.rating.glicko2.tau", "how much the volatility of a player can change", number(&r.GlickoTau, usual.Rating.GlickoTau, value.Limits{Low: 0.01, High: 10})),
		value.Named("season.rating.glicko2.volatility", "first volatility of a player", number(&r.Volatility, usual.Rating.Volatility, value.Limits{High: 10, LowOpen: true})),
		value.Named("season.rating.openskill.model", "model of the order in which teams finish", value.ByDefault(&r.Model, usual.Rating.Model, value.Choice(&r.Model, []string{PlackettLuce, BradleyTerry}))),
		value.Named("season.rating.openskill.tau", "uncertainty that is added before every match; auto is 25/300", auto(&r.OpenSkillTau, &r.OpenSkillTauAuto, tauDefault, value.Number(&r.OpenSkillTau, value.Limits{High: 1e6}))),
		value.Named("season.rating.trueskill.tau", "uncertainty that is added before every match; auto is 25/300", auto(&r.TrueSkillTau, &r.TrueSkillTauAuto, tauDefault, value.Number(&r.TrueSkillTau, value.Limits{High: 1e6}))),
		value.Named("season.rating.trueskill.draw", "share of draws that the rating system assumes; the simulated matches have none", share(&r.Draw, 0, below1)),
		value.Named("season.visit", "probability that a person plays on a given day; below 1, a row of the data stands for 1/visit persons", share(&s.Visit, usual.Visit, value.Limits{Low: 0.05, High: 1})),
		value.Named("season.shift", "how far a join moves from the time in the data, in either direction, anew on every day", value.ByDefault(&s.Shift, usual.Shift, value.Span(&s.Shift, 0, 12*time.Hour))),
		value.Named("season.quit", "probability that a person never returns after a day on which it played", share(&s.Quit, usual.Quit, value.Limits{High: 1})),
		value.Named("season.newcomers", "number of new persons on a day, as a share of the joins in the data; auto is season.quit", auto(&s.Newcomers, &s.NewcomersAuto, 0, value.Share(&s.Newcomers, value.Limits{High: 1}))),
		value.Named("season.again_by", "what changes players.play_again: effects on its log-odds, such as {loss_streak: -0.05, wait: -0.002}", effects(&s.AgainBy, season.Failed)),
		value.Named("season.quit_by", "what changes season.quit: effects on its log-odds, such as {loss_streak: 0.25, wait: 0.01}", effects(&s.QuitBy)),
	}
}

// Days returns the number of days of a season in a run of this duration, or 0 without a season.
func (s *Season) Days(duration time.Duration) int {
	if s.Skill == "" {
		return 0
	}
	return int(duration / (24 * time.Hour))
}

// Check refuses settings that contradict a season. united says that matches unite their players to a
// party, and searches that a row of the data is one search.
func (s *Season) Check(refuse func(isWrong bool, expected string, paths ...string), duration time.Duration, united, searches bool) {
	if s.Skill == "" {
		return
	}
	refuse(s.Rating.Attribute == s.Skill, "expected another name for the ratings, which must not show the hidden skill", "season.skill", "season.rating.attribute")
	refuse((s.Quit == 0 || s.Quit == 1) && len(s.QuitBy) > 0, "expected season.quit above 0 and below 1, because effects change its log-odds", "season.quit", "season.quit_by")
	refuse(duration%(24*time.Hour) != 0, "expected whole days with season.skill", "clock.duration", "season.skill")
	refuse(united, "expected false with season.skill, because the parties of a season never change", "match.keep_together", "season.skill")
	refuse(searches, "expected sessions with season.skill, because a row of a season is a person", "dataset.rows", "season.skill")
}

// effects returns the setting for the effects of features, except for those that the chance cannot
// depend on.
func effects(p *[]Effect, except ...season.Feature) value.Value {
	names := slices.Clone(season.FeatureNames[:])
	for _, f := range except {
		names = slices.DeleteFunc(names, func(name string) bool { return name == season.FeatureNames[f] })
	}
	v := value.OrderedOf(p, "a mapping of "+strings.Join(names, ", ")+" to numbers", func(key yamltree.Node) error {
		if !slices.Contains(names, key.Text) {
			return fmt.Errorf("%s", key)
		}
		return nil
	}, func(e *Effect) *string { return &e.Feature }, func(e *Effect) value.Value {
		return value.Number(&e.Coefficient, value.Limits{Low: -coefficientMax, High: coefficientMax})
	})
	v.Unset = func() bool { return len(*p) == 0 }
	return v
}

// EffectsOf converts effects to the type of package season.
func EffectsOf(list []Effect) (e season.Effects) {
	for _, one := range list {
		e[slices.Index(season.FeatureNames[:], one.Feature)] = one.Coefficient
	}
	return e
}

// First returns the rating of a new person.
func (r *Rating) First() season.Rating {
	usual := map[string]season.Rating{
		Elo: {Value: 1500}, Glicko2: {Value: 1500, Deviation: 350, Volatility: r.Volatility},
		OpenSkill: {Value: 25, Deviation: 25.0 / 3}, TrueSkill: {Value: 25, Deviation: 25.0 / 3},
	}
	first := usual[r.System]
	if !r.StartAuto {
		first.Value = r.Start
	}
	if !r.DeviationAuto && r.System != Elo {
		first.Deviation = r.Deviation
	}
	return first
}

// New returns the rating system.
func (r *Rating) New() season.System {
	switch r.System {
	case Elo:
		return &season.Elo{K: r.K}
	case Glicko2:
		return &season.Glicko2{Tau: r.GlickoTau}
	case TrueSkill:
		return season.NewTrueSkill(r.TrueSkillTau, r.Draw)
	}
	return &season.OpenSkill{BradleyTerry: r.Model == BradleyTerry, Tau: r.OpenSkillTau}
}

// NewcomerShare returns the share of rows that bring a new person on a day.
func (s *Season) NewcomerShare() float64 {
	if s.NewcomersAuto {
		return s.Quit
	}
	return s.Newcomers
}

// Unused lists keys of rating systems that are not in use.
func (s *Season) Unused() (keys []string) {
	for _, k := range s.Settings() {
		system, _, inSystem := strings.Cut(strings.TrimPrefix(k.Path, "season.rating."), ".")
		if strings.HasPrefix(k.Path, "season.rating.") && inSystem && system != s.Rating.System && !k.Unset() {
			keys = append(keys, k.Path)
		}
	}
	if s.Rating.System == Elo && !s.Rating.DeviationAuto {
		keys = append(keys, "season.rating.deviation")
	}
	return keys
}
