package binding

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/reports/outcome"
	"mmsim/reports/result"
	"mmsim/sim"
	"mmsim/sim/season"
)

// Season is the season of a replication: the hidden skill, the first ratings if the data or a generator
// has them, the ratings, and, after Begin, the persons.
type Season struct {
	*season.Season
	Warnings             []string
	config               *config.Config
	skill, start, rating *population.Attribute
}

// NewSeason adds the ratings of a season to a population. It must be called before rules look up their
// attributes. It returns nil if the configuration has no season.
func NewSeason(c *config.Config, day *datasets.Day, players *population.Population) (*Season, error) {
	s := &c.Season
	switch {
	case s.Skill == "":
		return nil, nil
	case day.Days() > 1:
		return nil, c.Errorf("dataset.date", "got data of %d days, expected one day with season.skill: dataset.date picks one", day.Days())
	case c.Placement == config.PlacementServers:
		return nil, c.Errorf("season.skill", "got %q with placement servers, expected matches: nobody wins on servers", s.Skill)
	}
	r := &Season{config: c, skill: players.Attribute(s.Skill), start: players.Attribute(s.Rating.Attribute)}
	if r.skill == nil || r.skill.Kind != datasets.Number {
		var names []string
		for _, other := range players.Attributes {
			if other.Kind == datasets.Number {
				names = append(names, other.Name)
			}
		}
		return nil, c.Errorf("season.skill", "got %q, expected a numeric column of the data or entry of players.attributes: %s%s", s.Skill, Listed(names), input.DidYouMean(s.Skill, names))
	}
	if r.start != nil && r.start.Kind != datasets.Number {
		return nil, c.Errorf("season.rating.attribute", "got %q, which is a %s, expected another name or a numeric attribute with the first ratings", s.Rating.Attribute, r.start.Kind)
	}
	r.rating = players.Replace(s.Rating.Attribute, r.ratingOf)
	if unused := s.Unused(); len(unused) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s: not used, because season.rating.system is %s", strings.Join(unused, ", "), s.Rating.System))
	}
	return r, nil
}

// ratingOf returns the rating of a player. Before the season begins, it is the first rating.
func (r *Season) ratingOf(p *population.Person) float64 {
	if r.Season == nil {
		return r.config.Season.Rating.First().Value
	}
	return r.Rating(p.Number)
}

// Begin creates the persons' season. day returns the joins of a day, and queueOf the queue of a party; it
// may be nil.
func (r *Season) Begin(day func(day int32) sim.Arrivals, queueOf func(first *sim.Person) int) {
	number := func(a *population.Attribute) func(p *sim.Person) float64 {
		if a == nil {
			return nil
		}
		return func(p *sim.Person) float64 { return a.Number((*population.Person)(p)) }
	}
	c, s := r.config, &r.config.Season
	r.Season = season.New(season.Config{
		Seed: c.Seed, Run: uint64(c.Run),
		WarmUp: config.SimSpan(c.Clock.Warmup), Days: s.Days(c.Clock.Duration),
		Day: day, CopyOf: CopyOf, QueueOf: queueOf, Visit: s.Visit, Shift: config.SimSpan(s.Shift), Newcomers: s.NewcomerShare(),
		Skill: number(r.skill), Start: number(r.start), First: s.Rating.First(),
		Contest: season.Contest{Scale: s.Scale}, System: s.Rating.New(),
		PlayAgain: c.Players.PlayAgain, Quit: s.Quit,
		AgainBy: section.EffectsOf(s.AgainBy), QuitBy: section.EffectsOf(s.QuitBy),
	})
}

// Check refuses queue i if it does not fit a season. matchSize is the number of players in a full match.
func (r *Season) Check(i int, q *config.Queue, rules *Rules, matchSize int) error {
	c, s := r.config, &r.config.Season
	if q.Match.KeepTogether {
		return c.Errorf(c.QueuePrefix(i)+"match.keep_together", "got true, expected false with season.skill, because the parties of a season never change")
	}
	if rules != nil {
		for _, read := range rules.Reads {
			if r.Hides(read.Attribute) {
				return r.Hidden(fmt.Sprintf("which the rules read (%s)", read.Rule))
			}
		}
	}
	if s.Rating.System == section.TrueSkill && !hasTwoTeams(c, rules, matchSize) {
		return c.Errorf("season.rating.system", "got trueskill, expected matches of exactly two teams, or of two players without teams")
	}
	return nil
}

// Hides reports whether an attribute is the hidden skill.
func (r *Season) Hides(a *population.Attribute) bool { return a == r.skill }

// Hidden returns the error about a reader of the hidden skill, such as "which the rules read".
func (r *Season) Hidden(reader string) error {
	s := &r.config.Season
	return r.config.Errorf("season.skill", "got %q, %s, expected an attribute that is hidden from them: they read the rating %s", s.Skill, reader, s.Rating.Attribute)
}

// hasTwoTeams reports whether every match of a queue has exactly two teams. Without teams, every ticket
// is one.
func hasTwoTeams(c *config.Config, rules *Rules, matchSize int) bool {
	if rules != nil {
		if low, high := rules.Sim.Set.TeamBounds(); high > 0 {
			return low == 2 && high == 2
		}
	}
	sizes := c.PartySizes()
	return matchSize == 2 && len(sizes) == 1 && sizes[0] == 1
}

// ratingBins are the values of the sample from which deciles of ratings are computed: evenly spaced
// around the first rating, because nobody knows before the run how far ratings spread.
const ratingBins = 255

// ratingSample returns that sample.
func ratingSample(first season.Rating) []float64 {
	reach := 25.0 // in systems with a first rating of 25
	if first.Deviation == 0 || first.Deviation > reach {
		reach = 1500
	}
	sample := make([]float64, ratingBins)
	for i := range sample {
		sample[i] = first.Value + float64(reach*(2*float64(i)/(ratingBins-1)-1))
	}
	return sample
}

// Report adds the results of a season that ends at an instant to those of the run.
func (r *Season) Report(to *result.Result, at sim.Instant) {
	f := r.Finish(at)
	to.Summary.Season = r.summary(&f)
	to.Ratings = result.RatingsOf(r.Rated)
	for i := range f.Bins {
		b := &f.Bins[i]
		to.Predictions = append(to.Predictions, result.NewPredictionBin(i, b.Matches, b.Predicted, b.Won))
	}
}

func (r *Season) summary(f *season.Facts) *outcome.Season {
	count := func(n int) outcome.Count { return outcome.Count(n) }
	s := &outcome.Season{
		Attribute:       r.config.Season.Rating.Attribute,
		Persons:         outcome.SeasonPersons{Start: count(f.Start), New: count(f.New), Quit: count(f.Quit), End: count(f.End), Skipped: count(f.Skipped)},
		Visits:          count(f.Visits),
		MatchesPerVisit: outcome.RoundAverage(f.MatchesPerVisit),
		AgainChance:     outcome.RoundShare(f.PlayAgain),
		QuitChance:      outcome.RoundShare(f.QuitChance),
		Stay: outcome.SeasonStay{
			D1: outcome.RoundShare(f.Stay[0]), D7: outcome.RoundShare(f.Stay[1]), D14: outcome.RoundShare(f.Stay[2]), D28: outcome.RoundShare(f.Stay[3]),
		},
		Rating: outcome.SeasonRating{
			Mean: outcome.RoundValue(f.RatingMean), SD: outcome.RoundValue(f.RatingSD), SkillSD: outcome.RoundValue(f.SkillSD), Correlation: outcome.RoundValue(f.Correlation),
			Error: outcome.RoundValue(f.Error), Slope: outcome.RoundValue(f.Slope), SlopePerfect: outcome.RoundValue(f.PerfectSlope),
		},
		Prediction: outcome.SeasonPrediction{
			Matches: count(f.TwoTeamMatches), FavouritePredicted: outcome.RoundShare(f.FavouritePredicted), FavouriteWins: outcome.RoundShare(f.FavouriteWins),
			LogLoss: outcome.RoundValue(f.LogLoss), CalibrationError: outcome.RoundShare(f.Calibration),
		},
		Fairness: outcome.SeasonFairness{
			FavouriteChance: outcome.RoundShare(f.FavouriteChance), Share4555: outcome.RoundShare(f.EvenShare), ShareBelow40: outcome.RoundShare(f.LopsidedShare),
		},
		ByDay: []outcome.SeasonDay{}, BySkillDecile: []outcome.SeasonDecile{}, ByMatches: outcome.SeasonGroups{},
	}
	for _, d := range f.ByDay {
		s.ByDay = append(s.ByDay, outcome.SeasonDay{
			Visits: count(d.Visits), New: count(d.New), Quit: count(d.Quit),
			RatingMean: outcome.RoundValue(d.RatingMean), RatingSD: outcome.RoundValue(d.RatingSD), RatingError: outcome.RoundValue(d.RatingError),
		})
	}
	for _, t := range f.BySkill {
		s.BySkillDecile = append(s.BySkillDecile, outcome.SeasonDecile{
			From: outcome.RoundValue(t.SkillLow), To: outcome.RoundValue(t.SkillHigh), Persons: count(t.Persons),
			WinShare: outcome.RoundShare(t.WinShare), StayD1: outcome.RoundShare(t.Stay[0]), StayD7: outcome.RoundShare(t.Stay[1]), StayD14: outcome.RoundShare(t.Stay[2]),
			MatchesPerVisit: outcome.RoundAverage(t.MatchesPerVisit), WaitMean: outcome.RoundSeconds(t.WaitMeanS), RTTMean: outcome.RoundMillis(t.RTTMeanM),
			FavouriteChance: outcome.RoundShare(t.FavouriteChance),
		})
	}
	for i, g := range f.ByMatches {
		s.ByMatches = append(s.ByMatches, outcome.SeasonGroup{Name: outcome.ExperienceKeys[i], Persons: count(g.Persons), RatingError: outcome.RoundValue(g.Error)})
	}
	return s
}
