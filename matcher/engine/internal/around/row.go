package around

import (
	"slices"

	"mmsim/matcher"
)

// Traits holds the properties of a row other than its numbers and round-trip times.
type Traits struct {
	Worth   float64 // sum of the values that balance teams, over the row's players
	NewOnly bool    // joins only new matches, not open sessions
	Region  matcher.Region
	Same    matcher.Text // the row's value for PivotRules.Same, or NoText
	People  []matcher.Text
	Blocked []matcher.Text
	Options [][]matcher.Text // indexed by option; empty if the row does not have the option
	Own     [][]matcher.Text // indexed by option; see matcher.PivotOption.Own
}

// NoText is the value of Traits.Same if the row has no such text.
const NoText matcher.Text = -1

// Load stores the data of a row. values are the values of the ticket or session as a whole. from
// is the place that defines the round-trip times, or NoPlace if those of the players do. For a
// session, at is its region.
func (r *Rules) Load(row Row, values []matcher.Value, players []matcher.Player, from matcher.Place, at matcher.Region) {
	for int(row) >= len(r.Traits) {
		r.Traits = append(r.Traits, Traits{})
		r.numbers = append(r.numbers, make([]float64, len(r.Set.Distances))...)
	}
	t, all := &r.Traits[row], &matcher.Player{Values: values}
	t.NewOnly, t.Region = all.At(r.Set.NewOnly).Kind != matcher.Missing, at
	if t.Same = NoText; all.At(r.Set.Same).Kind == matcher.IsText {
		t.Same = all.At(r.Set.Same).Text
	}
	r.Mixed = r.Mixed || len(r.Traits) > 1 && t.Same != r.lastSame
	r.lastSame = t.Same
	t.People = t.People[:0]
	for i := range players {
		if v := players[i].At(r.Set.People); v.Kind == matcher.IsText {
			t.People = append(t.People, v.Text)
		}
	}
	slices.Sort(t.People)
	t.Blocked = append(t.Blocked[:0], all.At(r.Set.Blocked).Set...)
	t.Options, t.Own = t.Options[:0], t.Own[:0]
	for i := range r.Set.Options {
		t.Options = matcher.AppendSet(t.Options, all.At(r.Set.Options[i].Column).Set)
		t.Own = matcher.AppendSet(t.Own, all.At(r.Set.Options[i].Own).Set)
	}
	numbers := r.Numbers(row)
	for i := range numbers {
		numbers[i] = sum(players, r.Set.Distances[i].Column) / float64(max(1, len(players)))
	}
	t.Worth = r.Worth(players...)
	r.Regions.load(row, players, from)
	r.LoadValues(row)
}

// LoadValues sets the values of a row that the candidate index reads. Call it after Traits has changed.
func (r *Rules) LoadValues(row Row) {
	for _, v := range r.values {
		v.load(row)
	}
}

// sum adds up the players' numbers in a column. A player without a number there counts as 0.
func sum(players []matcher.Player, column matcher.Column) (sum float64) {
	for i := range players {
		if v := players[i].At(column); v.Kind == matcher.IsNumber {
			sum += v.Number
		}
	}
	return sum
}

// Numbers returns the numbers that the distance rules compare for a row. Each is the mean over
// the row's players.
func (r *Rules) Numbers(row Row) []float64 {
	n := len(r.Set.Distances)
	return r.numbers[int(row)*n:][:n]
}

// Worth returns how much the players add to the balance value of their team.
func (r *Rules) Worth(players ...matcher.Player) (worth float64) {
	for _, b := range r.balanced {
		switch {
		case b.scale == 0:
			worth += sum(players, b.column)
		case r.Set.InTurn == nil:
			worth += sum(players, b.column) / b.scale
		default: // the service divides each player's number before it adds them, which affects rounding
			for i := range players {
				worth += float64(sum(players[i:i+1], b.column) / b.scale)
			}
		}
	}
	return worth
}

// Block reports whether either of two rows blocks the other.
func (r *Rules) Block(a, b Row) bool {
	x, y := &r.Traits[a], &r.Traits[b]
	return matcher.SetsMeet(x.Blocked, y.People) || matcher.SetsMeet(y.Blocked, x.People)
}

// Blocks reports whether a ticket blocks the given player of a session.
func (r *Rules) Blocks(row Row, member *matcher.Player) bool {
	name := member.Value(r.Set.People)
	return name.Kind == matcher.IsText && slices.Contains(r.Traits[row].Blocked, name.Text)
}

// Member is a ticket of a group, or the session that is the seed.
type Member struct {
	Row     Row
	Team    int // NoTeam for a session, because its players already have teams
	Players int
	At      int // index in Ranker.List, or -1 if the row did not come from there
}

// Team is a team that is being filled.
type Team struct {
	Number  int // the team's number in the session; see matcher.Member.Team
	Players int
	Worth   float64
	People  []matcher.Text // ids of the players whom the session already has in this team
}

// Seated returns the teams of a session with the players that it already has.
func (r *Rules) Seated(session *matcher.Session) (teams []Team) {
	for i := range session.Members {
		m := &session.Members[i]
		for len(teams) <= m.Team {
			teams = append(teams, Team{Number: len(teams)})
		}
		t := &teams[m.Team]
		t.Players++
		t.Worth += r.Worth(m.Player)
		if v := m.Value(r.Set.People); v.Kind == matcher.IsText {
			t.People = append(t.People, v.Text)
		}
	}
	for i := range teams {
		slices.Sort(teams[i].People)
	}
	return teams
}

// MayTeam reports whether a ticket may join a team. Under OtherTeams, it may not join a team if it
// blocks a player there or if a player there blocks a player of the ticket. number is the team's
// number in Member.Team.
func (r *Rules) MayTeam(row Row, number int, team *Team, members []Member) bool {
	if r.Set.Blocking != matcher.OtherTeams {
		return true
	}
	if matcher.SetsMeet(r.Traits[row].Blocked, team.People) {
		return false
	}
	for _, m := range members {
		if m.Team == number && r.Block(m.Row, row) {
			return false
		}
	}
	return true
}
