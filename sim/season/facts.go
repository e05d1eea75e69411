package season

import (
	"math"
	"slices"

	"mmsim/sim"
)

// Facts are the results of a season. A number of which nothing was counted is NaN.
type Facts struct {
	Days                           int // whole days
	Start, New, Quit, End, Skipped int // persons
	Visits                         int
	MatchesPerVisit                float64
	Stay                           [len(StayDays)]float64 // share, by index into StayDays
	PlayAgain, QuitChance          float64                // means of the chances that came out

	RatingMean, RatingSD, SkillSD, Correlation, Error, Slope float64

	// PerfectSlope is the Slope with which differences in rating would promise the true chances.
	PerfectSlope float64

	TwoTeamMatches                                          int
	FavouritePredicted, FavouriteWins, LogLoss, Calibration float64
	FavouriteChance, EvenShare, LopsidedShare               float64
	Bins                                                    [bins]BinFacts

	ByDay     []DayFacts
	BySkill   [tenths]TenthFacts
	ByMatches [len(MatchesFrom)]ExperienceFacts
}

// StayDays are the numbers of days of Facts.Stay.
var StayDays = [4]int{1, 7, 14, 28}

// MatchesFrom are the smallest numbers of finished matches in the groups of Facts.ByMatches.
var MatchesFrom = [5]uint32{0, 10, 20, 50, 100}

// DayFacts are the results of one day. The ratings are those at its end.
type DayFacts struct {
	Visits, New, Quit                 int
	RatingMean, RatingSD, RatingError float64
}

// BinFacts are the matches of two teams whose favourite had a similar predicted chance.
type BinFacts struct {
	Matches        int
	Predicted, Won float64
}

// TenthFacts are the results of a tenth of the persons of day 0 by skill.
type TenthFacts struct {
	SkillLow, SkillHigh                            float64
	Persons                                        int
	WinShare, MatchesPerVisit, WaitMeanS, RTTMeanM float64
	FavouriteChance                                float64
	Stay                                           [len(StayDays)]float64
}

// ExperienceFacts are the persons with a similar number of finished matches.
type ExperienceFacts struct {
	Persons int
	Error   float64 // as Facts.Error, within the group
}

// Finish returns the results of a season that ends at an instant.
func (s *Season) Finish(at sim.Instant) Facts {
	s.reach(at)
	t := &s.tally
	r := s.ratings()
	f := Facts{
		Days: len(t.days), Start: s.start, New: t.New, Quit: t.Quit, End: s.start + t.New - t.Quit, Skipped: t.Skipped,
		Visits: t.Visits, MatchesPerVisit: float64(t.matches) / float64(t.Visits),
		PlayAgain: t.again.value(), QuitChance: t.quit.value(),
		RatingMean: r.meanX, RatingSD: r.sdX(), SkillSD: math.Sqrt(r.yy / float64(r.n)), Correlation: r.correlation(), Error: r.residual(), Slope: r.slope(),
		PerfectSlope: math.NaN(), TwoTeamMatches: t.fair.chance.n, FavouritePredicted: t.prediction.favourite.value(), FavouriteWins: t.prediction.wins.value(),
		LogLoss: t.prediction.loss.value(), FavouriteChance: t.fair.chance.value(), EvenShare: t.fair.even.value(), LopsidedShare: t.fair.lopside.value(),
		ByDay: t.days,
	}
	if t.teams > 0 {
		f.PerfectSlope = perfectSlope(s.config.System, s.config.Contest, int(math.Round(float64(t.matches)/float64(t.teams))))
	}
	off := 0.0
	for i := range t.prediction.bins {
		b := &t.prediction.bins[i]
		f.Bins[i] = BinFacts{b.won.n, b.predicted.value(), b.won.value()}
		off += math.Abs(b.won.sum - b.predicted.sum)
	}
	f.Calibration = off / float64(f.TwoTeamMatches)
	s.countStay(&f)
	s.countSkill(&f)
	for i := range f.ByMatches {
		f.ByMatches[i] = s.experienced(i)
	}
	return f
}

// countStay sets the shares of persons who have not quit some days after their first day, of those
// whose first day lies so many days before the end.
func (s *Season) countStay(f *Facts) {
	list := slices.Clone(s.tally.stays)
	for _, at := range s.crowd.all() {
		list = addStay(list, at.person())
	}
	for i, days := range StayDays {
		var all mean
		var by [tenths]mean
		for first := range min(len(list), max(f.Days-days+1, 0)) {
			day := &list[first]
			day.all.addTo(&all, i)
			for n := range by {
				day.tenths[n].addTo(&by[n], i)
			}
		}
		f.Stay[i] = all.value()
		for n := range by {
			f.BySkill[n].Stay[i] = by[n].value()
		}
	}
}

// countSkill sets the results by skill, except for Stay.
func (s *Season) countSkill(f *Facts) {
	for i := range f.BySkill {
		to, from := &f.BySkill[i], &s.tally.tenths[i]
		to.SkillLow, to.SkillHigh, to.Persons = from.SkillLow, from.SkillHigh, from.persons
		to.WinShare, to.FavouriteChance = from.won.value(), from.favourite.value()
		to.MatchesPerVisit = float64(from.won.n) / float64(from.visits)
		to.WaitMeanS = float64(from.wait.sum) / float64(from.wait.n) / float64(sim.Second)
		to.RTTMeanM = float64(from.rtt.sum) / float64(from.rtt.n) / sim.RTTUnit
	}
}

// experienced returns the results of a group by finished matches.
func (s *Season) experienced(group int) ExperienceFacts {
	from, below := max(MatchesFrom[group], 1), uint32(math.MaxUint32)
	if group+1 < len(MatchesFrom) {
		below = MatchesFrom[group+1]
	}
	m := momentsOf(func(yield func(rating, skill float64)) { s.played(from, below, yield) })
	return ExperienceFacts{m.n, m.residual()}
}
