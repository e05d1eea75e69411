package season

import (
	"math"

	"mmsim/sim"
)

const (
	tenths = 10
	bins   = 10 // of predicted chances, from 1/2 to 1
)

// tally counts what happens in the measured window.
type tally struct {
	New, Quit, Skipped, Visits int
	matches                    int // finished matches, counted once per player
	teams                      int // teams of these matches
	again, quit                mean

	today DayFacts // counts of the day that is not over
	days  []DayFacts

	prediction struct {
		favourite mean // chance of the team that the rating prefers
		wins      mean // whether it won; 1/2 if the chance was 1/2
		loss      mean // minus the logarithm of the winner's chance
		bins      [bins]struct{ predicted, won mean }
	}
	fair struct {
		chance        mean // true chance of the better team
		even, lopside mean // whether it is at most 55 %, and more than 60 %
	}
	tenths [tenths]tenth
	stays  []stays // by first day, of the persons who are forgotten
}

// tenth counts for the persons of day 0 with similar skill.
type tenth struct {
	SkillLow, SkillHigh float64
	persons, visits     int
	won, favourite      mean
	wait, rtt           struct{ sum, n int64 } // in ms and in units of sim.RTT
}

// stays counts persons with the same first day.
type stays struct {
	all    stay
	tenths [tenths]stay // of the persons of day 0, by skill
}

// stay counts persons.
type stay struct {
	persons int
	stay    [len(StayDays)]int // those who have not quit StayDays after their first day
}

// add adds a person.
func (s *stay) add(p *person) {
	s.persons++
	for i, days := range StayDays {
		if !p.status.quit() || int(p.visit-p.first) >= days {
			s.stay[i]++
		}
	}
}

// addTo adds the persons to the mean of those who have not quit StayDays[i] after their first day.
func (s *stay) addTo(m *mean, i int) {
	m.sum += float64(s.stay[i])
	m.n += s.persons
}

// addStay adds a person to those with its first day in a list by first day. Who never played is
// in none.
func addStay(list []stays, p *person) []stays {
	if p.first == noDay {
		return list
	}
	for int(p.first) >= len(list) {
		list = append(list, stays{})
	}
	to := &list[p.first]
	to.all.add(p)
	if n := p.tenth(); n != noTenth {
		to.tenths[n].add(p)
	}
	return list
}

// mean adds up numbers. Its zero value has none.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) {
	m.sum += x
	m.n++
}

// value returns the mean, or NaN without numbers.
func (m *mean) value() float64 { return m.sum / float64(m.n) }

// flag returns 1 for true and 0 for false.
func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// visited counts the visits of a party that joins.
func (t *tally) visited(s *Season, a *sim.Arrival) {
	t.Visits += len(a.Members)
	t.today.Visits += len(a.Members)
	for i := range a.Members {
		if n := s.visitor(a.Members[i].Number).tenth; n != noTenth {
			t.tenths[n].visits++
		}
	}
}

// matched counts a player who starts to play.
func (t *tally) matched(tenth uint8, wait sim.Duration, rtt sim.RTT) {
	if tenth == noTenth {
		return
	}
	to := &t.tenths[tenth]
	to.wait.sum, to.wait.n = to.wait.sum+int64(wait), to.wait.n+1
	to.rtt.sum, to.rtt.n = to.rtt.sum+int64(rtt), to.rtt.n+1
}

// decided counts a match of two teams. winner is the chance that the ratings gave to the team that
// won, and better the true chance of the team with the higher skill.
func (t *tally) decided(winner, better float64) {
	p := &t.prediction
	favourite, won := max(winner, 1-winner), flag(winner > 0.5)
	if winner == 0.5 {
		won = 0.5
	}
	p.favourite.add(favourite)
	p.wins.add(won)
	p.loss.add(-log(max(winner, leastChance)))
	bin := &p.bins[min(int((favourite-0.5)*2*bins), bins-1)]
	bin.predicted.add(favourite)
	bin.won.add(won)
	t.fair.chance.add(better)
	t.fair.even.add(flag(better <= 0.55))
	t.fair.lopside.add(flag(better > 0.6))
}

// leastChance keeps the loss of a prediction finite.
const leastChance = 1e-15

// played counts a player who has finished a match. unfair is as in Features.
func (t *tally) played(tenth uint8, won bool, unfair float64, twoTeams bool) {
	t.matches++
	if tenth == noTenth {
		return
	}
	to := &t.tenths[tenth]
	to.won.add(flag(won))
	if twoTeams {
		to.favourite.add(0.5 + unfair)
	}
}

// reach closes the days that end at or before an instant. Nothing has changed since their end,
// because it is called before every change.
func (s *Season) reach(at sim.Instant) {
	for at >= sim.Instant(len(s.tally.days)+1)*sim.Instant(sim.Day) {
		t := &s.tally
		r := s.ratings()
		t.today.RatingMean, t.today.RatingSD, t.today.RatingError = r.meanX, r.sdX(), r.residual()
		t.days = append(t.days, t.today)
		t.today = DayFacts{}
	}
}

// moments are the moments of a set of points.
type moments struct {
	n            int
	meanX, meanY float64
	xx, yy, xy   float64 // sums of squares and products of the distances from the means
}

// momentsOf computes the moments of the points that a function yields. It is called twice.
func momentsOf(points func(yield func(x, y float64))) (m moments) {
	points(func(x, y float64) {
		m.n++
		m.meanX += x
		m.meanY += y
	})
	m.meanX /= float64(m.n)
	m.meanY /= float64(m.n)
	points(func(x, y float64) {
		dx, dy := x-m.meanX, y-m.meanY
		m.xx += float64(dx * dx)
		m.yy += float64(dy * dy)
		m.xy += float64(dx * dy)
	})
	return m
}

// sdX returns the standard deviation of x, with the divisor n.
func (m *moments) sdX() float64 { return math.Sqrt(m.xx / float64(m.n)) }

// correlation returns Pearson's r, or NaN if x or y does not vary.
func (m *moments) correlation() float64 { return m.xy / math.Sqrt(float64(m.xx*m.yy)) }

// slope returns the least-squares slope of x on y, or NaN if y does not vary.
func (m *moments) slope() float64 { return m.xy / m.yy }

// residual returns the root mean square distance of y from its least-squares line on x. If x does
// not vary, the line is the mean.
func (m *moments) residual() float64 {
	rest := m.yy
	if m.xx > 0 {
		rest -= float64(m.xy*m.xy) / m.xx
	}
	return math.Sqrt(max(rest, 0) / float64(m.n))
}

// ratings returns the moments of rating (x) and skill (y) of Rated.
func (s *Season) ratings() moments { return momentsOf(s.Rated) }

// Rated yields the rating and the skill of all persons who have finished a match and not quit.
func (s *Season) Rated(yield func(rating, skill float64)) {
	s.played(1, math.MaxUint32, yield)
}

// played is like Rated, but only for persons with at least from and less than below finished matches.
func (s *Season) played(from, below uint32, yield func(rating, skill float64)) {
	for number, at := range s.crowd.all() {
		if !at.person().status.quit() {
			if rating, matches := s.record(number, at); matches >= from && matches < below {
				yield(rating, at.skill())
			}
		}
	}
}
