package season

import (
	"cmp"
	"math"
	"slices"

	"mmsim/sim"
)

// Config describes a season.
type Config struct {
	Seed, Run uint64
	WarmUp    sim.Duration // as in sim.Config, at most a day
	Days      int          // number of measured days

	// Day returns the arrivals of the rows of the data on a day, without Number and Queue. The first day
	// is 0. The season makes persons of them: all on day 0, and a share Newcomers on every later day.
	Day       func(day int32) sim.Arrivals
	QueueOf   func(first *sim.Person) int // queue of a party; nil if there is one queue
	Visit     float64                     // chance that a person plays on a given day, above 0
	Shift     sim.Duration                // a join moves by at most this, anew every day
	Newcomers float64                     // chance that a row brings a new person on a day after the first

	Skill func(*sim.Person) float64 // hidden skill
	Start func(*sim.Person) float64 // first rating of a person of day 0, NaN for that of First; may be nil
	First Rating                    // of every other person

	Contest   Contest
	System    System
	PlayAgain float64 // chance to play again after a match, with every feature at 0
	Quit      float64 // chance to quit after a day, with every feature at 0
	AgainBy   Effects
	QuitBy    Effects
}

// Season implements sim.Season and sim.Arrivals. It keeps every person of the run in memory.
type Season struct {
	config  Config
	persons []person // those who join together are adjacent
	start   int      // number of persons of day 0
	settled bool     // whether the persons of day 0 exist

	today   int    // the next day that beginDay makes
	days    int    // Config.Days
	joins   []join // remaining joins of the day before today, in order
	list    []join // memory of joins
	members []sim.Person

	// read has what rules read of persons whose rating has changed since their search began. That
	// happens only to those who left a match before its end.
	read map[uint32]float64

	felt   bool      // whether the chances depend on what persons experience; otherwise visits is empty
	visits [][]visit // by queue and slot of a ticket's first player
	draws  streams
	tally  tally
	teams  []team // scratch of Finished
	rated  [][]Rating
	memory []Rating // scratch of the teams' ratings
}

type streams struct{ persons, newcomers, visit, shift, result, quit sim.Stream }

// visit is what the players of an online ticket experience today.
type visit struct {
	last    Features // of the last match
	sum     Features // over the matches of the day
	matches int
}

// New returns a season.
func New(c Config) *Season {
	draw := func(p sim.Purpose) sim.Stream { return sim.NewStream(c.Seed, c.Run, p) }
	s := &Season{config: c, days: c.Days, read: map[uint32]float64{}, felt: c.AgainBy != Effects{} || c.QuitBy != Effects{}, draws: streams{
		persons: draw(sim.PurposePersons), newcomers: draw(sim.PurposeNewcomers), visit: draw(sim.PurposeVisit),
		shift: draw(sim.PurposeShift), result: draw(sim.PurposeResult), quit: draw(sim.PurposeQuit),
	}}
	if c.WarmUp > 0 {
		s.today = -1
	}
	return s
}

// visitOf returns the record of a ticket's visit. slot is that of the ticket's first player.
func (s *Season) visitOf(queue int, slot uint32) *visit {
	for queue >= len(s.visits) {
		s.visits = append(s.visits, nil)
	}
	list := &s.visits[queue]
	for int(slot) >= len(*list) {
		*list = append(*list, visit{})
	}
	return &(*list)[slot]
}

// Started implements sim.Season. It notes the waits and RTTs with which tickets start to play, which
// is all that is known to a ticket that leaves the match before its end.
func (s *Season) Started(m *sim.Match) {
	if m.At >= 0 {
		for i := range m.Players {
			p := &m.Players[i]
			s.tally.matched(s.persons[p.Number].tenth, m.Wait(i), p.RTT)
		}
	}
	if !s.felt {
		return
	}
	for i := 0; i < len(m.Players); {
		party := m.Players[i:][:m.Players[i].PartySize]
		v := s.visitOf(m.Queue, party[0].Slot)
		v.last = Features{Wait: m.Wait(i).Seconds()}
		s.addRecord(&v.last, party[0].Number)
		for k := range party {
			v.last[RTT] += sim.RTTMillis(party[k].RTT) / float64(len(party))
		}
		i += len(party)
	}
}

// team is a team of a match that ends.
type team struct {
	number      int16 // as in sim.Finisher
	players     []int // indexes into sim.Finished.Players
	skill       float64
	performance float64
}

// Finished implements sim.Season.
func (s *Season) Finished(m *sim.Finished) {
	s.reach(m.At)
	s.gather(m)
	s.contest(m)
	m.Decided = len(s.teams) > 1
	if !m.Decided {
		return
	}
	ranked := s.ranked(m) // in the order in which the teams finished
	unfair, winner := 0.0, math.NaN()
	if m.At >= 0 {
		s.tally.teams += len(s.teams)
	}
	if len(s.teams) == 2 {
		winner = s.config.System.Predict(ranked[0], ranked[1])
		fair := s.config.Contest.Chance(s.teams[0].skill - s.teams[1].skill)
		unfair = max(fair, 1-fair) - 0.5
		if m.At >= 0 {
			s.tally.decided(winner, max(fair, 1-fair))
		}
	}
	s.config.System.Update(ranked)
	s.apply(m, ranked, unfair)
	s.setResult(m, winner)
}

// gather divides the players of a match into teams. Without teams in the rules, each ticket is one.
func (s *Season) gather(m *sim.Finished) {
	s.teams = s.teams[:0]
	for i := range m.Players {
		p := &m.Players[i]
		at := -1
		if p.Team != sim.NoTeam {
			at = slices.IndexFunc(s.teams, func(t team) bool { return t.number == p.Team })
		} else if i > 0 && m.Players[i-1].Ticket == p.Ticket {
			at = len(s.teams) - 1
		}
		if at < 0 {
			at = len(s.teams)
			s.teams = slices.Grow(s.teams, 1)[:at+1]
			s.teams[at] = team{number: p.Team, players: s.teams[at].players[:0]}
		}
		s.teams[at].players = append(s.teams[at].players, i)
	}
}

// contest draws the performance of the teams and sorts them, the winner first.
func (s *Season) contest(m *sim.Finished) {
	for i := range s.teams {
		t := &s.teams[i]
		sum := 0.0
		key, matches := uint64(0), uint32(0)
		for k, player := range t.players {
			p := &s.persons[m.Players[player].Number]
			sum += p.skill
			if k == 0 || p.entity < key {
				key, matches = p.entity, p.matches
			}
		}
		t.skill = sum / float64(len(t.players))
		u := (float64(s.draws.result.Bits(key, uint64(matches))>>12) + 0.5) * 0x1p-52 // inside (0, 1)
		t.performance = s.config.Contest.Performance(t.skill, u)
	}
	slices.SortStableFunc(s.teams, func(a, b team) int { return cmp.Compare(b.performance, a.performance) })
}

// ranked returns the ratings of the teams in the order in which they finished.
func (s *Season) ranked(m *sim.Finished) [][]Rating {
	s.rated, s.memory = s.rated[:0], slices.Grow(s.memory[:0], len(m.Players))
	for i := range s.teams {
		from := len(s.memory)
		for _, player := range s.teams[i].players {
			s.memory = append(s.memory, s.persons[m.Players[player].Number].rating)
		}
		s.rated = append(s.rated, s.memory[from:])
	}
	return s.rated
}

// apply stores the new ratings and what the players experienced.
func (s *Season) apply(m *sim.Finished, ranked [][]Rating, unfair float64) {
	for i := range s.teams {
		t := &s.teams[i]
		won := i == 0
		for k, player := range t.players {
			at := &m.Players[player]
			p := &s.persons[at.Number]
			if _, is := s.read[at.Number]; at.Left && p.online && !is {
				s.read[at.Number] = p.rating.Value
			}
			p.rating = ranked[i][k]
			p.matches++
			p.streak = min(p.streak+1, MaxLossStreak)
			if won {
				p.streak = 0
			}
			if m.At >= 0 {
				s.tally.played(p, won, unfair, len(s.teams) == 2)
			}
		}
	}
	if s.felt {
		s.experience(m, unfair)
	}
}

// setResult completes the record of a match. winner is the predicted chance of the team that won.
func (s *Season) setResult(m *sim.Finished, winner float64) {
	for i := range s.teams {
		chance := winner
		if i > 0 {
			chance = 1 - winner
		}
		for _, player := range s.teams[i].players {
			m.Players[player].Won, m.Players[player].Chance = i == 0, chance
		}
	}
}

// experience completes the features of the match for each ticket. One that left the match before its
// end has already drawn whether it plays again, and is perhaps in another match.
func (s *Season) experience(m *sim.Finished, unfair float64) {
	for i := range s.teams {
		t := &s.teams[i]
		for k := 0; k < len(t.players); {
			first := &m.Players[t.players[k]]
			size := int(s.persons[first.Ticket].party)
			k += size
			if first.Left {
				continue
			}
			v := s.visitOf(m.Queue, first.Slot)
			v.last[Unfair] = unfair
			if i == 0 {
				v.last[Win] = 1
			}
			s.addRecord(&v.last, first.Ticket)
			for f := range v.sum {
				v.sum[f] += v.last[f]
			}
			v.matches++
		}
	}
}

// PlayAgain implements sim.Season.
func (s *Season) PlayAgain(queue int, first *sim.Person) float64 {
	p := s.config.PlayAgain
	if s.felt {
		p = s.config.AgainBy.Chance(p, &s.visitOf(queue, first.Slot).last)
	}
	if s.persons[first.Number].visit >= 0 { // else the visit began in the warm-up period
		s.tally.again.add(p)
	}
	return p
}

// Left implements sim.Season. The players of a ticket quit together.
func (s *Season) Left(l *sim.Left) {
	s.reach(l.At)
	p := s.config.Quit
	if s.felt {
		v := s.visitOf(l.Queue, l.Players[0].Slot)
		features := s.features(v, l)
		p = s.config.QuitBy.Chance(p, &features)
		*v = visit{}
	}
	quits := false
	if s.persons[l.Players[0].Number].visit >= 0 {
		s.tally.quit.add(p)
		quits = s.draws.quit.Uniform(s.VisitKey(&l.Players[0].Person), 0) < p
	}
	for i := range l.Players {
		p := &s.persons[l.Players[i].Number]
		p.online, p.quit = false, quits
	}
	if quits {
		s.tally.Quit += len(l.Players)
		s.tally.today.Quit += len(l.Players)
	}
}

// features returns the means of the features over the matches of a day that the ticket finished. If
// there is none, wait and rtt are those of its last search.
func (s *Season) features(v *visit, l *sim.Left) Features {
	f := v.sum
	for i := range f {
		if v.matches > 0 {
			f[i] /= float64(v.matches)
		}
	}
	if v.matches == 0 {
		s.addRecord(&f, l.Players[0].Number)
		f[Wait], f[RTT] = v.last[Wait], v.last[RTT]
		if l.Failed {
			f[Wait], f[RTT] = l.Wait.Seconds(), 0
		}
	}
	if l.Failed {
		f[Failed] = 1
	}
	return f
}

// addRecord sets the features of a ticket that come from the past of its persons. number is that of
// the first one.
func (s *Season) addRecord(f *Features, number uint32) {
	party := s.persons[number:][:s.persons[number].party]
	streak, novices := 0, 0
	for i := range party {
		streak += int(party[i].streak)
		if party[i].matches < NewBelow {
			novices++
		}
	}
	f[LossStreak], f[Novice] = float64(streak)/float64(len(party)), float64(novices)/float64(len(party))
}
