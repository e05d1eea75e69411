package experiment

import (
	"fmt"
	"strings"

	"mmsim/cmd/mmsim/config"
	"mmsim/cmd/mmsim/config/section"
	"mmsim/cmd/mmsim/input"
	"mmsim/datasets"
	"mmsim/datasets/population"
	"mmsim/reports/outcome"
	"mmsim/sim"
	"mmsim/sim/season"
)

// seasonAttributes are the attributes of a season: the hidden skill, the first ratings if the data
// or a generator has them, and the ratings.
type seasonAttributes struct {
	skill, start, rating *population.Attribute
}

// replaceRating adds the ratings of a season to the population. It must be called before rules look
// up their attributes.
func (r *Replication) replaceRating() error {
	s := &r.Config.Season
	if s.Skill == "" {
		return nil
	}
	if r.Day.Days() > 1 {
		return r.Config.Errorf("dataset.date", "got data of %d days, expected one day with season.skill: dataset.date picks one", r.Day.Days())
	}
	if r.Config.Placement == config.PlacementServers {
		return r.Config.Errorf("season.skill", "got %q with placement servers, expected matches: nobody wins on servers", s.Skill)
	}
	a := &r.seasonal
	if a.skill = r.population.Attribute(s.Skill); a.skill == nil || a.skill.Kind != datasets.Number {
		var names []string
		for _, other := range r.population.Attributes {
			if other.Kind == datasets.Number {
				names = append(names, other.Name)
			}
		}
		return r.Config.Errorf("season.skill", "got %q, expected a numeric column of the data or entry of players.attributes: %s%s",
			s.Skill, listed(names), input.DidYouMean(s.Skill, names))
	}
	if a.start = r.population.Attribute(s.Rating.Attribute); a.start != nil && a.start.Kind != datasets.Number {
		return r.Config.Errorf("season.rating.attribute", "got %q, which is a %s, expected another name or a numeric attribute with the first ratings", s.Rating.Attribute, a.start.Kind)
	}
	a.rating = r.population.Replace(s.Rating.Attribute, func(p *population.Person) float64 { return r.season.Rating(p.Number) })
	if unused := s.Unused(); len(unused) > 0 {
		r.warn(fmt.Sprintf("%s: not used, because season.rating.system is %s", strings.Join(unused, ", "), s.Rating.System))
	}
	return nil
}

// newSeason creates the season of the replication, after its queues.
func (r *Replication) newSeason() error {
	c, s := r.Config, &r.Config.Season
	if s.Skill == "" {
		return nil
	}
	for i, q := range r.queues {
		if err := r.checkSeasonQueue(i, q); err != nil {
			return err
		}
	}
	number := func(a *population.Attribute) func(p *sim.Person) float64 {
		if a == nil {
			return nil
		}
		return func(p *sim.Person) float64 { return a.Number((*population.Person)(p)) }
	}
	r.season = season.New(season.Config{
		Seed: c.Seed, Run: uint64(c.Run),
		WarmUp: config.SimSpan(c.Clock.Warmup), Days: int(config.SimSpan(c.Clock.Duration) / sim.Day),
		Day:   func(day int32) sim.Arrivals { return r.arrivalsOn(day) },
		Visit: s.Visit, Shift: config.SimSpan(s.Shift), Newcomers: s.NewcomerShare(),
		Skill: number(r.seasonal.skill), Start: number(r.seasonal.start), First: s.Rating.First(),
		Contest: season.Contest{Scale: s.Scale}, System: s.Rating.New(),
		PlayAgain: c.Players.PlayAgain, Quit: s.Quit,
		AgainBy: section.EffectsOf(s.AgainBy), QuitBy: section.EffectsOf(s.QuitBy),
	})
	return nil
}

// checkSeasonQueue refuses a queue that does not fit a season.
func (r *Replication) checkSeasonQueue(i int, q *replicationQueue) error {
	s := &r.Config.Season
	if q.config.Match.KeepTogether {
		return r.Config.Errorf(fmt.Sprintf("queues[%d].match.keep_together", i), "got true, expected false with season.skill, because the parties of a season never change")
	}
	if q.rules != nil {
		for _, read := range q.rules.Reads {
			if read.Attribute == r.seasonal.skill {
				return r.Config.Errorf("season.skill", "got %q, which the rules read (%s), expected an attribute that is hidden from them: they read the rating %s", s.Skill, read.Rule, s.Rating.Attribute)
			}
		}
	}
	if s.Rating.System == section.TrueSkill && !q.hasTwoTeams(r.Config) {
		return r.Config.Errorf("season.rating.system", "got trueskill, expected matches of exactly two teams, or of two players without teams")
	}
	return nil
}

// hasTwoTeams reports whether every match of the queue has exactly two teams. Without teams, every
// ticket is one.
func (q *replicationQueue) hasTwoTeams(c *config.Config) bool {
	if q.rules != nil {
		if low, high := q.rules.Sim.Set.TeamBounds(); high > 0 {
			return low == 2 && high == 2
		}
	}
	sizes := c.PartySizes()
	return q.matchSize() == 2 && len(sizes) == 1 && sizes[0] == 1
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

// seasonSummary converts the results of a season to the summary.
func seasonSummary(attribute string, f season.Facts) *outcome.Season {
	count := func(n int) outcome.Count { return outcome.Count(n) }
	s := &outcome.Season{
		Attribute:       attribute,
		Persons:         outcome.SeasonPersons{Start: count(f.Start), New: count(f.New), Quit: count(f.Quit), End: count(f.End), Skipped: count(f.Skipped)},
		Visits:          count(f.Visits),
		MatchesPerVisit: outcome.RoundAverage(f.MatchesPerVisit),
		Chances:         outcome.SeasonChances{PlayAgain: outcome.RoundShare(f.PlayAgain), Quit: outcome.RoundShare(f.QuitChance)},
		Stay: outcome.SeasonStay{
			D1: outcome.RoundShare(f.Stay[0]), D7: outcome.RoundShare(f.Stay[1]), D14: outcome.RoundShare(f.Stay[2]), D28: outcome.RoundShare(f.Stay[3]),
		},
		Rating: outcome.SeasonRating{
			Mean: outcome.RoundValue(f.RatingMean), SD: outcome.RoundValue(f.RatingSD), SkillSD: outcome.RoundValue(f.SkillSD), Correlation: outcome.RoundValue(f.Correlation),
			Error: outcome.RoundValue(f.Error), Slope: outcome.RoundValue(f.Slope),
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
