package season

import "mmsim/sim"

// Config describes a season.
type Config struct {
	Seed, Run uint64
	WarmUp    sim.Duration // as in sim.Config, at most a day
	Days      int          // number of measured days

	// Day returns the arrivals of the rows of the data on a day, without Number and Queue. The first day
	// is 0. The season makes persons of them: all on day 0, and a share Newcomers on every later day.
	Day       func(day int32) sim.Arrivals
	CopyOf    func(replica uint32, day int32) uint32 // sim.Person.Copy of these arrivals; that of replica r is larger by r than that of replica 0
	QueueOf   func(first *sim.Person) int            // queue of a party; nil if there is one queue
	Visit     float64                                // chance that a person plays on a given day, above 0
	Shift     sim.Duration                           // a join moves by at most this, anew every day
	Newcomers float64                                // chance that a row brings a new person on a day after the first

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

// Season implements sim.Season and sim.Arrivals. It keeps every person in memory until the end of the day
// on which it quits.
type Season struct {
	config Config
	crowd  crowd    // those who join together are adjacent
	at     []uint32 // by person: finished matches, or who it is among the visitors; see online
	start  int      // number of persons of day 0

	today   int    // the next day that beginDay makes
	days    int    // Config.Days
	comers  comers // on the day before today
	minute  int    // the next minute that beginMinute makes
	joins   []join // remaining joins of the minute before that, in order
	list    []join // memory of joins
	members []sim.Person
	now     sim.Instant // of the last join

	// lasts has, by day of the visit, the latest end of the matches that players leave early. The warm-up
	// is part of day 0.
	lasts []sim.Instant

	visitors []visitor // persons who are online
	visits   []visit   // by visitor, valid for the first player of a ticket; empty unless felt is set
	free     []uint32  // unused elements of visitors
	felt     bool      // whether the chances depend on what persons experience

	draws  streams
	tally  tally
	result result // memory of Finished
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
	s := &Season{config: c, crowd: crowd{first: c.First}, days: c.Days, minute: minutes, lasts: make([]sim.Instant, c.Days), felt: c.AgainBy != Effects{} || c.QuitBy != Effects{}, draws: streams{
		persons: draw(sim.PurposePersons), newcomers: draw(sim.PurposeNewcomers), visit: draw(sim.PurposeVisit),
		shift: draw(sim.PurposeShift), result: draw(sim.PurposeResult), quit: draw(sim.PurposeQuit),
	}}
	if c.WarmUp > 0 {
		s.today = -1
	}
	return s
}

// visitOf returns what the ticket of an online person experiences. number is that of its first player.
func (s *Season) visitOf(number uint32) *visit { return &s.visits[s.at[number]&^online] }

// Started implements sim.Season. It notes the waits and RTTs with which tickets start to play, which
// is all that is known to a ticket that leaves the match before its end.
func (s *Season) Started(m *sim.Match) {
	for i := range m.Seats {
		if m.Seats[i].Leaves {
			s.tie(m.Players[i].Number, m.Ends)
		}
	}
	if m.At >= 0 {
		for i := range m.Players {
			p := &m.Players[i]
			s.tally.matched(s.visitor(p.Number).tenth, m.Wait(i), p.RTT)
		}
	}
	if !s.felt {
		return
	}
	for i := 0; i < len(m.Players); {
		party := m.Players[i:][:m.Players[i].PartySize]
		v := s.visitOf(party[0].Number)
		v.last = Features{Wait: m.Wait(i).Seconds()}
		s.addRecord(&v.last, party[0].Number)
		for k := range party {
			v.last[RTT] += sim.RTTMillis(party[k].RTT) / float64(len(party))
		}
		i += len(party)
	}
}

// tie notes that a player leaves a match, and that the match ends later.
func (s *Season) tie(number uint32, ends sim.Instant) {
	day := max(s.crowd.find(number).person().visit, 0)
	s.lasts[day] = max(s.lasts[day], ends)
}

// tied reports whether a person who has quit may have left a match that still runs.
func (s *Season) tied(p *person) bool {
	for _, last := range s.lasts[:p.visit+1] {
		if last > s.now {
			return true
		}
	}
	return false
}

// PlayAgain implements sim.Season.
func (s *Season) PlayAgain(_ int, first *sim.Person) float64 {
	p := s.config.PlayAgain
	if s.felt {
		p = s.config.AgainBy.Chance(p, &s.visitOf(first.Number).last)
	}
	if s.visitor(first.Number).counted {
		s.tally.again.add(p)
	}
	return p
}

// Left implements sim.Season. The players of a ticket quit together.
func (s *Season) Left(l *sim.Left) {
	s.reach(l.At)
	p := s.config.Quit
	first := &l.Players[0].Person
	if s.felt {
		features := s.features(s.visitOf(first.Number), l)
		p = s.config.QuitBy.Chance(p, &features)
	}
	quits := false
	if s.visitor(first.Number).counted {
		s.tally.quit.add(p)
		quits = s.draws.quit.Uniform(s.VisitKey(first), 0) < p
	}
	for i := range l.Players {
		number := l.Players[i].Number
		if p := s.alight(number); quits {
			p.status = newStatus(0, true)
		}
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
	size, streak, novices := uint32(s.visitor(number).party), 0, 0
	for i := range size {
		v := s.visitor(number + i)
		streak += int(v.streak)
		if v.matches < NewBelow {
			novices++
		}
	}
	f[LossStreak], f[Novice] = float64(streak)/float64(size), float64(novices)/float64(size)
}
